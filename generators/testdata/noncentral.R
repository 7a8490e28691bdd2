# Log densities of the non-central t distribution. dt with ncp takes differences of
# distribution functions, which lose digits in the tails and near 0: here the integral
# of Johnson, Kotz and Balakrishnan (1995) over the chi variable is done by integrate,
# and must agree with dt to 1e-6 where dt is far from 0.
# Run: Rscript noncentral.R > noncentral.csv
cat("# ", R.version.string, ": integrate(), checked against dt(ncp)\n", sep = "")
cat("df,ncp,x,value\n")
for (df in c(1, 3, 5, 7.5)) for (ncp in c(-3, 0, 0.5, 2, 6)) for (x in c(-8, -1, 0.3, 2, 5, 30)) {
  # T = (Z + ncp) / W, W = sqrt(chi2/df): density of T is E[W phi(x W - ncp)]
  f <- function(w) w * dnorm(x * w - ncp) * dchisq(df * w^2, df) * 2 * df * w
  peak <- optimize(function(w) log(f(w)), c(1e-6, 20), maximum = TRUE)$maximum
  v <- integrate(f, 0, peak, rel.tol = 1e-12, abs.tol = 0)$value + integrate(f, peak, peak + 12, rel.tol = 1e-12, abs.tol = 0)$value
  if (v > 1e-3) stopifnot(abs(v / dt(x, df, ncp) - 1) < 1e-6)
  cat(sprintf("%.17g,%.17g,%.17g,%.17g\n", df, ncp, x, log(v)))
}
