# Least squares of y = a0 + a1/(1 + exp(b0 + b1 x)) by R's nls, started at the
# curve that made the data. Run here: Rscript golden.R > golden.csv
# R 4.2.2, Debian 12.
i <- 1:80
cases <- list(
  steep = list(x = 2 * sin(i), a = c(1, 3, 0.5, -4), noise = 0.3),
  gentle = list(x = 2 * sin(i), a = c(-1, 2, 1, 1), noise = 0.1),
  falling = list(x = cos(2.3 * i) + i / 40, a = c(0, -5, -3, 2.5), noise = 0.5),
  weak = list(x = 2 * sin(i), a = c(0, 0.5, -1, 3), noise = 0.15))
cat("case,x,y,squares\n")
for (name in names(cases)) {
  k <- cases[[name]]
  x <- k$x
  y <- k$a[1] + k$a[2] / (1 + exp(k$a[3] + k$a[4] * x)) + k$noise * cos(1.7 * i^1.5)
  fit <- nls(y ~ a0 + a1 / (1 + exp(b0 + b1 * x)), control = nls.control(maxiter = 500, tol = 1e-6),
             start = list(a0 = k$a[1], a1 = k$a[2], b0 = k$a[3], b1 = k$a[4]))
  cat(name, paste(format(x, digits = 17), collapse = " "), paste(format(y, digits = 17), collapse = " "),
      format(deviance(fit), digits = 17), sep = ",")
  cat("\n")
}
