# Scores of slb-, forestdens and tan with product kernels, from plain formulas,
# e1071's svm and KernSmooth's dpik. Run: Rscript pairwise.R > pairwise.csv
suppressPackageStartupMessages({ library(e1071); library(KernSmooth) })

# 60 training rows, 10 test rows, 3 variables; the classes differ in who depends
# on whom.
row <- function(i, class) {
  a <- 2 * sin(3 * i); b <- cos(1.7 * i^2); c <- sin(i^2 + 0.5)
  if (class == 0) c(a, 0.8 * a + b, c) else c(a, b, c - 0.9 * b)
}
train <- t(sapply(1:60, function(i) row(i, i %% 2)))
y <- (1:60) %% 2
test <- t(sapply(101:110, function(i) row(i, i %% 2)))

phi <- function(at, x, h) outer(at, x, function(s, t) dnorm(s, t, h))
floored <- function(p) log(pmax(p, 1e-10))
pairs <- list(c(1, 2), c(1, 3), c(2, 3))
factor1 <- function(n) (4 / (3 * n))^(1 / 5)
factor2 <- function(n) n^(-1 / 6)
mad0 <- function(x) median(abs(x - median(x))) / 0.6745

log1 <- function(at, x, scale, j) floored(rowMeans(phi(at[, j], x[, j], scale(x[, j]) * factor1(nrow(x)))))
log2 <- function(at, x, scale, p) {
  h <- apply(x, 2, scale) * factor2(nrow(x))
  floored(rowMeans(phi(at[, p[1]], x[, p[1]], h[p[1]]) * phi(at[, p[2]], x[, p[2]], h[p[2]])))
}
features <- function(at, scale) do.call(cbind, lapply(0:1, function(c) {
  x <- train[y == c, ]
  cbind(sapply(1:3, function(j) log1(at, x, scale, j)), sapply(pairs, function(p) log2(at, x, scale, p)))
}))

# The sign of e1071's decision value belongs to the label that comes first.
machine <- function(scale, standardised) {
  m <- svm(features(train, scale), factor(y), kernel = "linear", cost = 1, scale = standardised, tolerance = 1e-9)
  v <- attr(predict(m, features(test, scale), decision.values = TRUE), "decision.values")
  if (colnames(v) == "1/0") v[, 1] else -v[, 1]
}

# Kernel mutual information of mpmi's cmi, maximum spanning tree by trying all.
information <- function(x, y) {
  kernel <- function(x) pmax(1 - outer(x, x, "-")^2 / dpik(x, level = 3, kernel = "epanech")^2, 0)
  K <- kernel(x); L <- kernel(y)
  mean(log(rowSums(K * L) / (rowSums(K) * rowSums(L)))) + log(nrow(K))
}
tree_density <- function(c) {
  x <- train[y == c, ]
  mi <- sapply(pairs, function(p) information(x[, p[1]], x[, p[2]]))
  tree <- pairs[-which.min(mi)] # 3 vertices: every two edges are a tree
  marginal <- sapply(1:3, function(j) log1(test, x, sd, j))
  edges <- sapply(tree, function(p) log2(test, x, sd, p) - marginal[, p[1]] - marginal[, p[2]])
  rowSums(marginal) + rowSums(edges)
}

cat(sprintf("# %s, e1071 %s, KernSmooth %s, pairwise.R\n", R.version.string, packageVersion("e1071"), packageVersion("KernSmooth")))
cat("row,slb-,forestdens,tan0,tan1\n")
minus <- machine(sd, TRUE); forest <- machine(mad0, FALSE)
tan0 <- tree_density(0) + log(0.5); tan1 <- tree_density(1) + log(0.5)
for (i in 1:10) cat(sprintf("%d,%.10g,%.10g,%.12g,%.12g\n", i, minus[i], forest[i], tan0[i], tan1[i]))
