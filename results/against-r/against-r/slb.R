# SLB (Tenzer et al. 2020, Algorithm 1) as a user of R would write it: pairs are
# ranked by the absolute correlation in their class and a fixed share is dropped;
# the densities are Gaussian product kernels with the normal reference rule, no
# smaller than 1e-10 in units of the standard deviations; e1071's linear machine
# separates their logarithms.
source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R"))
library(e1071)

features <- function(at, model) {
  do.call(cbind, lapply(model$parts, function(part) {
    x <- part$x
    n <- nrow(x)
    kernel <- function(j, h) dnorm(outer(at[, j], x[, j], "-") / h) / h
    single <- sapply(seq_len(ncol(x)), function(j)
      log(pmax(rowMeans(kernel(j, part$scale[j] * (4 / (3 * n))^(1 / 5))), 1e-10 / part$scale[j])))
    used <- unique(as.vector(part$pairs))
    wide <- list()
    for (j in used) wide[[j]] <- kernel(j, part$scale[j] * n^(-1 / 6))
    double <- apply(part$pairs, 1, function(p)
      log(pmax(rowMeans(wide[[p[1]]] * wide[[p[2]]]), 1e-10 / prod(part$scale[p]))))
    cbind(single, matrix(unlist(double), nrow(at)))
  }))
}

copse_classifier(
  name = "SLB on e1071::svm", classes = 2,
  fit = function(x, y, params) {
    pairs <- t(combn(ncol(x), 2))
    rows <- split(seq_along(y), y)
    strength <- sapply(rows, function(r) abs(cor(x[r, ])[pairs]))
    kept <- order(-strength)[seq_len(round((1 - params$drop) * length(strength)))]
    parts <- lapply(seq_along(rows), function(c) {
      own <- x[rows[[c]], , drop = FALSE]
      list(x = own, scale = apply(own, 2, sd), pairs = pairs[kept[ceiling(kept / nrow(pairs)) == c] - (c - 1) * nrow(pairs), , drop = FALSE])
    })
    model <- list(parts = parts)
    model$machine <- svm(features(x, model), y, kernel = "linear")
    model
  },
  predict = function(model, x) predict(model$machine, features(x, model))
)
