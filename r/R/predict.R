#' Predict new rows
#'
#' Fits a classifier of copse to training rows and predicts the classes of new rows, with the command
#' \code{copse classify}. Columns that are factors, characters or logicals are discrete; other columns are numeric.
#' NA is a missing value.
#'
#' @param name A classifier (\code{copse list classifiers}).
#' @param x Training rows: a data frame, or a matrix of numbers.
#' @param y Class of each training row: a vector or factor.
#' @param newdata New rows with the same columns as \code{x}.
#' @param type The result: the predicted classes, the probabilities of all classes, or their scores.
#' @param seed Seed for the random numbers of the classifier.
#' @param ... Keys of the classifier in a study except \code{tune}, such as \code{probabilities = "platt"}.
#' @return For classes, a factor. Otherwise, a matrix with a row for each new row and a column for each class.
#'   Each warning of the fit becomes a warning in R.
#' @examples
#' \dontrun{
#' copse_predict("rf", iris[-5], iris$Species, iris[c(1, 51, 101), -5])
#' }
copse_predict <- function(name, x, y, newdata, type = c("class", "probabilities", "scores"), seed = 1, ...) {
  type <- match.arg(type)
  keys <- list(...)
  check_names(keys, "every key of the classifier must have a name")
  x <- predictors(x)
  newdata <- predictors(newdata)
  y <- droplevels(as.factor(y))
  if (length(y) != nrow(x) || anyNA(y)) stop("y must have a class for each of the ", nrow(x), " rows of x", call. = FALSE)
  check_texts("y", levels(y))
  check_new_rows(x, newdata)
  folder <- tempfile("copse-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  paths <- file.path(folder, c("train.csv", "test.csv", "predictions.csv", "messages", "train.schema.json", "test.schema.json"))
  label <- make.unique(c(names(x), "class"))[ncol(x) + 1]
  write_rows(paths[1], cbind(x, setNames(list(as.character(y)), label)))
  write_rows(paths[2], newdata)
  kinds <- c(ifelse(vapply(x, is.character, NA), "string", "number"), "string")
  schema <- list(fields = data.frame(name = c(names(x), label), type = kinds), missingValues = I(""), class = label)
  for (path in paths[5:6]) writeLines(jsonlite::toJSON(schema, auto_unbox = TRUE), path, useBytes = TRUE)
  words <- c("classify", "--classifier", name, "--train", paths[1], "--test", paths[2],
    "--seed", format(seed, scientific = FALSE), if (type != "class") paste0("--", type))
  for (key in names(keys)) words <- c(words, "--param", paste0(key, "=", flow(keys[[key]])))
  status <- system2(copse_binary(), shQuote(words), stdout = paths[3], stderr = paths[4])
  messages <- readLines(paths[4], warn = FALSE, encoding = "UTF-8")
  if (status != 0) raise(list(), status, paste(messages, collapse = "\n"))
  for (message in messages) warning(sub("^warning: ", "", message), call. = FALSE)
  read <- read.csv(paths[3], check.names = FALSE, colClasses = "character", na.strings = NULL,
    encoding = "UTF-8")
  if (type == "class") return(factor(read$prediction, levels(y)))
  prefix <- c(probabilities = "p_", scores = "score_")[[type]]
  matrix(as.numeric(unlist(read[paste0(prefix, levels(y))])), nrow(newdata), dimnames = list(NULL, levels(y)))
}

# Returns rows as a data frame of numbers and texts.
predictors <- function(rows) {
  rows <- as.data.frame(rows, optional = TRUE)
  if (is.null(names(rows)) || anyDuplicated(names(rows))) stop("the columns need different names", call. = FALSE)
  rows[] <- lapply(names(rows), function(name) {
    column <- rows[[name]]
    if (is.factor(column) || is.character(column) || is.logical(column)) {
      check_texts(paste("column", name), as.character(column))
      return(as.character(column))
    }
    if (!is.numeric(column) || any(is.infinite(column))) {
      stop("column ", name, " contains values that are neither finite numbers nor levels", call. = FALSE)
    }
    as.numeric(column)
  })
  rows
}

# Raises an error if a class or level is a text that copse would change when it reads the CSV file.
check_texts <- function(place, texts) {
  trimmed <- trimws(texts, whitespace = "[\\h\\v]")
  odd <- !is.na(texts) & (texts == "" | texts != trimmed | grepl("\r", texts, fixed = TRUE))
  if (any(odd)) {
    stop(place, ": ", encodeString(texts[odd][1], quote = "\""),
      " is empty, or has surrounding blanks or carriage returns; rename it", call. = FALSE)
  }
}

# Raises an error if new rows do not have the columns of the training rows, or have levels that no training row has.
check_new_rows <- function(x, newdata) {
  if (!identical(names(x), names(newdata))) {
    stop("newdata has the columns ", toString(names(newdata)), ", but x has ", toString(names(x)), call. = FALSE)
  }
  for (name in names(Filter(is.character, x))) {
    unknown <- setdiff(newdata[[name]], c(x[[name]], NA))
    if (length(unknown) > 0) {
      stop("column ", name, ": no training row has the level \"", unknown[1], "\"", call. = FALSE)
    }
  }
}

# Writes rows as CSV. Numbers have 17 digits, so that they do not change. A missing value is an empty entry
# in quotes, because a file with a single column must have no empty lines.
write_rows <- function(path, rows) {
  is_number <- vapply(rows, is.numeric, NA)
  rows[is_number] <- lapply(rows[is_number], function(x) ifelse(is.na(x), NA, sprintf("%.17g", x)))
  write.csv(rows, path, row.names = FALSE, na = "\"\"", fileEncoding = "UTF-8")
}
