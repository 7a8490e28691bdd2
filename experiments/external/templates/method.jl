# A classifier for copse. In a study:
#
#   - {id: mine, classifier: external, command: [julia, --startup-file=no, method.jl], files: [method.jl], params: {ridge: 0.01}}
#
# Test it: copse try method.jl --param ridge=0.01
include(joinpath(ENV["COPSE_CLIENT"], "copse.jl")) # copse sets COPSE_CLIENT

using LinearAlgebra, Statistics

# x is an n x d matrix of Float64, y contains the class codes 0, 1, ..., and params is the
# Dict of parameters in the study. copse seeds the random generator. This example is linear
# discriminant analysis with a ridge on the pooled covariance matrix.
function fit(x, y, params)
    codes = 0:length(Copse.task["classes"])-1
    means = reduce(vcat, [mean(x[y.==c, :], dims = 1) for c in codes])
    within = x - means[y.+1, :]
    s = within' * within / size(x, 1)
    s += (get(params, "ridge", 0.01) * mean(diag(s)) + 1e-12) * I
    weights = s \ means'
    (weights, [log(mean(y .== c)) - dot(means[c+1, :], weights[:, c+1]) / 2 for c in codes])
end

# predict returns one class code per row of x, or a matrix of probabilities with one column
# per class.
function predict(model, x)
    weights, offset = model
    score = x * weights .+ offset'
    p = exp.(score .- maximum(score, dims = 2))
    p ./ sum(p, dims = 2)
end

# State what the method accepts: at most two classes (classes = 2), discrete attributes
# (discrete = true), missing values (missing = true).
Copse.classifier(fit, predict, name = "ridge LDA", version = "1", classes = 0, discrete = false, missing = false, probabilities = true)
