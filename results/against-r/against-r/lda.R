# Linear discriminant analysis of MASS.
source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R"))
library(MASS)
copse_classifier(
  name = "MASS::lda", classes = 0,
  fit = function(x, y, params) lda(x, y),
  predict = function(model, x) predict(model, x)$class
)
