# Golden values of the tests of package stats.
#   cd stats/testdata && Rscript golden.R
# Needs R and, from CRAN or Debian, exactRankTests, coin and ggplot2. The
# versions used are in golden_versions.txt.
suppressPackageStartupMessages({library(exactRankTests); library(coin); library(ggplot2)})
options(digits = 17, warn = -1)
num <- function(v) ifelse(is.na(v), "NA", ifelse(is.infinite(v), ifelse(v > 0, "Inf", "-Inf"), sprintf("%.17g", v)))
alternatives <- c("two.sided", "greater", "less")
write <- function(d, file) write.csv(d, file, row.names = FALSE, quote = FALSE)

# Paired samples: plain, with ties among |d|, with zeros, with both. Values have
# few digits so that they read back exactly.
set.seed(20201001)
pairs <- list()
for (n in c(5, 6, 10, 25, 49, 50, 100, 1000)) {
  for (kind in c("plain", "ties", "zeros", "both")) {
    repeat {
      y <- round(runif(n), 6)
      d <- round(rnorm(n, 0.02, 0.1), 6)
      if (kind %in% c("ties", "both")) { y <- round(y * 64) / 64; d <- round(d * 32) / 32 }
      if (kind == "ties") d[d == 0] <- 1 / 32
      if (kind %in% c("zeros", "both")) d[seq(1, n, by = 4)] <- 0
      x <- y + d
      x <- as.numeric(sprintf("%.6f", x)); y <- as.numeric(sprintf("%.6f", y))
      e <- x - y
      tied <- anyDuplicated(abs(e[e != 0])) > 0
      if (tied == (kind %in% c("ties", "both"))) break
      if (n == 1000 && kind %in% c("plain", "zeros")) break   # a few accidental ties are welcome
    }
    pairs[[paste(kind, n, sep = "-")]] <- list(x = x, y = y)
  }
}
pairs[["equal-7"]]  <- list(x = c(1, 2, 3, 4, 5, 6, 7) / 8, y = c(0, 1, 2, 3, 4, 5, 6) / 8)   # every d = 1/8
pairs[["onezero-2"]] <- list(x = c(0.5, 0.25), y = c(0.25, 0.25))                             # one pair left
pairs[["single-1"]] <- list(x = 0.5, y = 0.25)
write(do.call(rbind, lapply(names(pairs), function(k) data.frame(case = k,
  x = sprintf("%.6f", pairs[[k]]$x), y = sprintf("%.6f", pairs[[k]]$y)))), "pairs.csv")

rows <- list(); shifts <- list()
for (k in names(pairs)) {
  x <- pairs[[k]]$x; y <- pairs[[k]]$y; d <- x - y; nz <- d[d != 0]
  for (a in alternatives) {
    t <- wilcox.test(x, y, paired = TRUE, alternative = a)
    # exactRankTests wants integer scores; its own mid-ranks are doubled by it. Up to 50 pairs.
    e <- if (length(nz) <= 50 && length(nz) > 1) wilcox.exact(x, y, paired = TRUE, alternative = a, exact = TRUE)$p.value else NA
    cp <- if (length(nz) <= 50 && length(nz) > 1 && length(unique(abs(nz))) > 1)
      as.numeric(pvalue(wilcoxsign_test(x ~ y, distribution = "exact", zero.method = "Wilcoxon", alternative = a))) else NA
    rows[[length(rows) + 1]] <- data.frame(case = k, alternative = a, V = num(t$statistic), P = num(t$p.value), N = length(nz),
      exact = grepl("exact test", t$method), exact_ties = num(e), exact_coin = num(cp))
  }
  # wilcox.test drops differences of 0. All differences are moved by this number, and the results moved back, so
  # that it keeps them.
  by <- if (any(d == 0)) 1024 else 0
  for (level in c(0.95, 0.8)) {
    s <- wilcox.test(d + by, conf.int = TRUE, conf.level = level, tol.root = 1e-13)
    s$estimate <- s$estimate - by
    s$conf.int[1:2] <- s$conf.int[1:2] - by
    exact <- grepl("exact test", s$method)
    n <- length(d)
    # In the exact case R prints the level asked for unless it is far off; the one achieved is
    achieved <- if (exact) 1 - 2 * psignrank(max(qsignrank((1 - level) / 2, n), 1) - 1, n) else attr(s$conf.int, "conf.level")
    shifts[[length(shifts) + 1]] <- data.frame(case = k, level = level, estimate = num(s$estimate), low = num(s$conf.int[1]),
      high = num(s$conf.int[2]), achieved = num(achieved), exact = exact)
  }
}
write(do.call(rbind, rows), "signedrank.csv")
write(do.call(rbind, shifts), "shift.csv")

