# Rank correlations of R's cor(). Run here: Rscript golden.R > golden.csv
# R 4.2.2, Debian 12.
i <- 1:60
x <- sin(i) + i / 50
y <- cos(1.3 * i) + 0.5 * x
cases <- list(
  smooth = list(x, y),
  reversed = list(x, -y),
  ties = list(round(2 * x), round(3 * y)),
  binary = list(as.numeric(x > 0.5), round(y)),
  equal = list(x, x),
  opposed = list(x, -exp(x)),
  three = list(c(1, 2, 3), c(2, 2, 1)))
cat("case,x,y,spearman,kendall\n")
for (name in names(cases)) {
  a <- cases[[name]][[1]]; b <- cases[[name]][[2]]
  cat(name, paste(format(a, digits = 17), collapse = " "), paste(format(b, digits = 17), collapse = " "),
      format(cor(a, b, method = "spearman"), digits = 17), format(cor(a, b, method = "kendall"), digits = 17), sep = ",")
  cat("\n")
}
