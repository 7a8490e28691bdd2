# Golden values of the sign, permutation, t and Bayesian signed-rank tests, of
# equivalence and of planning.
#   cd stats/testdata && Rscript inference.R
# R 4.2.2, base packages alone. Everything here is written the plain way: all
# 2^n signs as rows of a matrix, all n^2 Walsh averages.
set.seed(14)
num <- function(v) ifelse(is.na(v), "NA", ifelse(is.infinite(v), ifelse(v > 0, "Inf", "-Inf"), sprintf("%.17g", v)))
alternatives <- c("two.sided", "greater", "less")
write <- function(d, file) write.csv(d, file, row.names = FALSE, quote = FALSE)
list_of <- function(v) paste(sprintf("%.4f", v), collapse = " ")

cases <- list(single = 0.25, pair = c(0.5, -0.25), fives = c(0.02, 0.01, -0.01, 0.03, 0.02),
  zeros = c(0, 0, 0.1, -0.2, 0.3, 0), nought = c(0, 0, 0), ties = c(1, 1, 1, -1, 1, 1, 1, -1, 1, 1) / 8,
  ten = round(rnorm(10, 0.02, 0.05), 4), fifteen = round(rnorm(15, -0.01, 0.03), 4),
  skew = round(rexp(12) - 0.8, 4), thirty = round(rnorm(30, 0.01, 0.04), 4), many = round(rnorm(200, 0.004, 0.03), 4))

# Permutation: the sums of all signs.
signs <- function(n) as.matrix(expand.grid(rep(list(c(-1, 1)), n)))
permutation <- function(d, a) {
  s <- round(as.vector(signs(length(d)) %*% d), 9); t <- round(sum(d), 9)
  up <- mean(s >= t); low <- mean(s <= t)
  switch(a, greater = up, less = low, two.sided = min(1, 2 * min(up, low)))
}
corrected <- function(d, share, a) { # Bouckaert and Frank (2004), section 3.2
  J <- length(d); t <- mean(d) / sqrt((1 / J + share) * var(d))
  p <- switch(a, greater = pt(t, J - 1, lower.tail = FALSE), less = pt(t, J - 1), two.sided = 2 * pt(-abs(t), J - 1))
  c(t, p)
}
calibrated <- function(d, df, a) { # Bouckaert (2003), section 4, "use all data"
  df <- min(df, length(d) - 1); t <- mean(d) / (sd(d) / sqrt(df + 1))
  p <- switch(a, greater = pt(t, df, lower.tail = FALSE), less = pt(t, df), two.sided = 2 * pt(-abs(t), df))
  c(t, p)
}
rows <- list()
for (name in names(cases)) for (a in alternatives) {
  d <- cases[[name]]; nz <- d[d != 0]; constant <- length(unique(d)) < 2
  sign <- if (length(nz)) binom.test(sum(nz > 0), length(nz), 0.5, alternative = a)$p.value else 1
  exact <- if (length(d) <= 15) permutation(d, a) else NA
  t0 <- if (constant) NA else t.test(d, alternative = a)
  t1 <- if (constant) c(NA, NA) else corrected(d, 1 / 4, a)
  t2 <- if (constant) c(NA, NA) else calibrated(d, 10, a)
  rows[[length(rows) + 1]] <- data.frame(case = name, alternative = a, d = list_of(d), sign = num(sign), permutation = num(exact),
    t = num(if (constant) NA else t0$statistic), t_p = num(if (constant) NA else t0$p.value), corrected = num(t1[1]), corrected_p = num(t1[2]),
    calibrated = num(t2[1]), calibrated_p = num(t2[2]))
}
write(do.call(rbind, rows), "pairedtests.csv")

