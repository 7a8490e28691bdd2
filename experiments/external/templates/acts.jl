# A method whose second fit misbehaves as stated by the parameter act. It is the conformance
# suite for authors of clients for copse's protocol. Rewrite it with your client, then run:
#
#   copse try acts.jl --acts
include(joinpath(ENV["COPSE_CLIENT"], "copse.jl"))

fits = 0

# The label depends on the sign of the first column: code 1 if it is positive.
function predict(model, x)
    global fits += 1
    labels = Int.(x[:, 1] .> 0)
    act = fits == 2 ? Copse.task["params"]["act"] : "behaves"
    text = "a \"quoted\" \\ text,\nüber two lines"
    act == "behaves" && return labels
    if act == "prints"
        print("{\"id\": 1, \"ok\": true}\n", "no line break"^100000)
        print(stderr, "to standard error")
    elseif act == "changes its folder"
        cd("/")
    elseif act == "raises an error"
        error(text)
    elseif act == "raises an error of 1 MB"
        error("e"^(1 << 20))
    elseif act == "returns no class"
        return fill("no class", size(x, 1))
    elseif act == "returns a label too few"
        return labels[2:end]
    elseif act == "returns NaN"
        return fill(NaN, size(x, 1), 2)
    elseif act == "ends its process"
        exit(7)
    elseif act == "aborts its process"
        ccall(:abort, Cvoid, ())
    elseif act == "hangs"
        sleep(3600)
    elseif act == "reads its requests"
        readline(stdin)
    else
        error("no such act") # such as warns: this client returns no warnings
    end
    labels
end

Copse.classifier((x, y, params) -> nothing, predict, name = "acts")
