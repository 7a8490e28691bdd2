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
  for (path in list.files(file.path(x$folder, "tables"), "\\.md$", all.files = TRUE, full.names = TRUE)) {
    cat("\n", paste(readLines(path, warn = FALSE, encoding = "UTF-8"), collapse = "\n"), "\n", sep = "")
  }
  invisible(x)
}

texts <- c("study", "cell", "classifier", "status", "data", "message", "confusion", "tuned", "data_file",
  "truth_class", "label_class")

# Reads a CSV file. The columns named in texts stay texts. Columns of levels become numbers if all levels
# are different numbers. An empty text is a missing value. NA is missing, too, unless it can be a name.
read_frame <- function(path) {
  frame <- read.csv(path, check.names = FALSE, colClasses = "character", na.strings = "", encoding = "UTF-8")
  is_before <- cumsum(names(frame) %in% c("replicate", "classifier")) == 0
  levels <- setdiff(names(frame)[is_before], texts)
  absent <- c(NA, if (!"replicate" %in% names(frame)) "NA") # tables contain NA if a cell lacks a factor
  is_text <- function(name) !are_numbers(setdiff(frame[[name]], absent))
  keep <- c(Filter(is_text, levels), setdiff(texts, c("confusion", "data_file")))
  for (name in setdiff(names(frame), keep)) {
    if (name %in% texts) frame[[name]][frame[[name]] %in% "NA"] <- NA
    else if (all(frame[[name]] %in% c("true", "false", "NA", NA))) frame[[name]] <- as.logical(frame[[name]])
    else frame[[name]] <- type.convert(frame[[name]], as.is = TRUE)
  }
  frame
}

# Reports whether different levels can become different numbers. A level such as 01 or of more than 15 digits
# can be an identifier.
are_numbers <- function(levels) {
  if (!all(grepl("^-?(0|[1-9][0-9]{0,14})(\\.[0-9]+)?([eE][-+]?[0-9]+)?$", levels))) return(FALSE)
  numbers <- as.numeric(levels)
  all(is.finite(numbers)) && !anyDuplicated(numbers)
}

# Reads a CSV file of the folder, which may be compressed.
file_of <- function(results, name) {
  for (path in file.path(results$folder, paste0(name, c("", ".gz")))) {
    if (file.exists(path)) return(path)
  }
  stop(results$folder, " has no ", name, "; copse_report() writes it", call. = FALSE)
}

#' Records: one row per cell, replicate and classifier
#'
#' @param results Results.
#' @return A data frame.
copse_records <- function(results) read_frame(file_of(results, "records.csv"))

#' Labels, scores and probabilities of every test row
#'
#' @param results Results of a study with \code{predictions = "keep"}.
#' @return A data frame. data_file and file_row give the place of a row in the data files; the header is row 1.
copse_predictions <- function(results) {
  path <- tempfile(fileext = ".csv")
  on.exit(unlink(path))
  run_quietly(c("export", shQuote(results$folder), "--predictions", "--out", shQuote(path)))
  read_frame(path)
}

#' Write the report of a results folder
#'
#' \code{copse_run} does this at its end. If it stopped early, this function reports the results so far.
#'
#' @param results Results.
#' @return The results. Their folder then contains the records, tables, figures and report.html.
copse_report <- function(results) {
  run_quietly(c("report", shQuote(results$folder)))
  invisible(results)
}

#' The tables of the report
#'
#' @param results Results.
#' @return A list of data frames, by name.
copse_tables <- function(results) {
  paths <- list.files(file.path(results$folder, "tables"), "\\.csv$", all.files = TRUE, full.names = TRUE)
  setNames(lapply(paths, read_frame), sub("\\.csv$", "", basename(paths)))
}

#' The comparisons of all tables
#'
#' @param results Results.
#' @return A data frame: the row of the table, the classifier that is compared with the one in the
#'   column against, and the columns from test to doubtful. It has no rows if there are no tests. If a factor has
#'   the name of another column, that column is called table.NAME.
copse_tests <- function(results) {
  tables <- Filter(function(table) "classifier" %in% names(table), copse_tables(results))
  factors <- unlist(lapply(tables, function(table) names(table)[is_factor(table)]))
  titled <- function(names) ifelse(names %in% factors, paste0("table.", names), names)
  rows <- lapply(names(tables), function(name) {
    table <- tables[[name]]
    levels <- table[is_factor(table)]
    others <- table[!is_factor(table)]
    names(others) <- sub("^table\\.", "", names(others)) # a table calls a column so if a factor has its name
    if (!"test" %in% names(others)) return(data.frame())
    at <- function(column) match(column, names(others))
    chosen <- others[c(at("classifier"), at("metric"), at("test"):at("doubtful"))]
    names(chosen) <- titled(names(chosen))
    label <- setNames(data.frame(rep(name, nrow(table))), titled("table"))
    cbind(label, levels, chosen)[!is.na(others$test), , drop = FALSE]
  })
  rows <- Filter(function(row) nrow(row) > 0, rows)
  if (length(rows) == 0) return(data.frame())
  columns <- unique(unlist(lapply(rows, names)))
  all <- do.call(rbind, lapply(rows, function(row) {
    row[setdiff(columns, names(row))] <- NA
    row[columns]
  }))
  rownames(all) <- NULL
  all
}

# Reports which columns of a table contain levels of factors: the columns before the classifier.
is_factor <- function(table) cumsum(names(table) == "classifier") == 0
