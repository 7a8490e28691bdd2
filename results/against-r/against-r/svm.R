# Support vector machine of e1071, its defaults: radial kernel, scaled columns.
source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R"))
library(e1071)
copse_classifier(
  name = "e1071::svm", classes = 0,
  fit = function(x, y, params) svm(x, y),
  predict = function(model, x) predict(model, x)
)