# Adjusted p-values; family is p.adjust's n.
adjust <- list()
for (f in list(c(.01, .02, .03, .04, .05), c(.5, .001, .2, .001, .04, .9), c(.0071))) for (extra in c(0, 3)) for (m in c("bonferroni", "holm"))
  adjust[[length(adjust) + 1]] <- data.frame(method = m, family = length(f) + extra, p = paste(num(f), collapse = " "),
    adjusted = paste(num(p.adjust(f, m, n = length(f) + extra)), collapse = " "))
write(do.call(rbind, adjust), "adjust.csv")

# Friedman, with and without ties, one block per row.
friedman <- list()
for (case in 1:4) {
  n <- c(6, 12, 30, 5)[case]; k <- c(3, 4, 8, 2)[case]
  m <- matrix(round(runif(n * k), if (case %% 2 == 0) 1 else 5), n, k)
  t <- friedman.test(m)
  friedman[[case]] <- data.frame(n = n, k = k, Q = num(t$statistic), P = num(t$p.value),
    mean_ranks = paste(num(colMeans(t(apply(m, 1, rank)))), collapse = " "), values = paste(num(t(m)), collapse = " "))
}
write(do.call(rbind, friedman), "friedman.csv")

# Studentised range, infinite degrees of freedom. qtukey stops within 1e-4 and
# ptukey within about 1e-7; p is the defining integral instead.
prange <- function(q, k) integrate(function(z) k * dnorm(z) * (pnorm(z) - pnorm(z - q))^(k - 1), -9, 9 + q,
                                   rel.tol = 1e-13, abs.tol = 0, subdivisions = 1000)$value
range <- expand.grid(k = c(2, 3, 4, 5, 8, 12, 20), q = c(0.5, 1, 2, 3, 3.5, 4.5, 6))
range$p <- num(mapply(prange, range$q, range$k)); range$ptukey <- num(ptukey(range$q, range$k, Inf)); range$q95 <- num(qtukey(0.95, range$k, Inf))
write(range, "range.csv")

# Summaries and box plots: quantile type 7, ggplot2's whiskers.
box <- list()
for (case in 1:7) {
  v <- list(c(1), c(1, 2), c(0, 100, 100.5, 101), c(0, 100, 100, 100, 100), round(rnorm(100), 4), round(rt(101, 1.5), 4), c(3, 1, 2, 10, -9, 2.5))[[case]]
  b <- layer_data(ggplot(data.frame(v = v), aes(y = v)) + geom_boxplot())
  box[[case]] <- data.frame(values = paste(num(v), collapse = " "), n = length(v), mean = num(mean(v)), sd = num(sd(v)),
    low = num(b$ymin), q1 = num(b$lower), median = num(b$middle), q3 = num(b$upper), high = num(b$ymax),
    p10 = num(quantile(v, .1, type = 7)), p95 = num(quantile(v, .95, type = 7)),
    outliers = paste(num(sort(b$outliers[[1]])), collapse = " "))
}
write(do.call(rbind, box), "box.csv")

# Welch's test from means and standard deviations: t.test of samples standardised to them.
welch <- list()
for (s in list(c(.154, .0298, 100, .1601, .0331, 100), c(.3, .01, 5, .31, .03, 5), c(.2, .05, 10, .1, .001, 100), c(.1, .02, 2, .1, .03, 3))) {
  make <- function(m, s, n) { v <- seq_len(n)^1.5; m + s * (v - mean(v)) / sd(v) }
  t <- t.test(make(s[1], s[2], s[3]), make(s[4], s[5], s[6]))
  welch[[length(welch) + 1]] <- data.frame(m1 = s[1], s1 = s[2], n1 = s[3], m2 = s[4], s2 = s[5], n2 = s[6],
    t = num(t$statistic), se = num(t$stderr), p = num(t$p.value))
}
write(do.call(rbind, welch), "welch.csv")

# Kendall's tau-b.
kendall <- list()
for (case in 1:6) {
  n <- c(2, 5, 8, 8, 12, 30)[case]
  x <- round(runif(n), if (case %% 2 == 0) 1 else 4); y <- round(x + rnorm(n) / 3, if (case %% 2 == 0) 1 else 4)
  kendall[[case]] <- data.frame(x = paste(num(x), collapse = " "), y = paste(num(y), collapse = " "), tau = num(cor(x, y, method = "kendall")))
}
write(do.call(rbind, kendall), "kendall.csv")

writeLines(c(R.version.string, sapply(c("exactRankTests", "coin", "ggplot2"), function(p) paste(p, packageVersion(p)))), "golden_versions.txt")
