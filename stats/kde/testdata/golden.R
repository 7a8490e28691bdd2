# Golden values of bandwidths and densities. Run as: Rscript golden.R
# Writes golden.csv (quantity, sample, value) and faithful.csv, R's own data set.
suppressMessages({library(ks); library(KernSmooth)})

i <- 1:60
x <- sin(i) + i/50
y <- cos(1.3*i) + 0.5*x
samples <- list(sines = cbind(x, y), faithful = as.matrix(faithful))
write.csv(faithful, "faithful.csv", row.names = FALSE)

out <- file("golden.csv", "w")
writeLines(paste0("# ", R.version.string, ", ks ", packageVersion("ks"), ", KernSmooth ", packageVersion("KernSmooth")), out)
put <- function(quantity, sample, value)
  writeLines(sprintf("%s,%s,%.15g", quantity, sample, value), out)

# Probabilists' Hermite polynomials.
He <- function(r, u) switch(r + 1, 1, u, u^2 - 1, u^3 - 3*u, u^4 - 6*u^2 + 3,
  u^5 - 10*u^3 + 15*u, u^6 - 15*u^4 + 45*u^2 - 15,
  u^7 - 21*u^5 + 105*u^3 - 105*u, u^8 - 28*u^6 + 210*u^4 - 420*u^2 + 105)

# KernSmooth::dpik with direct sums in place of its grid, without the maximum.
# (On its grid, rounding of (max-min)/step decides whether the maximum is
# counted; mostly it is not: it is for faithful$waiting.)
# With all, the maximum counts.
directPlugIn <- function(x, level, canonical, all = FALSE) {
  n <- length(x)
  z <- if (all) x else x[x < max(x)]
  s <- min(sd(x), IQR(x)/1.349)
  psi <- function(r, g) {
    d <- outer(z, z, "-")/g
    mean(He(r, d)*dnorm(d))/g^(r + 1)
  }
  if (level == 3) {
    p8 <- psi(8, (2*(sqrt(2)*s)^11/(9*n))^(1/11))
    p6 <- psi(6, (15*sqrt(2/pi)/(p8*n))^(1/9))
  } else p6 <- psi(6, (2*(sqrt(2)*s)^9/(7*n))^(1/9))
  p4 <- psi(4, (-3*sqrt(2/pi)/(p6*n))^(1/7))
  canonical*(p4*n)^(-1/5)
}

# The criterion of ks::Hpi, minimised tightly: ks's own search stops early.
# With derived, its second pilot has the indices of the derivation.
tightHpi <- function(X, derived = FALSE) {
  n <- nrow(X)
  e <- eigen(var(X))
  R <- e$vectors %*% diag(sqrt(e$values)) %*% t(e$vectors)
  Z <- X %*% solve(R)
  psi <- function(a, b, g) {
    d1 <- outer(Z[,1], Z[,1], "-")/g
    d2 <- outer(Z[,2], Z[,2], "-")/g
    sum(He(a, d1)*He(b, d2)*exp(-(d1^2 + d2^2)/2))/(2*pi*n^2*g^(2 + a + b))
  }
  g6 <- (n/8)^(-0.1)
  k <- c(3, 1, 3)/(2*pi)
  v <- c(psi(6,0,g6) + psi(5,1,g6), 2*psi(5,1,g6), psi(5,1,g6) + psi(4,2,g6)) # ks's slipped indices
  if (derived) v <- c(psi(6,0,g6) + psi(4,2,g6), psi(4,2,g6) + psi(2,4,g6), psi(2,4,g6) + psi(0,6,g6))
  b1 <- 12*sum(k*k); b2 <- 4*sum(k*v); b3 <- sum(v*v)
  g4 <- (n*(-b2 + sqrt(b2^2 + 4*b1*b3))/(2*b1))^(-1/8)
  m <- sapply(0:4, function(b) psi(4 - b, b, g4))
  P <- rbind(m[c(1,2,2,3)], m[c(2,3,3,4)], m[c(2,3,3,4)], m[c(3,4,4,5)])
  root <- function(p) matrix(c(p[1], p[2], p[2], p[3]), 2)
  f <- function(p) {
    H <- root(p) %*% root(p)
    1/(4*pi*n*sqrt(det(H))) + 0.25*sum(as.vector(H)*(P %*% as.vector(H)))
  }
  p <- c(n^(-1/6), 0, n^(-1/6))
  for (r in 1:20) {
    p <- optim(p, f, method = "BFGS", control = list(reltol = 1e-16, maxit = 1000))$par
    p <- optim(p, f, control = list(reltol = 1e-16, maxit = 5000))$par
  }
  R %*% root(p) %*% root(p) %*% R
}

for (name in names(samples)) {
  X <- samples[[name]]
  n <- nrow(X)
  for (j in 1:2) {
    z <- X[, j]
    at <- paste0(name, j)
    put("hpi", at, hpi(z))
    put("dpik3 epanechnikov", at, dpik(z, level = 3, kernel = "epanech"))
    put("direct hpi", at, directPlugIn(z, 2, 1/(4*pi)^(1/10)))
    put("direct dpik3 epanechnikov", at, directPlugIn(z, 3, 15^(1/5)))
    put("all hpi", at, directPlugIn(z, 2, 1/(4*pi)^(1/10), all = TRUE))
    put("all dpik3 epanechnikov", at, directPlugIn(z, 3, 15^(1/5), all = TRUE))
    put("normal reference", at, sd(z)*(4/(3*n))^(1/5))
    put("normal reference 2-d", at, sd(z)*n^(-1/6))
    # ksdensity's scale, median(|x - median(x)|)/0.6745
    put("matlab", at, median(abs(z - median(z)))/0.6745*(4/(3*n))^(1/5))
    put("matlab 2-d", at, median(abs(z - median(z)))/0.6745*(1/n)^(1/6))
    h <- hpi(z)
    t <- min(z) + c(-20, -4, -1, 0, 1.3, 2.5)*sd(z)
    f <- kde(z, h = h, eval.points = t, binned = FALSE)$estimate
    for (k in seq_along(t)) {
      put(sprintf("kde %d", k), at, f[k])
      put(sprintf("cdf %d", k), at, mean(pnorm((t[k] - z)/h)))
    }
  }
  H <- Hpi(X)
  for (kind in c("Hpi", "Hpi tight", "Hpi derived")) {
    G <- if (kind == "Hpi") H else tightHpi(X, derived = kind == "Hpi derived")
    put(paste(kind, "xx"), name, G[1, 1])
    put(paste(kind, "xy"), name, G[1, 2])
    put(paste(kind, "yy"), name, G[2, 2])
  }
  for (k in 1:5) {
    t <- colMeans(X) + (k - 2)*c(0.7, -0.4)*apply(X, 2, sd)
    put(sprintf("kde2 %d", k), name, kde(X, H = H, eval.points = t(t), binned = FALSE)$estimate)
  }
}
close(out)
