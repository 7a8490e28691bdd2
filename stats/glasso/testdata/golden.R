# Run in this directory: Rscript golden.R
# R 4.2.2, glasso 1.11, huge 1.3.5 (Debian r-cran-glasso, r-cran-huge).
# data.csv: 40 x 6, x6 nearly independent of the rest; ties in x5.
library(glasso); library(huge)
set.seed(20100801)
n <- 40
z <- matrix(rnorm(n * 6), n)
x <- z
x[, 2] <- 0.8 * x[, 1] + 0.6 * z[, 2]
x[, 3] <- -0.5 * x[, 2] + z[, 3]
x[, 4] <- x[, 1] - x[, 3] + 0.5 * z[, 4]
x[, 5] <- round(x[, 4] + z[, 5], 0)
x[, 6] <- 0.3 * z[, 6]
w <- function(m, f) write.table(format(m, digits = 17, trim = TRUE), f, sep = ",", quote = FALSE,
                                row.names = FALSE, col.names = FALSE)
w(x, "data.csv")
s <- crossprod(scale(x, scale = FALSE)) / n
for (rho in c(0.05, 0.2, 0.6)) for (pen in c(TRUE, FALSE)) {
  g <- glasso(s, rho, thr = 1e-12, maxit = 1e5, penalize.diagonal = pen)
  w(rbind(g$w, (g$wi + t(g$wi)) / 2), sprintf("glasso-%.2f-%s.csv", rho, if (pen) "pen" else "nopen"))
}
w(huge.npn(x, npn.func = "truncation", verbose = FALSE), "npn.csv")
