# Scores of nb and lu from plain formulas, ks's bandwidths and e1071's svm.
# Run: Rscript univariate.R > univariate.csv
suppressPackageStartupMessages({ library(e1071); library(ks) })

# Rows of pairwise.R, without every fourth: 15 of class 0, 30 of class 1.
row <- function(i, class) {
  a <- 2 * sin(3 * i); b <- cos(1.7 * i^2); c <- sin(i^2 + 0.5)
  if (class == 0) c(a, 0.8 * a + b, c) else c(a, b, c - 0.9 * b)
}
kept <- setdiff(1:60, 4 * (1:15))
train <- t(sapply(kept, function(i) row(i, i %% 2)))
y <- kept %% 2
test <- t(sapply(101:110, function(i) row(i, i %% 2)))

reference <- function(x) sd(x) * (4 / (3 * length(x)))^(1 / 5)
logdensity <- function(at, x, h) log(pmax(rowMeans(outer(at, x, function(s, t) dnorm(s, t, h))), 1e-10))
features <- function(at, rule) do.call(cbind, lapply(0:1, function(c)
  sapply(1:3, function(j) { x <- train[y == c, j]; logdensity(at[, j], x, rule(x)) })))
bayes <- function(rule) {
  f <- features(test, rule)
  cbind(rowSums(f[, 1:3]) + log(mean(y == 0)), rowSums(f[, 4:6]) + log(mean(y == 1)))
}
m <- svm(features(train, reference), factor(y), kernel = "linear", cost = 1, scale = TRUE, tolerance = 1e-9)
v <- attr(predict(m, features(test, reference), decision.values = TRUE), "decision.values")
lu <- if (colnames(v) == "1/0") v[, 1] else -v[, 1]
nb <- bayes(reference); nbks <- bayes(hpi)

cat(sprintf("# %s, e1071 %s, ks %s, univariate.R\n", R.version.string, packageVersion("e1071"), packageVersion("ks")))
cat("row,lu,nb0,nb1,nbks0,nbks1\n")
for (i in 1:10) cat(sprintf("%d,%.10g,%.12g,%.12g,%.8g,%.8g\n", i, lu[i], nb[i, 1], nb[i, 2], nbks[i, 1], nbks[i, 2]))
