# Expected numbers of the table in failures_test.go, recomputed from the formula of its
# records: Rscript failing.R > failing.csv (R 4.x, base packages only).
#
# Two cells of 20 replicates. qda fails in all replicates of the second cell, so that it is
# set aside in the row that pools both; nb fails in replicate 5 of the first, one of 20, so
# that this replicate is left out for all.
errors <- function(cell, k) {
  r <- 1:20
  (100 + 200 * cell + r %% 7 + c(0, 5, 5)[k] + (r * k) %% 3) / 1000
}
kept <- setdiff(1:20, 5)
svm <- list(errors(0, 1)[kept], errors(1, 1))
nb <- list(errors(0, 3)[kept], errors(1, 3))
pooled <- function(parts) { # mean over both cells; the error is that of a stratified sample
  all <- unlist(parts)
  n <- lengths(parts)
  mcse <- sqrt(sum(n^2 * sapply(parts, var) / n)) / sum(n)
  c(length(all), 100 * mean(all), 100 * sd(all), 100 * mcse)
}
d <- unlist(nb) - unlist(svm)
# The exact conditional signed-rank test: the distribution of the sum of the ranks of positive
# differences when each sign is a fair coin, given the ranks with their ties.
signed_rank <- function(d) {
  d <- round(d[d != 0], 9)
  twice <- round(2 * rank(abs(d))) # midranks, doubled to be whole
  chance <- 1
  for (r in twice) chance <- c(chance, rep(0, r)) / 2 + c(rep(0, r), chance) / 2
  v <- sum(twice[d > 0])
  min(1, 2 * min(sum(chance[1:(v + 1)]), sum(chance[(v + 1):length(chance)])))
}
cat("classifier,results,mean,sd,mcse,difference,difference_mcse,p_adjusted\n")
line <- function(id, x) cat(id, paste(sprintf("%.12g", x), collapse = ","), sep = ",", fill = FALSE)
line("svm", pooled(svm)); cat(",NA,NA,NA\n")
line("nb", c(pooled(nb), 100 * mean(d), 100 * sd(d) / sqrt(length(d)), signed_rank(d))); cat("\n")
