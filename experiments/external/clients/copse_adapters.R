# The adapters of caret, mlr and mlr3 run a classifier of a package by its name. The argument of the
# script is the package. Given the parameters of a recipe, an adapter returns the arguments of
# copse_classifier. All recipes of a package run in one process.
source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R"))

package <- commandArgs(trailingOnly = TRUE)[1]

need <- function(packages) {
  for (package in packages) {
    if (!requireNamespace(package, quietly = TRUE)) stop("there is no package called '", package, "'", call. = FALSE)
  }
}

# Returns columns in the form that most packages need: with names x1, x2, ..., with NA as the missing value and, with
# indicators, no factors.
columns <- function(x, indicators = FALSE) {
  x <- as.data.frame(x)
  if (indicators) {
    x <- do.call(cbind, lapply(x, function(v) {
      if (is.factor(v)) outer(as.character(v), levels(v), "==") + 0 else v
    }))
    x <- as.data.frame(matrix(x, ncol = ncol(x)))
  }
  names(x) <- paste0("x", seq_along(x))
  x[is.na(x)] <- NA # instead of NaN, which mlr refuses
  x
}

# Returns classes as syntactic names of R, which some packages need for probabilities.
coded <- function(y) factor(paste0("c", as.integer(y)), paste0("c", seq_along(levels(y))))

# Returns a matrix of probabilities, one column per class. Classes without training rows get 0.
shares <- function(p, classes) {
  out <- matrix(0, nrow(p), length(classes))
  known <- match(colnames(p), paste0("c", seq_along(classes)))
  out[, known] <- as.matrix(p)
  out
}

# Returns the class names of predicted codes.
named <- function(codes, classes) classes[match(as.character(codes), paste0("c", seq_along(classes)))]

adapters <- list()

adapters$caret <- function(chosen) {
  info <- caret::getModelInfo(chosen$method, regex = FALSE)[[1]]
  if (is.null(info)) stop("caret has no method '", chosen$method, "'; names(caret::getModelInfo()) lists them", call. = FALSE)
  if (!"Classification" %in% info$type) stop("the method '", chosen$method, "' is not for classification", call. = FALSE)
  need(info$library)
  tuned <- as.character(info$parameters$parameter)
  given <- as.list(chosen$params)
  grid <- given[intersect(names(given), tuned)]
  if (length(grid) > 0 && length(grid) < length(tuned)) {
    stop("params lacks ", paste(setdiff(tuned, names(grid)), collapse = ", "), ": caret needs all of ",
      paste(tuned, collapse = ", "), ", or none of them", call. = FALSE)
  }
  has_shares <- !is.null(info$prob)
  passes_missing <- "Handle Missing Predictor Data" %in% info$tags
  list(
    packages = info$library, classes = if ("Two Class Only" %in% info$tags) 2 else 0, discrete = TRUE,
    missing = passes_missing,
    probabilities = has_shares,
    fit = function(x, y, params) {
      fixed <- length(grid) == length(tuned) && all(lengths(grid) == 1) || identical(tuned, "parameter")
      control <- if (fixed) caret::trainControl(method = "none", classProbs = has_shares)
        else caret::trainControl(method = "cv", number = params$folds, classProbs = has_shares)
      x <- columns(x, TRUE)
      varies <- rep(TRUE, ncol(x))
      if (length(copse$task$levels) > 0) { # an indicator of a level that no training row has is constant
        varies <- vapply(x, function(v) length(unique(v)) > 1, NA)
      }
      arguments <- list(x = x[, varies, drop = FALSE], y = coded(y), method = params$method, trControl = control)
      if (length(grid) > 0) arguments$tuneGrid <- do.call(expand.grid, c(grid, stringsAsFactors = FALSE))
      if (params$method == "gbm") arguments$verbose <- FALSE # it prints every iteration
      list(model = do.call(caret::train, c(arguments, given[setdiff(names(given), tuned)])), varies = varies)
    },
    predict = function(fitted, x) {
      model <- fitted$model
      x <- columns(x, TRUE)[, fitted$varies, drop = FALSE]
      classes <- copse$task$classes
      pass <- if (passes_missing) na.pass else na.fail
      if (has_shares) return(shares(stats::predict(model, x, type = "prob", na.action = pass), classes))
      named(stats::predict(model, x, na.action = pass), classes)
    }
  )
}

adapters$mlr <- function(chosen) {
  suppressPackageStartupMessages(library(mlr))
  configureMlr(show.info = FALSE)
  learner <- makeLearner(chosen$learner, par.vals = as.list(chosen$params))
  has <- function(property) hasLearnerProperties(learner, property)
  if (has("prob")) learner <- setPredictType(learner, "prob")
  list(
    packages = sub("^[!_]", "", learner$package), classes = if (has("multiclass")) 0 else 2,
    discrete = has("factors"), missing = has("missings"),
    probabilities = has("prob"),
    fit = function(x, y, params) {
      train(learner, makeClassifTask("copse", data.frame(columns(x), class = coded(y)), "class"))
    },
    predict = function(model, x) {
      p <- stats::predict(model, newdata = columns(x))
      classes <- copse$task$classes
      if (has("prob")) {
        seen <- p$task.desc$class.levels
        return(shares(as.matrix(getPredictionProbabilities(p, cl = seen)), classes))
      }
      named(p$data$response, classes)
    }
  )
}

adapters$mlr3 <- function(chosen) {
  if (requireNamespace("mlr3learners", quietly = TRUE)) loadNamespace("mlr3learners") # it registers its learners
  learner <- mlr3::lrn(chosen$learner)
  learner$param_set$values <- utils::modifyList(learner$param_set$values, as.list(chosen$params))
  has_shares <- "prob" %in% learner$predict_types
  if (has_shares) learner$predict_type <- "prob"
  need(setdiff(learner$packages, "mlr3"))
  list(
    packages = learner$packages, classes = if ("multiclass" %in% learner$properties) 0 else 2,
    discrete = "factor" %in% learner$feature_types,
    missing = "missings" %in% learner$properties, probabilities = has_shares,
    fit = function(x, y, params) {
      learner$train(mlr3::as_task_classif(data.frame(columns(x), class = coded(y)), target = "class"))
      learner
    },
    predict = function(model, x) {
      p <- model$predict_newdata(columns(x))
      classes <- copse$task$classes
      if (has_shares) shares(p$prob, classes) else named(p$response, classes)
    }
  )
}

# The recipes that this process runs, by their parameters.
recipes <- new.env()

recipe_of <- function(task) {
  key <- copse$json(task$params)
  if (is.null(recipes[[key]])) recipes[[key]] <- adapters[[package]](task$params)
  recipes[[key]]
}

# Returns the description of a recipe that copse records. Its packages do not depend on other recipes.
describe <- function(task) {
  recipe <- recipe_of(task)
  packages <- unique(c(package, recipe$packages))
  environment <- lapply(c(R = "base", setNames(packages, packages)), function(p) as.character(packageVersion(p)))
  can <- list(max_classes = recipe$classes, discrete = recipe$discrete, missing = recipe$missing,
    probabilities = recipe$probabilities)
  list(protocol = "external/1", kind = "classifier", name = package, version = as.character(packageVersion(package)),
    capabilities = can, environment = environment)
}

need(package)
copse$serve("classifier", package, packageVersion(package), list(discrete = TRUE), function(task) {
  if (task$op == "describe") return(list(hello = describe(task)))
  recipe <- recipe_of(task)
  copse$classify(task, recipe$fit, recipe$predict)
})
