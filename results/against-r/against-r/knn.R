# Nearest neighbours of FNN.
source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R"))
library(FNN)
copse_classifier(
  name = "FNN::knn", classes = 0,
  fit_predict = function(x, y, new, params) knn(x, new, y, k = params$k)
)
