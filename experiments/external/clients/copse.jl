# The client of copse's protocol external/1 for Julia. It needs no packages. copse provides
# it to every method. A method ends with Copse.classifier() or Copse.generator().
module Copse

using Random

task = Dict{String,Any}() # the present request: seed, seed31, params, classes, names, kinds, levels, deadline_s

const tokens = r"\"(?:\\.|[^\"\\])*\"|[\[\]{}:,]|[^\[\]{}:,\"\s]+"

function parse_json(text)
    list, at = [m.match for m in eachmatch(tokens, text)], Ref(0)
    take() = list[at[] += 1]
    function value()
        t = take()
        t == "{" && return members("}", Dict{String,Any}()) do out
            key = unescape_string(chop(take(), head = 1, tail = 1))
            take() # the colon
            out[key] = value()
        end
        t == "[" && return members(out -> push!(out, value()), "]", Any[])
        t[1] == '"' && return unescape_string(chop(t, head = 1, tail = 1))
        t == "true" ? true : t == "false" ? false : t == "null" ? nothing : something(tryparse(Int, t), parse(Float64, t))
    end
    function members(add, last, out)
        list[at[]+1] == last && (take(); return out)
        while true
            add(out)
            take() == last && return out
        end
    end
    value()
end

json(v::Nothing) = "null"
json(v::Bool) = string(v)
json(v::Real) = string(v)
json(v::AbstractString) = "\"" * replace(replace(v, "\\" => "\\\\", "\"" => "\\\""), r"[[:cntrl:]]+" => " ") * "\""
json(v::AbstractVector) = "[" * join(json.(v), ",") * "]"
json(v::AbstractDict) = "{" * join([json(string(k)) * ":" * json(x) for (k, x) in v], ",") * "}"

function read_npy(path)
    open(path) do f
        skip(f, 8)
        header = String(read(f, ltoh(read(f, UInt16))))
        shape = Tuple(parse.(Int, filter(!isempty, strip.(split(match(r"\((.*)\)", header)[1], ",")))))
        ltoh.(read!(f, Array{occursin("<i4", header) ? Int32 : Float64}(undef, shape)))
    end
end

function write_npy(name, a)
    a = eltype(a) <: Integer ? Int32.(a) : Float64.(a)
    shape = ndims(a) == 1 ? "$(length(a))," : join(size(a), ", ")
    header = "{'descr': '$(eltype(a) == Int32 ? "<i4" : "<f8")', 'fortran_order': True, 'shape': ($shape), }"
    header *= " "^(63 - (10 + length(header)) % 64) * "\n"
    open(joinpath(task["out"], name), "w") do f
        write(f, 0x93, "NUMPY", 0x01, 0x00, htol(UInt16(length(header))), header, htol.(a))
    end
    name
end

function say(reply)
    print(stdout, "\n", ENV["COPSE_TOKEN"], " ", json(reply), "\n")
    flush(stdout)
end

function serve(kind, name, version, capabilities, answer)
    say(Dict("protocol" => "external/1", "kind" => kind, "name" => name, "version" => string(version),
        "capabilities" => capabilities, "environment" => Dict("julia" => string(VERSION))))
    for line in eachline(stdin)
        global task = parse_json(line)
        try
            haskey(task, "seed") && Random.seed!(parse(UInt64, task["seed"], base = 16))
            say(merge(Dict("id" => task["id"], "ok" => true), answer(task)))
        catch e
            say(Dict("id" => task["id"], "ok" => false, "error" => sprint(showerror, e)))
        end
    end
end

# fit(x, y, params) returns a model; predict(model, x) returns one class code per
# row, or a matrix of class probabilities, one column per class. x is an n x d matrix, in
# which discrete attributes (see Copse.task["kinds"]) are codes and NaN is a missing value.
# y contains the codes 0, 1, ... of Copse.task["classes"].
function classifier(fit, predict; name, version = "1", classes = 0, discrete = false, missing = false, probabilities = false)
    can = Dict("max_classes" => classes, "discrete" => discrete, "missing" => missing, "probabilities" => probabilities)
    serve("classifier", name, version, can, function (task)
        x, y, new = read_npy(task["train"]), Int.(read_npy(task["labels"])), read_npy(task["test"])
        start = time()
        model = fit(x, y, get(task, "params", Dict{String,Any}()))
        fitted = time()
        p = predict(model, new)
        reply = Dict{String,Any}("fit_s" => fitted - start, "predict_s" => time() - fitted)
        if p isa AbstractMatrix
            reply["probabilities"] = write_npy("probabilities.npy", Float64.(p))
            p = [argmax(row) - 1 for row in eachrow(p)]
        end
        reply["labels"] = write_npy("labels.npy", Int.(p))
        reply
    end)
end

# new(params) draws a problem and returns it as any object. sample(problem, counts)
# returns x (n x d) and y (codes 0, 1, ...). log_density(problem, class, x) returns
# one number per row. describe(problem) returns a Dict with names, levels and classes.
function generator(new, sample; log_density = nothing, describe = nothing, name, version = "1")
    problems = Dict{String,Any}()
    serve("generator", name, version, Dict("density" => log_density !== nothing), function (task)
        key = get(task, "handle", string(task["id"]))
        if task["op"] == "new"
            problem = new(get(task, "params", Dict{String,Any}()))
            told = merge(Dict{String,Any}("handle" => key), describe === nothing ? Dict() : describe(problem))
            problems[key] = problem
            return told
        elseif task["op"] == "sample"
            x, y = sample(problems[key], Int.(task["counts"]))
            return Dict{String,Any}("x" => write_npy("x.npy", Float64.(x)), "y" => write_npy("y.npy", Int.(y)))
        elseif task["op"] == "log_density"
            logs = log_density(problems[key], Int(task["class"]), read_npy(task["x"]))
            return Dict{String,Any}("log_density" => write_npy("log_density.npy", Float64.(vec(logs))))
        end
        delete!(problems, key)
        Dict{String,Any}()
    end)
end

end
