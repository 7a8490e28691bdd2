# Naive Bayes with kernel densities whose bandwidths are ks's plug-in ones, hpi
# (Tenzer et al. 2020, section 5). The densities are kernel sums without binning;
# their logarithms do not underflow.
source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R"))
suppressMessages(library(ks))

log_density <- function(at, x, h) {
  k <- -outer(at, x, "-")^2 / (2 * h^2)
  top <- apply(k, 1, max)
  top + log(rowSums(exp(k - top))) - log(length(x) * h * sqrt(2 * pi))
}

copse_classifier(
  name = "naive Bayes, ks::hpi", classes = 0,
  fit = function(x, y, params) {
    rows <- split(seq_along(y), y)
    list(x = lapply(rows, function(r) x[r, , drop = FALSE]), h = lapply(rows, function(r) apply(x[r, , drop = FALSE], 2, hpi)),
         prior = lengths(rows) / length(y), classes = levels(y))
  },
  predict = function(model, x) {
    score <- sapply(seq_along(model$classes), function(c) {
      own <- model$x[[c]]
      log(model$prior[c]) + rowSums(sapply(seq_len(ncol(x)), function(j) log_density(x[, j], own[, j], model$h[[c]][j])))
    })
    model$classes[max.col(matrix(score, nrow(x)), "first")]
  }
)
