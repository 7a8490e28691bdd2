# Tail values of the normal and the t distribution, in logarithms.
# qnorm stops above -700, as R before 4.3.0 is inexact far below.
# Run: Rscript margins.R > margins.csv
cat("# ", R.version.string, ": pnorm, qnorm, pt, dt with log.p = TRUE\n", sep = "")
cat("function,argument,df,value\n")
row <- function(f, x, df, v) cat(sprintf("%s,%.17g,%g,%.17g\n", f, x, df, v))
for (z in c(-1000, -100, -40, -30.5, -30, -29.5, -10, -1, 0, 2, 6))
  row("pnorm", z, 0, pnorm(z, log.p = TRUE))
for (p in c(-700, -690, -100, -2, -0.7, -0.1))
  row("qnorm", p, 0, qnorm(p, log.p = TRUE))
for (df in c(1, 3, 5, 30)) for (x in c(-1e6, -50, -3, -0.01, 0, 0.7, 4)) {
  row("pt", x, df, pt(x, df, log.p = TRUE))
  row("dt", x, df, dt(x, df, log = TRUE))
}
