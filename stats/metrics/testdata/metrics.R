# AUC by pROC: the second opinion on metrics.csv, see metrics.py.
suppressPackageStartupMessages(library(pROC))
rows <- read.csv("rows.csv")
out <- NULL
for (case in unique(rows$case)) {
  r <- rows[rows$case == case, ]
  p <- do.call(rbind, lapply(strsplit(r$p, " "), as.numeric))
  s <- do.call(rbind, lapply(strsplit(r$score, " "), as.numeric))
  colnames(p) <- seq_len(ncol(p)) - 1
  if (length(unique(r$truth)) < ncol(p)) next
  auc <- if (ncol(p) == 2) auc(r$truth, s[, 2] - s[, 1], levels = 0:1, direction = "<") else multiclass.roc(factor(r$truth), p)$auc
  out <- rbind(out, data.frame(case = case, auc = sprintf("%.17g", as.numeric(auc))))
}
write.csv(out, "auc.csv", row.names = FALSE, quote = FALSE)
