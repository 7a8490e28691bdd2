# Runs the reference program of one part of the comparison:
#
#   Rscript reference.R PART WORK ROUND REPEATS
#
# reads the data in WORK/data, repeats the work of the part REPEATS times, appends
# "part,side,round,repeat,cpu,wall,0" to WORK/times.csv, where cpu is the user and
# system time of this process in seconds, and writes its answers to WORK/answers.
# Loading packages and data is not timed.
args <- commandArgs(TRUE)
part <- args[1]; work <- args[2]; round <- as.integer(args[3]); repeats <- as.integer(args[4])

read <- function(name) {
  t <- read.csv(file.path(work, "data", name))
  list(x = as.matrix(t[names(t) != "class"]), y = factor(t$class))
}
answer <- function(value, side) {
  path <- file.path(work, "answers", paste0(part, "-", side, ".csv"))
  write.table(format(value, digits = 17, trim = TRUE), path, sep = ",", quote = FALSE, row.names = FALSE, col.names = FALSE)
}
# measure measures the time of work(repeat) and returns its last value. It runs short
# work several times per measurement.
measure <- function(side, work_, times = 1) {
  for (k in seq_len(repeats)) {
    gc(); start <- proc.time()
    for (i in seq_len(times)) value <- work_(k)
    took <- (proc.time() - start) / times
    cat(sprintf("%s,%s,%d,%d,%.6f,%.6f,0\n", part, side, round, k, sum(took[1:2]), took[3]), file = file.path(work, "times.csv"), append = TRUE)
  }
  value
}
large <- endsWith(part, "-large") # 100,000 rows
train <- read(if (large) "large.csv" else "train.csv"); test <- read(if (large) "large-test.csv" else "test.csv")
both <- rbind(train$x, test$x)
d <- ncol(both)
pairs <- t(combn(d, 2))
rows <- split(seq_along(train$y), train$y) # of each class

parts <- list(
  # Bivariate densities of one pair in 38, in both classes, at all rows, with
  # ks's bandwidth matrices; the table multiplies by 38.
  `slb-plug-in` = function() {
    suppressMessages(library(ks))
    chosen <- pairs[seq(1, nrow(pairs), by = 38), , drop = FALSE]
    p <- measure("ks", function(k) sapply(rows, function(r) apply(chosen, 1, function(j) {
      x <- train$x[r, j]
      kde(x, H = Hpi(x), eval.points = both[, j], binned = FALSE)$estimate
    }), simplify = "array"))
    answer(matrix(p, nrow(both)), "ks")
  },

  # All 420 densities at all rows, product kernels with the normal reference
  # rule, as a user of R would write them without a package.
  `slb-refit` = function() {
    features <- measure("R", function(k) {
      out <- NULL
      for (r in rows) {
        x <- train$x[r, ]
        n <- nrow(x)
        scale <- apply(x, 2, sd)
        kernel <- function(j, h) dnorm(outer(both[, j], x[, j], "-") / h) / h
        single <- sapply(1:d, function(j) rowMeans(kernel(j, scale[j] * (4 / (3 * n))^(1 / 5))))
        rows_ <- lapply(1:d, function(j) kernel(j, scale[j] * n^(-1 / 6)))
        double <- apply(pairs, 1, function(j) rowSums(rows_[[j[1]]] * rows_[[j[2]]]) / n)
        out <- cbind(out, single, double)
      }
      log(pmax(out, 1e-10))
    })
    answer(features, "R")
  },

  svm = function() {
    library(e1071)
    labels <- measure("e1071", function(k) predict(svm(train$x, train$y, cachesize = if (large) 200 else 40), test$x))
    answer(as.character(labels), "e1071")
  },

  `linear-svm` = function() {
    library(e1071)
    a <- read("features-train.csv"); b <- read("features-test.csv")
    labels <- measure("e1071", function(k) predict(svm(a$x, a$y, kernel = "linear", scale = FALSE), b$x))
    answer(as.character(labels), "e1071")
  },

  logistic = function() {
    suppressMessages(library(glmnet))
    a <- read("features-train.csv"); b <- read("features-test.csv")
    labels <- measure("glmnet", function(k) { set.seed(k); predict(cv.glmnet(a$x, a$y, family = "binomial"), b$x, type = "class") })
    answer(as.character(labels), "glmnet")
  },

  `5nn` = function() {
    library(FNN)
    labels <- measure("FNN", function(k) knn(train$x, test$x, train$y, k = 5))
    answer(as.character(labels), "FNN")
  },

  rf = function() {
    suppressMessages({library(randomForest); library(ranger)})
    if (!large) {
      labels <- measure("randomForest", function(k) {
        set.seed(1000 * round + k)
        predict(randomForest(train$x, train$y, ntree = 50), test$x)
      })
      answer(as.character(labels), "randomForest")
    }
    labels <- measure("ranger", function(k) {
      set.seed(1000 * round + k)
      predict(ranger(x = train$x, y = train$y, num.trees = 50, min.node.size = 1, num.threads = 1), test$x, num.threads = 1)$predictions
    })
    answer(as.character(labels), "ranger")
  },

  `qda-large` = function() {
    library(MASS)
    labels <- measure("MASS", function(k) predict(qda(train$x, train$y), test$x)$class)
    answer(as.character(labels), "MASS")
  },

  # ks's binned density of each column in each class, with the same floor as in copse.
  nb = function() {
    suppressMessages(library(ks))
    p <- measure("ks", function(k) sapply(rows, function(r)
      sapply(1:d, function(j) kde(train$x[r, j], eval.points = test$x[, j])$estimate), simplify = "array"))
    score <- sapply(1:2, function(c) rowSums(log(pmax(p[, , c], 1e-10))) + log(length(rows[[c]])))
    answer(levels(train$y)[max.col(score, ties.method = "first")], "ks")
  },

  # The graphical lasso of class 0 at 20 penalties, for 20 and for 100 variables.
  glasso = function() {
    library(glasso)
    wide <- read("wide.csv")
    for (x in list(train$x[rows[[1]], ], wide$x[wide$y == levels(wide$y)[1], ])) {
      s <- cov(x) * (nrow(x) - 1) / nrow(x)
      top <- max(abs(s[upper.tri(s)]))
      lambda <- top * 0.01^((0:19) / 19)
      part <<- sprintf("glasso-%d", ncol(x))
      fits <- measure("glasso", function(k) lapply(lambda, function(l) glasso(s, l)), if (ncol(x) < 50) 10 else 1)
      answer(do.call(rbind, lapply(fits, function(f) f$w)), "glasso")
    }
  }
)
parts$`5nn-large` <- parts$`5nn`
parts$`svm-large` <- parts$svm
parts$`rf-large` <- parts$rf
invisible(parts[[part]]())
