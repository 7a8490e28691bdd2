# Optimal values of the linear programs of Eban et al. (2014) with GLPK.
# Run here: Rscript golden.R   (R 4.2.2, glpsol of GLPK 5.0, Debian 12)
# Writes, per case, the rows of labelled data (<case>.csv, label last) and
# golden.csv: case, exact = Eq. 13 with one constraint for every (x, y, z),
# relaxed = Theorem 2.3 (Eq. 22) with messages delta, gamma for all y <= z.
# Also, for rows with missing values (incomplete2.csv, incomplete3.csv, -1 =
# missing), the smallest l1 distance of section 8.3: projection.csv.
solve <- function(objective, rows, bounds) {
  lp <- tempfile(fileext = ".lp"); out <- tempfile()
  writeLines(c("Minimize", paste("obj:", objective), "Subject To", rows, "Bounds", bounds, "End"), lp)
  system2("glpsol", c("--lp", lp, "--dual", "-o", out), stdout = FALSE)
  text <- readLines(out)
  stopifnot(any(grepl("^Status: +OPTIMAL", text)))
  as.numeric(sub(".*= *([-0-9.e+]+).*", "\\1", grep("^Objective", text, value = TRUE)))
}
nu <- function(e, a, b, y) sprintf("n_%d_%d_%d_%d", e, a, b, y)
cells <- function(d, K, e) expand.grid(a = 1:d[e[1]], b = 1:d[e[2]], y = 1:K)
free <- function(terms) paste(unique(unlist(regmatches(terms, gregexpr("[ndgst]_[0-9_]+", terms)))), "free")
expectation <- function(x, y, d, K, E) paste(unlist(lapply(seq_along(E), function(e) {
  g <- cells(d, K, E[[e]])
  mu <- mapply(function(a, b, k) mean(x[, E[[e]][1]] == a & x[, E[[e]][2]] == b & y == k), g$a, g$b, g$y)
  sprintf("+ %.17g %s", mu, nu(e, g$a, g$b, g$y))
})), collapse = " ")
exact <- function(x, y, d, K, E) {
  all <- as.matrix(expand.grid(lapply(d, seq_len)))
  cost <- function(v, k) paste(sapply(seq_along(E), function(e)
    paste("+", nu(e, v[E[[e]][1]], v[E[[e]][2]], k))), collapse = " ")
  rows <- unlist(apply(all, 1, function(v) unlist(lapply(1:K, function(y) lapply(y:K, function(z)
    if (y == z) paste(gsub("+ ", "+ 2 ", cost(v, y), fixed = TRUE), ">= 0")
    else paste(cost(v, y), cost(v, z), ">= 2"))))))
  objective <- expectation(x, y, d, K, E)
  solve(objective, rows, free(c(objective, rows)))
}
relaxed <- function(x, y, d, K, E) {
  P <- do.call(rbind, lapply(1:K, function(a) cbind(a, a:K)))
  rows <- c()
  for (e in seq_along(E)) {
    g <- expand.grid(a = 1:d[E[[e]][1]], b = 1:d[E[[e]][2]], p = seq_len(nrow(P)))
    two <- ifelse(P[g$p, 1] == P[g$p, 2], sprintf("+ 2 %s", nu(e, g$a, g$b, P[g$p, 1])),
                  sprintf("+ %s + %s", nu(e, g$a, g$b, P[g$p, 1]), nu(e, g$a, g$b, P[g$p, 2])))
    rows <- c(rows, sprintf("%s - d_%d_1_%d_%d - d_%d_2_%d_%d - g_%d_%d - s_%d >= 0",
                            two, e, g$a, g$p, e, g$b, g$p, e, g$p, e))
  }
  for (i in seq_along(d)) {
    side <- sapply(E, function(e) match(i, e))
    g <- expand.grid(v = 1:d[i], p = seq_len(nrow(P)))
    rows <- c(rows, apply(g, 1, function(r) paste(paste(sprintf("+ d_%d_%d_%d_%d",
      which(!is.na(side)), side[!is.na(side)], r[1], r[2]), collapse = " "), sprintf("- t_%d >= 0", i))))
  }
  rows <- c(rows, sapply(seq_len(nrow(P)), function(p) paste(paste(sprintf("+ g_%d_%d", seq_along(E), p),
    collapse = " "), sprintf("- t_0 >= %d", if (P[p, 1] == P[p, 2]) 0 else 2))))
  rows <- c(rows, paste(paste(sprintf("+ s_%d", seq_along(E)), collapse = " "),
                        paste(sprintf("+ t_%d", 0:length(d)), collapse = " "), ">= 0"))
  objective <- expectation(x, y, d, K, E)
  solve(objective, rows, free(c(objective, rows)))
}
set.seed(1)
draw <- function(n, d, K) {
  y <- sample(K, n, TRUE)
  x <- matrix(0, n, length(d))
  for (i in seq_along(d)) {
    u <- runif(n)
    x[, i] <- ifelse(u < 0.4, (y - 1) %% d[i] + 1,
      ifelse(u < 0.7 & i > 1, (x[, max(i - 1, 1)] + y) %% d[i] + 1, sample(d[i], n, TRUE)))
  }
  list(x = x, y = y)
}
path <- function(d) lapply(seq_len(length(d) - 1), function(i) c(i, i + 1))
star <- function(d) lapply(2:length(d), function(i) c(1, i))
pairs <- function(d) combn(length(d), 2, simplify = FALSE)
cases <- list(
  path2   = list(n = 157, d = c(2, 3, 2, 3, 2), K = 2, E = path),
  star2   = list(n = 149, d = c(3, 2, 2, 4, 2), K = 2, E = star),
  path3   = list(n = 163, d = c(2, 3, 2, 2), K = 3, E = path),
  star4   = list(n = 211, d = c(3, 2, 2, 2), K = 4, E = star),
  forest2 = list(n = 97, d = c(2, 2, 3, 2, 2), K = 2, E = function(d) list(c(1, 2), c(3, 4), c(4, 5))),
  forest3 = list(n = 60, d = c(2, 2, 3, 2), K = 3, E = function(d) list(c(1, 2), c(3, 4))),
  full2   = list(n = 60, d = c(2, 3, 2, 2, 2), K = 2, E = pairs),
  full3   = list(n = 70, d = c(2, 2, 3, 2), K = 3, E = pairs))
