# The client of copse's protocol external/1 for R. It needs only base R. copse provides it
# to every method. A method ends with copse_classifier() or copse_generator().

copse <- new.env()
copse$task <- NULL # the current request: seed, seed31, params, classes, kinds, levels, deadline_s

copse$parse <- function(text) { # JSON; an array of scalars becomes a vector
  token <- regmatches(text, gregexpr('"(\\\\.|[^"\\\\])*"|[][{}:,]|[^][{}:,"[:space:]]+', text, perl = TRUE))[[1]]
  at <- 0
  take <- function() token[at <<- at + 1]
  value <- function() {
    t <- take()
    if (t == "{" || t == "[") {
      out <- list()
      if (token[at + 1] %in% c("}", "]")) { take(); return(out) }
      repeat {
        if (t == "[") out[length(out) + 1] <- list(value())
        else { key <- parse(text = take())[[1]]; take(); out[key] <- list(value()) }
        if (take() != ",") break
      }
      scalar <- vapply(out, function(v) is.atomic(v) && length(v) == 1, NA)
      return(if (t == "[" && all(scalar)) unlist(out) else out)
    }
    if (startsWith(t, '"')) return(parse(text = t, keep.source = FALSE)[[1]])
    switch(t, true = TRUE, false = FALSE, null = NULL, as.numeric(t))
  }
  value()
}

copse$json <- function(v) {
  if (is.null(v)) return("null")
  if (is.list(v) || length(v) != 1 || !is.null(names(v))) {
    item <- vapply(v, copse$json, "")
    if (is.null(names(v))) return(paste0("[", paste(item, collapse = ","), "]"))
    return(paste0("{", paste0(vapply(names(v), copse$json, ""), ":", item, collapse = ","), "}"))
  }
  if (is.logical(v)) return(if (v) "true" else "false")
  if (is.numeric(v)) return(sprintf("%.17g", v))
  if (Encoding(v) == "unknown" && validUTF8(v)) Encoding(v) <- "UTF-8" # enc2utf8 would escape it in the locale C
  paste0('"', gsub("[[:cntrl:]]+", " ", gsub('(["\\\\])', "\\\\\\1", enc2utf8(v))), '"')
}

copse$read <- function(path) { # a .npy file
  f <- file(path, "rb"); on.exit(close(f))
  readBin(f, "raw", 8)
  header <- rawToChar(readBin(f, "raw", readBin(f, "integer", 1, 2, FALSE, "little")))
  shape <- as.integer(strsplit(sub(".*\\((.*)\\).*", "\\1", header), ", *")[[1]])
  if (grepl("<i4", header)) return(readBin(f, "integer", shape, 4, TRUE, "little"))
  matrix(readBin(f, "double", prod(shape), 8, TRUE, "little"), shape[1], shape[2])
}

copse$write <- function(name, a) { # into the request's folder; returns the name
  shape <- if (is.null(dim(a))) paste0(length(a), ",") else paste(dim(a), collapse = ", ")
  header <- sprintf("{'descr': '%s', 'fortran_order': True, 'shape': (%s), }", if (is.integer(a)) "<i4" else "<f8", shape)
  header <- paste0(header, strrep(" ", 63 - (10 + nchar(header)) %% 64), "\n")
  f <- file(file.path(copse$task$out, name), "wb"); on.exit(close(f))
  writeBin(c(as.raw(0x93), charToRaw("NUMPY"), as.raw(c(1, 0, nchar(header), 0)), charToRaw(header)), f)
  writeBin(as.vector(a), f, if (is.integer(a)) 4 else 8, "little")
  name
}

copse$say <- function(...) {
  while (sink.number() > 0) sink() # the method may have left its output redirected
  writeLines(paste0("\n", Sys.getenv("COPSE_TOKEN"), " ", copse$json(list(...))), useBytes = TRUE)
  flush(stdout())
}

copse$serve <- function(kind, name, version, capabilities, answer) {
  loaded <- Filter(function(p) !identical(packageDescription(p)$Priority, "base"), loadedNamespaces())
  versions <- lapply(c(R = "base", setNames(loaded, loaded)), function(p) as.character(packageVersion(p)))
  copse$say(protocol = "external/1", kind = kind, name = name, version = as.character(version), capabilities = capabilities, environment = versions)
  input <- file("stdin", "r")
  while (length(line <- readLines(input, 1)) > 0) {
    copse$task <- copse$parse(line)
    warned <- character()
    calls <- ""
    tryCatch(withCallingHandlers({
      if (!is.null(copse$task$seed)) set.seed(copse$task$seed31)
      reply <- answer(copse$task)
      do.call(copse$say, c(list(id = copse$task$id, ok = TRUE, warnings = as.list(unique(warned))), reply))
    }, warning = function(w) { warned <<- c(warned, conditionMessage(w)); invokeRestart("muffleWarning") },
    error = function(e) calls <<- copse$calls(sys.calls())),
    error = function(e) copse$say(id = copse$task$id, ok = FALSE, error = conditionMessage(e),
      traceback = calls))
  }
}

# Returns the calls from answer() to an error as one text, without the calls that R adds for its handler.
copse$calls <- function(calls) {
  calls <- vapply(calls, function(call) deparse(call, nlines = 1)[1], "")
  calls <- calls[cumsum(calls == "answer(copse$task)") > 0][-1]
  paste(calls[!grepl("^(\\.handleSimpleError|h\\(simpleError|\\(function) ?\\(", calls)], collapse = " -> ")
}

