# Expected numbers of the tables in testset_test.go, recomputed from the formula of their
# predictions: Rscript testset.R > testset.csv (R 4.2.2, base packages only).
#
# 120 rows of one test set, the class of row i is i mod 2. Of classifier k (a = 0, b, c) fit f is
# wrong where (i (7 + 2k) + 5f + k) mod 23 is small; a score with the sign of the label ranks rows.
i <- 0:119
truth <- i %% 2
wrong <- function(k, f) (i * (7 + 2 * k) + 5 * f + k) %% 23 < c(3, 4, 8)[k + 1]
score <- function(k, f) {
  label <- ifelse(wrong(k, f), 1 - truth, truth)
  (2 * label - 1) * (1 + (13 * i + 5 * k + f) %% 10)
}
row <- function(case, id, values) cat(paste(c(case, id, sprintf("%.12g", values)), collapse = ","), "\n", sep = "")
cat("case,classifier,difference,difference_mcse,p_adjusted,shift_low,shift_high,percentile_low,percentile_high,bca_low,bca_high\n")
level <- 1 - 0.05 / 3 # three pairs
tails <- c((1 - level) / 2, (1 + level) / 2)

# One fit each: the exact McNemar test, and the interval of Bonett and Price (2012), who add one row
# to each count of rows that one fit alone gets wrong. Test and interval agree about 0 here.
mcnemar <- function(k) {
  first <- sum(wrong(k, 1) & !wrong(0, 1)); second <- sum(wrong(0, 1) & !wrong(k, 1))
  p <- binom.test(first, first + second)$p.value
  p1 <- (first + 1) / 122
  p2 <- (second + 1) / 122
  se <- sqrt((p1 + p2 - (p1 - p2)^2) / 122)
  interval <- p1 - p2 + se * qnorm(tails)
  stopifnot((prod(interval) > 0) == (p <= 1 - level))
  100 * c((first - second) / 120, se, min(1, 3 * p) / 100, interval)
}
# Bootstrap of rows of the differences d: 200,000 resamples, percentile and BCa.
set.seed(1)
bootstrap <- function(d) {
  counts <- rmultinom(200000, length(d), rep(1, length(d)))
  means <- colSums(counts * d) / length(d)
  share <- mean(means < mean(d) - 1e-12) + mean(abs(means - mean(d)) <= 1e-12) / 2
  z0 <- qnorm(share)
  left <- (sum(d) - d) / (length(d) - 1)
  a <- sum((mean(left) - left)^3) / (6 * sum((mean(left) - left)^2)^1.5)
  z <- z0 + qnorm(tails)
  100 * c(quantile(means, tails), quantile(means, pnorm(z0 + z / (1 - a * z))))
}
for (k in 1:2) row("error of one fit", c("b", "c")[k], c(mcnemar(k), bootstrap(wrong(k, 1) - wrong(0, 1))))

# Three fits each: the mean over fits of each row.
for (k in 1:2) {
  d <- rowMeans(sapply(1:3, function(f) wrong(k, f) - wrong(0, f)))
  row("error of three fits", c("b", "c")[k], c(100 * mean(d), 100 * sqrt(mean((d - mean(d))^2) / 120), NA, NA, NA, bootstrap(d)))
}

# AUC: placements of each row among those of the other class, by counting pairs; the loss is 1 - AUC.
placements <- function(k, f) {
  s <- score(k, f)
  p <- outer(s[truth == 1], s[truth == 0], function(x, y) (x > y) + (x == y) / 2)
  list(rowMeans(p), colMeans(p))
}
for (fits in list(1, 1:3)) for (k in 1:2) {
  mean_placements <- function(k, side) rowMeans(sapply(fits, function(f) placements(k, f)[[side]]))
  d <- lapply(1:2, function(side) mean_placements(0, side) - mean_placements(k, side))
  difference <- mean(d[[1]]); se <- sqrt(var(d[[1]]) / 60 + var(d[[2]]) / 60)
  p <- 2 * pnorm(-abs(difference / se))
  row(paste("auc of", c("one fit", "three fits")[(length(fits) > 1) + 1]), c("b", "c")[k],
    c(difference, se, min(1, 3 * p), difference + se * qnorm(tails), NA, NA, NA, NA))
}
