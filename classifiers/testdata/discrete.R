# Posterior probabilities of e1071's naiveBayes on discrete columns.
# Rscript discrete.R   (R 4.2.2, e1071 1.7-13)
suppressMessages(library(e1071))
set.seed(1)

# Three classes of unequal size, columns of 2, 3, 4 and 3 levels that depend on
# them; the last level of d4 has no training row, the second level of d2 none in
# class 2. 60 training rows, 30 test rows.
n <- 90
train <- 1:60
label <- sample(0:2, n, TRUE, c(0.5, 0.3, 0.2))
d1 <- as.integer(runif(n) < 0.2 + 0.3 * label)
d2 <- (label + sample(0:2, n, TRUE, c(0.6, 0.3, 0.1))) %% 3
d3 <- (d2 + sample(0:3, n, TRUE, c(0.4, 0.3, 0.2, 0.1))) %% 4
d4 <- sample(0:1, n, TRUE)
d2[label == 2 & d2 == 1 & 1:n <= 60] <- 2
d4[c(61, 70, 80)] <- 2
x <- data.frame(d1 = factor(d1, 0:1), d2 = factor(d2, 0:2), d3 = factor(d3, 0:3), d4 = factor(d4, 0:2))

posterior <- function(laplace) {
  fit <- naiveBayes(x[train, ], factor(label[train]), laplace = laplace)
  p <- matrix(NA, n, 3)
  p[-train, ] <- predict(fit, x[-train, ], type = "raw", threshold = 1e-10)
  p
}
plain <- posterior(0)
laplace <- posterior(1)
half <- posterior(0.5)
out <- data.frame(d1, d2, d3, d4, label, plain = plain, laplace = laplace, half = half)
write.csv(format(out, digits = 15), "discrete.csv", row.names = FALSE, quote = FALSE)
