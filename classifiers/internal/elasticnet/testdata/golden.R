# Golden numbers of penalised logistic regression.
# Rscript golden.R   (R 4.2.2, glmnet 4.1-6)
#
# rows.csv: the data and their folds; apart can be told from x1 and x5. golden.csv:
# fit, step of the path (from 1), lambda and, at every seventh step, what the fit
# predicts for rows 1..10: the link of two classes, the links of three less their
# mean; row 0 is the path's last step. Ridge's first step is left out, where glmnet
# puts an infinite penalty. cv.csv: means and standard errors over folds by step,
# and the two choices of lambda.
suppressMessages(library(glmnet))
set.seed(1)
n <- 150; p <- 8
label <- rep(0:2, length.out = n)
z <- matrix(rnorm(n * p), n) %*% chol(0.6^abs(outer(1:p, 1:p, "-")))
x <- round(sweep(z + outer(label, c(1, -0.7, 0.5, 0, 0, 0.3, 0, 0)) + outer(label == 1, c(0, 0, 0, 0.9, 0, 0, -0.8, 0)), 2, 10^c(0, 1, 0, -1, 0, 2, 0, 0), "*"), 3)
colnames(x) <- paste0("x", 1:p)
two <- as.integer(label == 0)
foldid <- sample(rep(1:10, length.out = n))
apart <- as.integer(x[, 1] + x[, 5] > 1)
write.csv(data.frame(x, label, two, apart, foldid), "rows.csv", row.names = FALSE, quote = FALSE)

fits <- list(
  lasso = list(y = two, family = "binomial"),
  ridge = list(y = two, family = "binomial", alpha = 0),
  net = list(y = two, family = "binomial", alpha = 0.4),
  raw = list(y = two, family = "binomial", standardize = FALSE),
  apart = list(y = apart, family = "binomial"),
  lasso3 = list(y = label, family = "multinomial"),
  ridge3 = list(y = label, family = "multinomial", alpha = 0),
  net3 = list(y = label, family = "multinomial", alpha = 0.4)
)
golden <- NULL; cv <- NULL
for (name in names(fits)) {
  fit <- do.call(glmnet, c(list(x = x), fits[[name]], thresh = 1e-15, maxit = 1e7))
  ridge <- identical(fits[[name]]$alpha, 0)
  for (k in setdiff(seq(1, length(fit$lambda), by = 7), if (ridge) 1)) {
    eta <- drop(predict(fit, x[1:10, ], s = fit$lambda[k], type = "link"))
    link <- if (is.matrix(eta)) eta - rowMeans(eta) else cbind(eta, NA, NA)
    golden <- rbind(golden, data.frame(fit = name, step = k, lambda = fit$lambda[k], row = 1:10, link0 = link[, 1], link1 = link[, 2], link2 = link[, 3]))
  }
  golden <- rbind(golden, data.frame(fit = name, step = length(fit$lambda), lambda = min(fit$lambda), row = 0, link0 = NA, link1 = NA, link2 = NA))
  for (measure in c("deviance", "class")) {
    if (!name %in% c("lasso", "ridge", "lasso3")) next
    m <- do.call(cv.glmnet, c(list(x = x), fits[[name]], list(lambda = fit$lambda), foldid = list(foldid), type.measure = measure, thresh = 1e-14, maxit = 1e7))
    cv <- rbind(cv, data.frame(fit = name, measure, step = seq_along(m$lambda), mean = m$cvm, se = m$cvsd, min = match(m$lambda.min, m$lambda), se1 = match(m$lambda.1se, m$lambda)))
  }
}
write.csv(format(golden, digits = 12, trim = TRUE), "golden.csv", row.names = FALSE, quote = FALSE)
write.csv(format(cv, digits = 12, trim = TRUE), "cv.csv", row.names = FALSE, quote = FALSE)
