# A classifier for copse. In a study:
#
#   - {id: mine, classifier: external, command: [Rscript, --vanilla, method.R], files: [method.R], params: {ridge: 0.01}}
#
# Try it: copse try method.R --param ridge=0.01
source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R")) # copse says where

# library(...) goes here: the versions of loaded packages are recorded.

# Here: linear discriminants, with a ridge on the pooled covariance matrix.
copse_classifier(
  name = "ridge LDA", version = "1",

  # What it can do: classes = 2 for two at most; discrete attributes; missing values.
  classes = 0, discrete = FALSE, missing = FALSE, probabilities = TRUE,

  # x: a matrix, n x d, with column names (a data frame where attributes are
  # discrete). y: a factor. params: the study's, a list. Random numbers are seeded.
  fit = function(x, y, params) {
    ridge <- if (is.null(params$ridge)) 0.01 else params$ridge
    means <- rowsum(x, y) / as.vector(table(y))
    within <- x - means[as.integer(y), , drop = FALSE]
    s <- crossprod(within) / nrow(x)
    s <- s + diag(ridge * mean(diag(s)) + 1e-12, ncol(x))
    weights <- solve(s, t(means))
    list(weights = weights, offset = log(as.vector(table(y)) / length(y)) - colSums(t(means) * weights) / 2)
  },

  # One class name per row of x, or a matrix of probabilities in the order of
  # levels(y).
  predict = function(model, x) {
    score <- sweep(x %*% model$weights, 2, model$offset, "+")
    p <- exp(score - apply(score, 1, max))
    p / rowSums(p)
  }
)
