#' Predict new rows
#'
#' Fits a classifier of copse to training rows and predicts the classes of new rows. Columns that are factors,
#' characters or logicals are discrete; other columns are numeric. NA is a missing value.
#'
#' @param classifier A classifier (\code{copse list classifiers}).
#' @param x Training rows: a data frame, or a matrix of numbers.
#' @param y Class of each training row: a vector or factor.
#' @param newdata New rows with the same columns as \code{x}.
#' @param seed Seed of the fit. Its random numbers also depend on the training rows and the new rows.
#' @param ... Keys of the classifier in a study, such as \code{probabilities = "platt"}.
#' @return A data frame with a row for each new row: class, a factor; score_ and probability_ followed by the
#'   name of each class, if the classifier gives them. Warnings of the fit become warnings; a failed fit is an error.
#' @examples
#' \dontrun{
#' copse_predict("rf", iris[-5], iris$Species, iris[c(1, 51, 101), -5])
#' }
copse_predict <- function(classifier, x, y, newdata, seed = 1, ...) {
  check_names(list(...), "every key of the classifier must have a name")
  x <- predictors(x)
  newdata <- predictors(newdata)
  y <- droplevels(as.factor(y))
  if (length(y) != nrow(x) || anyNA(y)) stop("y must have a class for each of the ", nrow(x), " rows of x", call. = FALSE)
  is_level <- vapply(x, is.character, NA)
  check_new_rows(x, newdata, is_level)
  label <- make.unique(c(names(x), "class"))[ncol(x) + 1]
  # The classes of the new rows are unknown; the study gets an arbitrary one. The last test rows are the first
  # training row of each class. They give the code of each class in the predictions.
  test <- rbind(newdata, x[match(levels(y), y), , drop = FALSE])
  folder <- tempfile("copse-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  write_rows(file.path(folder, "train.csv"), x, y, label)
  write_rows(file.path(folder, "test.csv"), test, c(rep(levels(y)[1], nrow(newdata)), levels(y)), label)
  study <- copse_study("predict",
    seed = seed, replicates = 1, predictions = "keep", file = file.path(folder, "study.yaml"),
    data = list(
      csv = file.path(folder, "train.csv"), test = list(csv = file.path(folder, "test.csv")), class = label,
      discrete = I(c(names(x)[is_level], label)), numeric = I(names(x)[!is_level]), missing_marks = list()
    ),
    classifiers = list(list(classifier = classifier, ...))
  )
  results <- suppressWarnings(copse_run(study, jobs = 1, out = file.path(folder, "out"), progress = FALSE))
  record <- copse_records(results)
  if (record$status != "ok") stop("the fit failed: ", record$message, call. = FALSE)
  if (!is.na(record$message)) warning(record$message, call. = FALSE)
  rows <- copse_predictions(results)
  codes <- rows$truth[nrow(newdata) + seq_len(nlevels(y))]
  rows <- rows[seq_len(nrow(newdata)), ]
  frame <- data.frame(class = factor(rows$label_class, levels(y)))
  for (kind in c("score", "p")) {
    values <- rows[paste0(kind, "_", codes)]
    if (!anyNA(values)) frame[paste0(if (kind == "p") "probability" else kind, "_", levels(y))] <- values
  }
  frame
}

# Returns rows as a data frame of numbers and texts.
predictors <- function(rows) {
  rows <- as.data.frame(rows, optional = TRUE)
  if (is.null(names(rows)) || anyDuplicated(names(rows))) stop("the columns need different names", call. = FALSE)
  rows[] <- lapply(names(rows), function(name) {
    column <- rows[[name]]
    if (is.factor(column) || is.character(column) || is.logical(column)) return(as.character(column))
    if (!is.numeric(column) || any(is.infinite(column))) {
      stop("column ", name, " contains values that are neither finite numbers nor levels", call. = FALSE)
    }
    as.numeric(column)
  })
  rows
}

# Raises an error if new rows have other columns than the training rows, or levels that these do not have.
check_new_rows <- function(x, newdata, is_level) {
  if (!identical(names(x), names(newdata))) {
    stop("newdata has the columns ", toString(names(newdata)), ", but x has ", toString(names(x)), call. = FALSE)
  }
  for (name in names(x)[is_level]) {
    unknown <- setdiff(newdata[[name]], c(x[[name]], NA))
    if (length(unknown) > 0) {
      stop("column ", name, ": no training row has the level \"", unknown[1], "\"", call. = FALSE)
    }
  }
}

# Writes rows and their classes as CSV. Numbers have 17 digits, so that they do not change. A missing value is an
# empty entry.
write_rows <- function(path, rows, classes, label) {
  is_number <- vapply(rows, is.numeric, NA)
  rows[is_number] <- lapply(rows[is_number], function(x) ifelse(is.na(x), NA, sprintf("%.17g", x)))
  rows[[label]] <- as.character(classes)
  file <- file(path, "w", encoding = "UTF-8")
  on.exit(close(file))
  write.csv(rows, file, row.names = FALSE, na = "", quote = TRUE)
}
