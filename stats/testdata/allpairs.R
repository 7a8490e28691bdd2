# Golden values of the max-type test over all pairs of classifiers.
#   cd stats/testdata && Rscript allpairs.R
# R 4.2.2, base packages alone. Every sign pattern is a row of a matrix; every pair is
# tested by its own column of differences.
set.seed(35)
num <- function(v) ifelse(is.infinite(v), "Inf", sprintf("%.17g", v))
statistics <- function(d) abs(colMeans(d)) / sqrt(apply(d, 2, var) / nrow(d))
signs_of <- function(n) as.matrix(expand.grid(rep(list(c(1, -1)), n)))

cases <- list(
  normal = round(matrix(rnorm(8 * 3), 8), 3),
  apart = round(sweep(matrix(rnorm(10 * 4, sd = 0.5), 10), 2, c(0, 0.2, 1, 2), "+"), 3),
  ties = matrix(rbinom(9 * 3, 6, 0.3), 9),
  few = round(matrix(rnorm(4 * 3), 4), 3))
level <- 0.9; share <- 0.25; margin <- 1

rows <- list()
for (name in names(cases)) {
  losses <- cases[[name]]; n <- nrow(losses); k <- ncol(losses)
  pairs <- t(combn(k, 2))
  d <- losses[, pairs[, 1]] - losses[, pairs[, 2]]
  residuals <- sweep(d, 2, colMeans(d))
  signs <- signs_of(n)
  # The observed signs, and all of them reversed, count as extreme: rows 1 and 2^n.
  drawn <- apply(signs[-c(1, nrow(signs)), ], 1, function(s) statistics(residuals * s))
  largest <- apply(drawn, 2, max)
  tail_of <- function(all, t) (2 + sum(all >= t * (1 - 1e-9))) / nrow(signs)
  # The interval's half width is the largest t whose p-value exceeds 1 - level.
  candidates <- sort(largest)
  open <- candidates[sapply(candidates, function(t) tail_of(largest, t) > 1 - level)]
  critical <- if (2 / nrow(signs) > 1 - level) Inf else if (length(open)) max(open) else 0
  t <- statistics(d); se <- sqrt(apply(d, 2, var) / n)
  corrected_se <- se * sqrt(1 + n * share)
  tc <- abs(colMeans(d)) / corrected_se; m <- nrow(pairs)
  bonferroni <- qt(1 - (1 - level) / 2 / m, n - 1)
  for (p in seq_len(m)) {
    inside <- margin - abs(mean(d[, p]))
    rows[[length(rows) + 1]] <- data.frame(case = name, k = k, losses = paste(as.vector(base::t(losses)), collapse = " "),
      i = pairs[p, 1] - 1, j = pairs[p, 2] - 1, difference = num(mean(d[, p])), se = num(se[p]),
      p = num(tail_of(drawn[p, ], t[p])), adjusted = num(tail_of(largest, t[p])),
      half = num(critical * se[p]),
      equivalence = num(if (inside > 0) tail_of(largest, inside / se[p]) else 1),
      corrected_p = num(2 * pt(-tc[p], n - 1)), corrected_adjusted = num(min(1, m * 2 * pt(-tc[p], n - 1))),
      corrected_half = num(bonferroni * corrected_se[p]))
  }
}
write.csv(do.call(rbind, rows), "allpairs.csv", row.names = FALSE, quote = FALSE)
