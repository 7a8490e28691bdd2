# A generator for copse. In a study:
#
#   data:
#     generator: {name: external, command: [Rscript, --vanilla, generator.R], files: [generator.R],
#                 classes: 2, density: true, params: {d: 5, shift: 1}}
#
# Test it: copse try generator.R --param d=5 --param shift=1
source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R")) # copse sets COPSE_CLIENT

# Load packages here with library(...). copse records their versions, but not the versions of
# packages that a function loads later.

# This example draws two normal distributions that differ in their means.
copse_generator(
  name = "shifted normals", version = "1",

  # new returns a random problem as any object. params is the list of parameters in the
  # study. copse seeds the random numbers before each call.
  new = function(params) {
    d <- if (is.null(params$d)) 5 else params$d
    shift <- if (is.null(params$shift)) 1 else params$shift
    direction <- rnorm(d)
    list(d = d, mean = shift * direction / sqrt(sum(direction^2)))
  },

  # counts contains the number of rows of each class. x is a matrix; y contains the
  # codes 0, 1, ...
  sample = function(problem, counts) {
    y <- rep(seq_along(counts) - 1, counts)
    x <- matrix(rnorm(length(y) * problem$d), ncol = problem$d) + outer(y, problem$mean)
    list(x = x, y = y)
  },

  # Optional: the log density of class 0 or 1 at each row of x. copse needs it for the
  # oracle, which has the Bayes error.
  log_density = function(problem, class, x) {
    rowSums(dnorm(sweep(x, 2, class * problem$mean), log = TRUE))
  }
)