# Signed-rank p-values: below 50 differences the distribution of V given the mid-ranks, one
# difference after the other, doubled so that mid-ranks are whole; else wilcox.test.
signed_rank <- function(d, a = "two.sided") {
  d <- d[d != 0]; n <- length(d)
  if (n >= 50) return(suppressWarnings(wilcox.test(d, alternative = a)$p.value))
  r <- 2 * rank(abs(d)); v <- sum(r[d > 0]); p <- c(1, rep(0, sum(r)))
  for (w in r) p <- p / 2 + c(rep(0, w), head(p, -w)) / 2
  up <- sum(p[(v + 1):length(p)]); low <- sum(p[1:(v + 1)])
  switch(a, greater = up, less = low, two.sided = min(1, 2 * min(up, low)))
}

# Two one-sided tests, by R's own one-sided tests about a shifted mean.
rows <- list()
for (name in c("ten", "fifteen", "thirty", "many")) for (margin in c(0.01, 0.02, 0.05)) {
  d <- cases[[name]]
  both <- function(test) max(test(-margin, "greater"), test(margin, "less"))
  rows[[length(rows) + 1]] <- data.frame(case = name, margin = margin, d = list_of(d),
    t = num(both(function(mu, a) t.test(d, mu = mu, alternative = a)$p.value)),
    wilcoxon = num(both(function(mu, a) signed_rank(round(d - mu, 10), a))))
}
write(do.call(rbind, rows), "equivalence.csv")

# Bayesian signed-rank: Dirichlet weights from normed gammas, theta as quadratic
# forms in the n x n indicator matrices of the Walsh averages.
bayes <- function(d, rope, samples) {
  z <- c(0, d); walsh <- round(outer(z, z, "+") / 2, 10)
  above <- (walsh > rope) + 0; below <- (walsh < -rope) + 0
  wins <- c(0, 0, 0); block <- 10000
  for (b in seq_len(samples / block)) {
    g <- matrix(rgamma(block * length(z), rep(c(0.5, rep(1, length(d))), each = block)), block)
    w <- g / rowSums(g)
    up <- rowSums((w %*% above) * w); down <- rowSums((w %*% below) * w)
    theta <- cbind(down, 1 - up - down, up)
    top <- theta >= do.call(pmax, as.data.frame(theta)) - 1e-12
    wins <- wins + colSums(top / rowSums(top))
  }
  wins / samples
}
rows <- list()
for (name in c("pair", "fives", "zeros", "ties", "ten", "fifteen", "skew", "thirty")) for (rope in c(0, 0.01, 0.03)) {
  p <- bayes(cases[[name]], rope, 400000)
  rows[[length(rows) + 1]] <- data.frame(case = name, rope = rope, d = list_of(cases[[name]]), samples = 400000,
    below = num(p[1]), equivalent = num(p[2]), above = num(p[3]))
}
write(do.call(rbind, rows), "bayessigned.csv")

# Pairwise signed-rank tests with Holm over 12 blocks of 5, the last two alike; of
# differences in units of their last digit, which tie where those in floating point do not.
set.seed(12) # three pairs have such ties
blocks <- round(outer(rnorm(12, 0.2, 0.05), c(0, 0.004, 0.03, 0.06, 0.06), "+") + rnorm(60, 0, 0.012), 4)
p <- apply(combn(5, 2), 2, function(k) signed_rank(round(1e4 * (blocks[, k[1]] - blocks[, k[2]]))))
e <- round(blocks, 4)
write(data.frame(first = combn(5, 2)[1, ], second = combn(5, 2)[2, ], p = num(p), holm = num(p.adjust(p, "holm")),
  difference = num(apply(combn(5, 2), 2, function(k) mean(e[, k[1]] - e[, k[2]]))),
  win = apply(combn(5, 2), 2, function(k) sum(e[, k[1]] < e[, k[2]])), tie = apply(combn(5, 2), 2, function(k) sum(e[, k[1]] == e[, k[2]]))), "pairwise.csv")
write(as.data.frame(blocks), "blocks.csv")

rows <- list()
for (n in c(2, 5, 20, 100)) for (level in c(0.5, 0.8, 0.95))
  rows[[length(rows) + 1]] <- data.frame(n = n, level = level, factor = num(sqrt((n - 1) / qchisq(1 - level, n - 1))))
write(do.call(rbind, rows), "sdbound.csv")
