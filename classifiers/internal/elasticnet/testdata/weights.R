# Golden links of the lasso with class weights, for rows.csv of golden.R.
# Rscript weights.R   (R 4.2.2, glmnet 4.1-6)
#
# weights.csv: the label, the penalty and the link of rows 1..10: of two classes the link, of
# three the links less their mean. The weights are 3 and 0.5, and 3, 0.5 and 1.
suppressMessages(library(glmnet))
rows <- read.csv("rows.csv")
x <- as.matrix(rows[, paste0("x", 1:8)])
own <- c(3, 0.5, 1)
out <- NULL
for (label in c("two", "label")) {
  y <- rows[[label]]
  family <- if (label == "two") "binomial" else "multinomial"
  fit <- glmnet(x, y, weights = own[y + 1], family = family, thresh = 1e-15, maxit = 1e7)
  for (lambda in fit$lambda[c(10, 30)]) {
    eta <- drop(predict(fit, x[1:10, ], s = lambda, type = "link"))
    link <- if (is.matrix(eta)) eta - rowMeans(eta) else cbind(eta, NA, NA)
    out <- rbind(out, data.frame(label, lambda, row = 1:10, link0 = link[, 1], link1 = link[, 2], link2 = link[, 3]))
  }
}
write.csv(format(out, digits = 12, trim = TRUE), "weights.csv", row.names = FALSE, quote = FALSE)
