# Empirical HSIC by the plain formula of dHSIC 2.1 (which Debian does not ship)
# with base R alone. Run: Rscript golden.R > golden.csv
upper_median <- function(v) sort(v)[floor(length(v) / 2) + 1]
bandwidth <- function(x) {
  b <- sqrt(0.5 * upper_median(as.vector(dist(x))^2))
  if (b == 0) 0.001 else b
}
gram <- function(x) exp(-as.matrix(dist(x))^2 / (2 * bandwidth(x)^2))
hsic <- function(x, y) {
  K <- gram(x); L <- gram(y); n <- length(x)
  sum(K * L) / n^2 + sum(K) * sum(L) / n^4 - 2 * sum(rowSums(K) * rowSums(L)) / n^3
}
i <- 1:60
x <- sin(i) + i / 50
columns <- list(x, cos(1.3 * i) + 0.5 * x, x^2, i %% 3, as.numeric(i %% 5 == 0))
cat(sprintf("# %s, golden.R\n", R.version.string))
cat("quantity,a,b,value\n")
for (a in seq_along(columns)) cat(sprintf("bandwidth,%d,,%.16g\n", a, bandwidth(columns[[a]])))
for (a in seq_along(columns)) for (b in a:length(columns))
  cat(sprintf("hsic,%d,%d,%.16g\n", a, b, hsic(columns[[a]], columns[[b]])))