golden <- data.frame()
for (name in names(cases)) {
  k <- cases[[name]]
  s <- draw(k$n, k$d, k$K)
  E <- k$E(k$d)
  write.table(cbind(s$x, s$y) - 1, paste0(name, ".csv"), sep = ",", row.names = FALSE, col.names = FALSE)
  golden <- rbind(golden, data.frame(case = name, levels = paste(k$d, collapse = " "), classes = k$K,
    pairs = paste(sapply(E, function(e) paste(e - 1, collapse = "-")), collapse = " "),
    exact = exact(s$x, s$y, k$d, k$K, E), relaxed = relaxed(s$x, s$y, k$d, k$K, E)))
}
write.csv(golden, "golden.csv", row.names = FALSE, quote = FALSE)

# Section 8.3: tables q_ij and q_i from the rows that have the features, scaled
# to mu(y) in each class; the l1 distance to the local polytope.
project <- function(x, y, d, K, E) {
  prior <- tabulate(y, K) / length(y)
  given <- function(name, v, k, hit) {
    rows <- y == k & rowSums(x[, v, drop = FALSE] < 0) == 0
    list(name = name, q = prior[k] * sum(hit & rows) / sum(rows))
  }
  cells <- list(); rows <- c()
  for (k in 1:K) {
    for (i in seq_along(d)) {
      for (a in 1:d[i]) cells <- c(cells, list(given(sprintf("b_%d_%d_%d", i, a, k), i, k, x[, i] == a)))
      rows <- c(rows, paste(paste(sprintf("+ b_%d_%d_%d", i, 1:d[i], k), collapse = " "), sprintf("= %.17g", prior[k])))
    }
    for (e in seq_along(E)) {
      i <- E[[e]][1]; j <- E[[e]][2]
      for (a in 1:d[i]) for (b in 1:d[j])
        cells <- c(cells, list(given(sprintf("m_%d_%d_%d_%d", e, a, b, k), c(i, j), k, x[, i] == a & x[, j] == b)))
      for (a in 1:d[i]) rows <- c(rows, paste(paste(sprintf("+ m_%d_%d_%d_%d", e, a, 1:d[j], k), collapse = " "), sprintf("- b_%d_%d_%d = 0", i, a, k)))
      for (b in 1:d[j]) rows <- c(rows, paste(paste(sprintf("+ m_%d_%d_%d_%d", e, 1:d[i], b, k), collapse = " "), sprintf("- b_%d_%d_%d = 0", j, b, k)))
    }
  }
  far <- sapply(cells, function(c) c(sprintf("%s - r%s <= %.17g", c$name, c$name, c$q), sprintf("%s + r%s >= %.17g", c$name, c$name, c$q)))
  solve(paste(sapply(cells, function(c) paste0("+ r", c$name)), collapse = " "), c(rows, far), "r >= 0")
}
projection <- data.frame()
for (name in c("incomplete2", "incomplete3")) {
  K <- if (name == "incomplete2") 2 else 3
  d <- c(2, 3, 2, 3)
  s <- draw(90, d, K)
  x <- s$x
  x[matrix(runif(length(x)) < 0.25, nrow(x))] <- -1
  write.table(cbind(ifelse(x < 0, -1, x - 1), s$y - 1), paste0(name, ".csv"), sep = ",", row.names = FALSE, col.names = FALSE)
  projection <- rbind(projection, data.frame(case = name, levels = paste(d, collapse = " "), classes = K,
                                             distance = project(x, s$y, d, K, pairs(d))))
}
write.csv(projection, "projection.csv", row.names = FALSE, quote = FALSE)
