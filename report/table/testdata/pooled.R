# Expected numbers of the pooled row in failures_test.go, recomputed from the formula of its
# records: Rscript pooled.R > pooled.csv (R 4.2.2, base packages only).
#
# Nine data sets of five folds each. The row counts each data set once, by the mean over its
# folds, and compares all pairs by the max-type test over the 2^9 signs of the data sets.
errors <- sapply(0:2, function(k) sapply(0:8, function(set) mean(sapply(1:5, function(fold)
  (100 + 31 * set + (fold * (k + 2)) %% 4 + c(0, 3, 25)[k + 1] + (7 * set + 3 * k) %% 11) / 1000))))
statistics <- function(d) abs(colMeans(d)) / sqrt(apply(d, 2, var) / nrow(d))
pairs <- list(c(1, 2), c(1, 3), c(2, 3))
d <- sapply(pairs, function(p) errors[, p[2]] - errors[, p[1]])
residuals <- sweep(d, 2, colMeans(d))
signs <- as.matrix(expand.grid(rep(list(c(1, -1)), 9)))
largest <- apply(signs[-c(1, nrow(signs)), ], 1, function(s) max(statistics(residuals * s)))
# The observed signs, and all of them reversed, count as extreme.
adjusted <- function(t) (2 + sum(largest >= t * (1 - 1e-9))) / nrow(signs)
cat("classifier,results,mean,sd,mcse,difference,difference_mcse,p_adjusted\n")
row <- function(id, values) cat(paste(c(id, sprintf("%.12g", values)), collapse = ","), "\n", sep = "")
for (k in 1:3) {
  e <- 100 * errors[, k]
  own <- c(9, mean(e), sd(e), sd(e) / 3)
  if (k == 1) row("a", c(own, NA, NA, NA)) else {
    x <- 100 * d[, k - 1]
    row(c("", "b", "c")[k], c(own, mean(x), sd(x) / 3, adjusted(statistics(d)[k - 1])))
  }
}
