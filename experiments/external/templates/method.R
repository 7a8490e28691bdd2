# A classifier for copse. In a study:
#
#   - {id: mine, classifier: external, command: [Rscript, --vanilla, method.R], files: [method.R], params: {ridge: 0.01}}
#
# Test it: copse try method.R --param ridge=0.01
source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R")) # copse sets COPSE_CLIENT

# Load packages here with library(...). copse records their versions, but not the versions of
# packages that a function loads later, such as rpart in rpart::rpart().

# This example is linear discriminant analysis with a ridge on the pooled covariance matrix.
copse_classifier(
  name = "ridge LDA", version = "1",

  # State what the method accepts: at most two classes (classes = 2), discrete attributes
  # (discrete = TRUE), missing values (missing = TRUE).
  classes = 0, discrete = FALSE, missing = FALSE, probabilities = TRUE,

  # x is an n x d matrix with column names, or a data frame if there are discrete
  # attributes. y is a factor. params is the list of parameters in the study. copse seeds
  # the random numbers.
  fit = function(x, y, params) {
    ridge <- if (is.null(params$ridge)) 0.01 else params$ridge
    means <- rowsum(x, y) / as.vector(table(y))
    within <- x - means[as.integer(y), , drop = FALSE]
    s <- crossprod(within) / nrow(x)
    s <- s + diag(ridge * mean(diag(s)) + 1e-12, ncol(x))
    weights <- solve(s, t(means))
    list(weights = weights, offset = log(as.vector(table(y)) / length(y)) - colSums(t(means) * weights) / 2)
  },

  # predict returns one class name per row of x, or a matrix of probabilities with one
  # column per class. copse finds the columns by name if the names are the classes. All
  # other columns must be in the order of levels(y).
  predict = function(model, x) {
    score <- sweep(x %*% model$weights, 2, model$offset, "+")
    p <- exp(score - apply(score, 1, max))
    p / rowSums(p)
  }
)
