# Golden values of the tests on the rows of one test set.
#   cd stats/testdata && Rscript testrows.R
# R 4.2.2, base packages alone: binom.test for McNemar's exact test, the interval of Bonett and Price
# (2012) written out, and the BCa interval of
# Efron and Tibshirani (1993), section 14.3, written out for given resamples.
set.seed(36)
num <- function(v) sprintf("%.17g", v)
write <- function(d, file) write.csv(d, file, row.names = FALSE, quote = FALSE)

rows <- list()
for (first in c(0, 1, 3, 8, 20, 130)) for (second in c(0, 2, 9, 21, 100)) {
  p <- if (first + second) binom.test(first, first + second)$p.value else 1
  # Bonett and Price (2012) add one row to each count of 300 rows. If the exact test disagrees about
  # 0, the interval ends at 0.
  p1 <- (first + 1) / 302
  p2 <- (second + 1) / 302
  interval <- p1 - p2 + c(-1, 1) * qnorm(0.975) * sqrt((p1 + p2 - (p1 - p2)^2) / 302)
  if ((prod(interval) > 0) != (p <= 0.05)) interval[if (first > second) 1 else 2] <- 0
  rows[[length(rows) + 1]] <- data.frame(first, second, p = num(p), low = num(interval[1]), high = num(interval[2]))
}
write(do.call(rbind, rows), "mcnemar.csv")

bca <- function(resampled, estimate, jackknife, level) {
  share <- mean(resampled < estimate) + mean(resampled == estimate) / 2
  z0 <- qnorm(min(max(share, 0.5 / length(resampled)), 1 - 0.5 / length(resampled)))
  d <- mean(jackknife) - jackknife
  a <- if (all(d == 0)) 0 else sum(d^3) / (6 * sum(d^2)^1.5)
  z <- z0 + qnorm(c((1 - level) / 2, (1 + level) / 2))
  quantile(resampled, pnorm(z0 + z / (1 - a * z)), names = FALSE)
}
rows <- list()
for (level in c(0.8, 0.95)) for (case in c("normal", "skewed", "ties", "beyond", "equal")) {
  x <- switch(case, normal = round(rnorm(30), 2), skewed = round(rexp(30), 2), ties = rbinom(30, 3, 0.3),
    beyond = round(rnorm(30), 2), equal = rep(1, 30))
  jackknife <- sapply(seq_along(x), function(i) mean(x[-i]))
  resampled <- replicate(50, mean(sample(x, replace = TRUE)))
  estimate <- mean(x) + (case == "beyond")
  interval <- bca(resampled, estimate, jackknife, level)
  list_of <- function(v) paste(num(v), collapse = " ")
  rows[[length(rows) + 1]] <- data.frame(case, level, estimate = num(estimate), resampled = list_of(sort(resampled)),
    jackknife = list_of(jackknife), low = num(interval[1]), high = num(interval[2]))
}
write(do.call(rbind, rows), "bca.csv")
