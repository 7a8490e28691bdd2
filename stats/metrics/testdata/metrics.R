# AUC by pROC: the second opinion on metrics.csv, see metrics.py. DeLong's test by pROC, of
# the scores of rows.csv against others that are drawn here.
suppressPackageStartupMessages(library(pROC))
rows <- read.csv("rows.csv")
out <- NULL
for (case in unique(rows$case)) {
  r <- rows[rows$case == case, ]
  p <- do.call(rbind, lapply(strsplit(r$p, " "), as.numeric))
  s <- do.call(rbind, lapply(strsplit(r$score, " "), as.numeric))
  colnames(p) <- seq_len(ncol(p)) - 1
  if (length(unique(r$truth)) < ncol(p)) next
  auc <- if (ncol(p) == 2) auc(r$truth, round(s[, 2] - s[, 1], 10), levels = 0:1, direction = "<") else multiclass.roc(factor(r$truth), p)$auc
  out <- rbind(out, data.frame(case = case, auc = sprintf("%.17g", as.numeric(auc))))
}
write.csv(out, "auc.csv", row.names = FALSE, quote = FALSE)

set.seed(35)
delong <- NULL
for (case in c("two", "sharp")) for (noise in c(0.5, 3)) {
  r <- rows[rows$case == case, ]
  s <- do.call(rbind, lapply(strsplit(r$score, " "), as.numeric))
  first <- round(s[, 2] - s[, 1], 10)
  second <- round(first + rnorm(length(first), sd = noise), 1) # with ties
  curve <- function(score) roc(r$truth, score, levels = 0:1, direction = "<")
  test <- roc.test(curve(first), curve(second), method = "delong", paired = TRUE)
  auc <- as.numeric(test$estimate)
  delong <- rbind(delong, data.frame(case = case, second = paste(second, collapse = " "), auc1 = sprintf("%.17g", auc[1]),
    auc2 = sprintf("%.17g", auc[2]), z = sprintf("%.17g", test$statistic), p = sprintf("%.17g", test$p.value)))
}
write.csv(delong, "delong.csv", row.names = FALSE, quote = FALSE)
