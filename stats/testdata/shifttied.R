# Confidence intervals of the Hodges-Lehmann shift with ties or zeros, fewer than 50 pairs.
#   cd stats/testdata && Rscript shifttied.R
# R 4.2.2, base packages alone: ends at the Walsh averages whose ranks are quantiles of the
# signed-rank distribution without ties, of the pairs of pairs.csv that golden.R drew.
num <- function(v) sprintf("%.17g", v)
pairs <- read.csv("pairs.csv")
rows <- list()
for (case in unique(pairs$case)) for (level in c(0.95, 0.8)) {
  p <- pairs[pairs$case == case, ]
  d <- p$x - p$y
  n <- length(d)
  tied <- anyDuplicated(abs(d)) > 0 || any(d == 0)
  if (n >= 50 || !tied || n > 1 && length(unique(d)) == 1) next
  walsh <- outer(d, d, "+") / 2
  walsh <- sort(walsh[upper.tri(walsh, diag = TRUE)])
  q <- max(qsignrank((1 - level) / 2, n), 1)
  rows[[length(rows) + 1]] <- data.frame(case, level, estimate = num(median(walsh)), low = num(walsh[q]),
    high = num(walsh[length(walsh) + 1 - q]), achieved = num(1 - 2 * psignrank(q - 1, n)))
}
write.csv(do.call(rbind, rows), "shifttied.csv", row.names = FALSE, quote = FALSE)
