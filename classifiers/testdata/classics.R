# Golden numbers of svm, svm-cv, 5nn, lda and rf.
# Rscript classics.R   (R 4.2.2, e1071 1.7-13, FNN 1.1.3.1, MASS 7.3-58.2, randomForest 4.7-1.1)
suppressMessages({library(e1071); library(FNN); library(MASS); library(randomForest)})
set.seed(1)

# Three classes that overlap, four columns of different scale: 120 training rows,
# 80 test rows. label2 is the two-class problem "class 0 or not".
n <- 200
label <- rep(0:2, length.out = n)
x <- cbind(rnorm(n) + label, 10 * (rnorm(n) + (label == 1)), 5 + rexp(n) * (1 + label), 0.1 * rnorm(n))
x[, 4] <- x[, 4] + 0.05 * x[, 1]
x <- round(x, 4)
train <- 1:120
test <- 121:200
label2 <- as.integer(label == 0)

decide <- function(y, ...) {
  fit <- svm(x[train, ], factor(y[train], levels = unique(y)), tolerance = 1e-6, ...)
  p <- predict(fit, x, decision.values = TRUE)
  list(class = as.integer(as.character(p)), value = attr(p, "decision.values"))
}
two <- decide(label2)
three <- decide(label)
cubic <- decide(label2, kernel = "polynomial", degree = 3, coef0 = 1, cost = 0.5)
plane <- decide(label2, kernel = "linear", scale = FALSE, cost = 0.1)
near <- rep(NA, n)
near[test] <- as.integer(as.character(knn(x[train, ], x[test, ], factor(label2[train]), k = 5)))
discriminant <- predict(lda(x[train, ], label[train]), x)$posterior

out <- data.frame(x, label, svm2 = two$class, value2 = two$value[, 1], svm3 = three$class,
                  value01 = three$value[, 1], value02 = three$value[, 2], value12 = three$value[, 3],
                  cubic = cubic$value[, 1], plane = plane$value[, 1], near, lda = discriminant)
names(out)[1:4] <- paste0("x", 1:4)
write.csv(format(out, digits = 15), "classics.csv", row.names = FALSE, quote = FALSE)

# The test error of a forest of 50 trees, over 400 forests: mean and standard
# deviation, two classes and three.
forest <- function(y) {
  e <- replicate(400, {
    fit <- randomForest(x[train, ], factor(y[train]), ntree = 50)
    mean(predict(fit, x[test, ]) != y[test])
  })
  c(mean = mean(e), sd = sd(e))
}
write.csv(data.frame(classes = 2:3, rbind(forest(label2), forest(label))), "classics-forest.csv", row.names = FALSE, quote = FALSE)
