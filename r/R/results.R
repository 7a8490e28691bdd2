#' Results of a study
#'
#' @param folder A results folder.
#' @return The results, which copse_records() and the other functions read.
copse_results <- function(folder) {
  if (!file.exists(file.path(folder, "study.yaml"))) {
    stop(folder, " is not a results folder, because it contains no study.yaml", call. = FALSE)
  }
  structure(list(folder = folder), class = "copse_results")
}

print.copse_results <- function(x, ...) {
  cat("copse results in ", x$folder, "\n", sep = "")
  for (path in list.files(file.path(x$folder, "tables"), "\\.md$", full.names = TRUE)) {
    cat("\n", paste(readLines(path, warn = FALSE, encoding = "UTF-8"), collapse = "\n"), "\n", sep = "")
  }
  invisible(x)
}

texts <- c("study", "cell", "classifier", "status", "data", "message", "confusion", "tuned", "test")

# Reads a CSV file. The columns named in texts stay texts; an empty text is a missing value.
read_frame <- function(path) {
  head <- names(read.csv(path, nrows = 1, check.names = FALSE, colClasses = "character"))
  classes <- ifelse(head %in% texts, "character", NA)
  frame <- read.csv(path, check.names = FALSE, colClasses = classes, na.strings = c("NA", ""), encoding = "UTF-8")
  truth <- vapply(frame, function(v) is.character(v) && all(v %in% c("true", "false", NA)) && any(!is.na(v)), NA)
  frame[truth] <- lapply(frame[truth], function(v) v == "true")
  frame
}

# Reads a CSV file of the folder, which may be compressed.
file_of <- function(results, name) {
  for (path in file.path(results$folder, paste0(name, c("", ".gz")))) {
    if (file.exists(path)) return(path)
  }
  stop(results$folder, " has no ", name, "; copse report ", results$folder, " collects it", call. = FALSE)
}

#' Records: one row per cell, replicate and classifier
#'
#' @param results Results.
#' @return A data frame.
copse_records <- function(results) read_frame(file_of(results, "records.csv"))

#' Labels, scores and probabilities of every test row
#'
#' @param results Results of a study with \code{predictions = "keep"}.
#' @return A data frame.
copse_predictions <- function(results) {
  path <- tempfile(fileext = ".csv")
  errors <- tempfile()
  on.exit(unlink(c(path, errors)))
  arguments <- c("export", shQuote(results$folder), "--predictions", "--out", shQuote(path))
  if (system2(copse_binary(), arguments, stdout = FALSE, stderr = errors) != 0) {
    raise(list(), 1, paste(readLines(errors, warn = FALSE), collapse = "\n"))
  }
  read_frame(path)
}

#' The tables of the report
#'
#' @param results Results.
#' @return A list of data frames, by name.
copse_tables <- function(results) {
  paths <- list.files(file.path(results$folder, "tables"), "\\.csv$", full.names = TRUE)
  setNames(lapply(paths, read_frame), sub("\\.csv$", "", basename(paths)))
}

#' The comparisons of all tables
#'
#' @param results Results.
#' @return A data frame with the rows of the tables that have a test.
copse_tests <- function(results) {
  tables <- Filter(function(table) "test" %in% names(table), copse_tables(results))
  rows <- lapply(names(tables), function(name) {
    table <- tables[[name]]
    table <- table[!is.na(table$test), , drop = FALSE]
    cbind(table = rep(name, nrow(table)), table)
  })
  columns <- unique(unlist(lapply(rows, names)))
  do.call(rbind, lapply(rows, function(row) {
    row[setdiff(columns, names(row))] <- if (nrow(row) > 0) NA else logical()
    row[columns]
  }))
}
