# Beta densities on (-2, 2), and mean densities next to the ends.
# Run: Rscript beta.R > beta.csv
cat("# ", R.version.string, ": dbeta(log = TRUE), and (pbeta(u2) - pbeta(u1)) / (2 delta)\n", sep = "")
cat("alpha,beta,x,delta,value\n")
row <- function(a, b, x, delta, v) cat(sprintf("%.17g,%.17g,%.17g,%g,%.17g\n", a, b, x, delta, v))
for (ab in list(c(0.3, 1.7), c(1.9, 0.05), c(1, 1), c(1.5, 1.2))) {
  a <- ab[1]; b <- ab[2]
  for (x in c(-1.99, -0.5, 0, 1.3, 1.999))
    row(a, b, x, 1e-12, dbeta((x + 2) / 4, a, b, log = TRUE) - log(4))
  # delta as large as the distance from the end: the mean over what lies inside
  for (delta in c(1e-3, 0.25)) {
    row(a, b, -2, delta, log(pbeta(delta / 4, a, b) / (2 * delta)))
    row(a, b, 2, delta, log(pbeta(delta / 4, b, a) / (2 * delta)))
    row(a, b, -1.5, delta, log((pbeta((0.5 + delta) / 4, a, b) - pbeta((0.5 - delta) / 4, a, b)) / (2 * delta)))
  }
  row(a, b, 0.5, 10, log(1 / 20))
}
