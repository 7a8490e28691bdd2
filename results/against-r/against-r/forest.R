# Random forest of randomForest.
source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R"))
suppressMessages(library(randomForest))
copse_classifier(
  name = "randomForest", classes = 0,
  fit = function(x, y, params) randomForest(x, y, ntree = params$ntree),
  predict = function(model, x) predict(model, x)
)
