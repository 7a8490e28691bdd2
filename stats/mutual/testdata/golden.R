# Kernel mutual information by the formula of mpmi 0.43's cmi() (which Debian does
# not ship), with base R and KernSmooth's dpik. Run: Rscript golden.R > golden.csv
suppressPackageStartupMessages(library(KernSmooth))
kernel <- function(x, h) pmax(1 - outer(x, x, "-")^2 / h^2, 0)
information <- function(K, L) mean(log(rowSums(K * L) / (rowSums(K) * rowSums(L)))) + log(nrow(K))
corrected <- function(K, L) {
  n <- nrow(K)
  left <- sapply(1:n, function(k) information(K[-k, -k], L[-k, -k]))
  n * information(K, L) - (n - 1) * mean(left)
}
i <- 1:60
x <- sin(i) + i / 50
columns <- list(x, cos(1.3 * i) + 0.5 * x, x^2, sin(7 * i^2))
h <- sapply(columns, dpik, level = 3, kernel = "epanech")
kernels <- Map(kernel, columns, h)
cat(sprintf("# %s, KernSmooth %s, golden.R\n", R.version.string, packageVersion("KernSmooth")))
cat("quantity,a,b,value\n")
for (a in 1:4) cat(sprintf("bandwidth,%d,,%.16g\n", a, h[a]))
for (a in 1:4) for (b in a:4) {
  cat(sprintf("mi,%d,%d,%.16g\n", a, b, information(kernels[[a]], kernels[[b]])))
  cat(sprintf("bcmi,%d,%d,%.16g\n", a, b, corrected(kernels[[a]], kernels[[b]])))
}
