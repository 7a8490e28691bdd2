# A learner is a mutable object with fields and methods, as an R6 class has.
lrn <- function(.key) {
  if (.key != "classif.lda") stop("Element with key '", .key, "' not found in DictionaryLearner!")
  self <- new.env()
  self$param_set <- new.env()
  self$param_set$values <- list()
  self$predict_types <- c("response", "prob")
  self$predict_type <- "response"
  self$feature_types <- c("logical", "integer", "numeric", "factor", "ordered")
  self$properties <- c("multiclass", "twoclass", "weights")
  self$packages <- c("mlr3", "MASS")
  self$train <- function(task) {
    form <- stats::reformulate(".", task$target)
    self$model <- do.call(MASS::lda, c(list(form, task$backend), self$param_set$values))
    invisible(self)
  }
  self$predict_newdata <- function(newdata) {
    p <- stats::predict(self$model, droplevels(newdata))
    list(response = p$class, prob = if (self$predict_type == "prob") p$posterior)
  }
  self
}

as_task_classif <- function(x, target) list(backend = droplevels(x), target = target)
