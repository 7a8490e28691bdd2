# A generator for copse. In a study:
#
#   data:
#     generator: {name: external, command: [julia, --startup-file=no, generator.jl], files: [generator.jl],
#                 classes: 2, density: true, params: {d: 5, shift: 1}}
#
# Test it: copse try generator.jl --param d=5 --param shift=1
include(joinpath(ENV["COPSE_CLIENT"], "copse.jl")) # copse sets COPSE_CLIENT

using LinearAlgebra

# new returns a random problem as any object. params is the Dict of parameters in the
# study. copse seeds the random generator before each call. This example draws two normal
# distributions that differ in their means.
function new(params)
    direction = randn(Int(get(params, "d", 5)))
    get(params, "shift", 1) * direction / norm(direction)
end

# counts contains the number of rows of each class. x is a matrix; y contains the codes
# 0, 1, ...
function sample(mean, counts)
    y = reduce(vcat, [fill(c - 1, n) for (c, n) in enumerate(counts)])
    (randn(length(y), length(mean)) + y * mean', y)
end

# Optional: the log density of class 0 or 1 at each row of x. copse needs it for the
# oracle, which has the Bayes error.
log_density(mean, class, x) = [-sum((row .- class .* mean) .^ 2 .+ log(2pi)) / 2 for row in eachrow(x)]

Copse.generator(new, sample, log_density = log_density, name = "shifted normals", version = "1")
