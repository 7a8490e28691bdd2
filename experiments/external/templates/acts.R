# A method whose second fit misbehaves as stated by the parameter act. It is the conformance
# suite for authors of clients for copse's protocol. Rewrite it with your client, then run:
#
#   copse try acts.R --acts
source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R"))

fits <- 0

# The label depends on the sign of the first column: class 1 if it is positive.
predict_sign <- function(model, x) {
  fits <<- fits + 1
  labels <- as.character((x[, 1] > 0) + 0)
  act <- if (fits == 2) copse$task$params$act else "behaves"
  text <- "a \"quoted\" \\ text,\n\u00fcber two lines"
  switch(act,
    "behaves" = labels,
    "prints" = {
      cat("{\"id\": 1, \"ok\": true}\n", strrep("no line break", 100000), sep = "")
      cat("to standard error", file = stderr())
      labels
    },
    "changes its folder" = { setwd("/"); labels },
    "redirects its output" = { sink(tempfile()); labels },
    "warns" = { warning(text); labels },
    "raises an error" = stop(text),
    "raises an error of 1 MB" = stop(strrep("e", 2^20)),
    "returns no class" = rep("no class", nrow(x)),
    "returns a label too few" = labels[-1],
    "returns NaN" = matrix(NaN, nrow(x), 2),
    "ends its process" = quit(status = 7),
    "aborts its process" = tools::pskill(Sys.getpid(), 9),
    "hangs" = Sys.sleep(3600),
    "reads its requests" = { readLines(file("stdin"), 1); labels },
    stop("no such act"))
}

copse_classifier(function(x, y, params) NULL, predict_sign, name = "acts")