# Returns rows as a matrix with column names or, if there are discrete attributes, as a
# data frame in which these are factors.
copse$rows <- function(path) {
  x <- copse$read(path)
  colnames(x) <- copse$task$names
  if (length(copse$task$levels) == 0) return(x)
  x <- as.data.frame(x, optional = TRUE)
  for (j in names(copse$task$levels)) x[[j]] <- factor(copse$task$levels[[j]][x[[j]] + 1], copse$task$levels[[j]])
  x
}

# fit(x, y, params) returns a model; predict(model, x) returns one class name per
# row (a factor or a vector), or a matrix or data frame of class probabilities, one
# column per class. Columns without the names of the classes must have the order of
# levels(y). fit_predict(x, y, new, params) does both.
# classes is the largest number of classes; 0 means any number.
copse_classifier <- function(fit, predict, fit_predict = NULL, name, version = "1",
                             classes = 0, discrete = FALSE, missing = FALSE, probabilities = FALSE) {
  if (!is.null(fit_predict)) { # the work is done in predict, where the new rows are known
    fit <- function(x, y, params) list(x, y, params)
    predict <- function(model, new) fit_predict(model[[1]], model[[2]], new, model[[3]])
  }
  can <- list(max_classes = classes, discrete = discrete, missing = missing, probabilities = probabilities)
  copse$serve("classifier", name, version, can, function(task) copse$classify(task, fit, predict))
}

copse$classify <- function(task, fit, predict) { # answers one request
  x <- copse$rows(task$train)
  y <- factor(task$classes[copse$read(task$labels) + 1], task$classes)
  new <- copse$rows(task$test)
  start <- Sys.time()
  model <- fit(x, y, task$params)
  fitted <- Sys.time()
  p <- predict(model, new)
  seconds <- function(from, to) as.numeric(difftime(to, from, units = "secs"))
  reply <- list(fit_s = seconds(start, fitted), predict_s = seconds(fitted, Sys.time()))
  if (is.matrix(p) || is.data.frame(p)) {
    p <- copse$ordered(as.matrix(p), task$classes)
    if (anyNA(p)) stop("predict returned missing probabilities (NA)")
    reply$probabilities <- copse$write("probabilities.npy", p + 0)
    p <- task$classes[max.col(p, "first")]
  }
  if (is.list(p)) stop("predict returned a list (", toString(names(p)), "); return class names or a matrix of probabilities")
  labels <- match(as.character(p), task$classes) - 1L
  if (anyNA(labels)) stop("predict returned something that is no class: ", format(p[is.na(labels)][1]))
  reply$labels <- copse$write("labels.npy", labels)
  reply
}

# Returns probabilities with the columns in the order of the classes. data.frame() turns a
# class such as 0 into the column X0. Columns with other names must have the right order. So must the
# columns 1, 2, ..., which may be the codes of the factor y, unless these are the names of the classes.
copse$ordered <- function(p, classes) {
  if (!is.numeric(p)) stop("predict returned probabilities that are not numbers")
  changed <- make.names(classes)
  wanted <- if (all(classes %in% colnames(p)) || !all(changed %in% colnames(p))) classes else changed
  codes <- make.names(seq_along(classes))
  are_codes <- identical(make.names(colnames(p)), codes) && !setequal(changed, codes)
  if (are_codes || !any(colnames(p) %in% c(classes, changed))) return(p)
  at <- match(wanted, colnames(p))
  if (ncol(p) != length(classes) || anyNA(at) || anyDuplicated(at)) {
    stop("predict returned probabilities of ", paste(colnames(p), collapse = ", "), "; the classes are ",
      paste(classes, collapse = ", "))
  }
  p[, at, drop = FALSE]
}

copse$codes <- function(y) { # the class codes of sample as integers
  codes <- suppressWarnings(as.integer(y))
  wrong <- is.na(codes) | is.factor(y) | codes != y
  if (any(wrong)) stop("sample returned something that is no class code: ", format(y[wrong][1]))
  codes
}

# new(params) draws a problem and returns it as any object. sample(problem, counts)
# returns list(x = matrix, y = codes 0, 1, ...). log_density(problem, class, x)
# returns one number per row. describe(problem) may return a list with names (of
# the columns), levels (of discrete columns), classes and description.
copse_generator <- function(new, sample, log_density = NULL, describe = NULL, name, version = "1") {
  problems <- list()
  copse$serve("generator", name, version, list(density = !is.null(log_density)), function(task) {
    key <- task$handle
    switch(task$op,
      new = {
        key <- format(task$id)
        problem <- new(task$params)
        told <- if (is.null(describe)) list() else describe(problem)
        problems[[key]] <<- list(problem)
        told$levels <- lapply(told$levels, as.list)
        for (k in intersect(names(told), c("names", "classes"))) told[[k]] <- as.list(told[[k]])
        c(list(handle = key), told[lengths(told) > 0])
      },
      sample = {
        drawn <- sample(problems[[key]][[1]], task$counts)
        list(x = copse$write("x.npy", as.matrix(drawn$x) + 0), y = copse$write("y.npy", copse$codes(drawn$y)))
      },
      log_density = list(log_density = copse$write("log_density.npy", as.vector(log_density(problems[[key]][[1]], task$class, copse$read(task$x))) + 0)),
      drop = { problems[[key]] <<- NULL; list() })
  })
}
