header <- "# Written by copse for R.\n"

#' A study
#'
#' Named lists become mappings in the study file. Other lists and vectors become sequences. A vector
#' of one element becomes a single value; \code{I("n")} is a sequence of one element.
#'
#' @param name Name of the study.
#' @param seed Seed: a whole number, or a text if it has more than 53 bits.
#' @param data,classifiers,... Keys of a study file, as lists and vectors.
#' @param file Path of the study file to write.
#' @return A study. Its file is written when the study is checked or run.
#' @examples
#' copse_study("demo", seed = 1, replicates = 10, design = list(n = c(100, 400)),
#'   data = list(generator = list(name = "forest", d = 5), train = list(n = "$n"),
#'     test = list(n = 500)),
#'   classifiers = c("lda", "5nn", "rf", "oracle"))
copse_study <- function(name, seed, data, classifiers, ..., file = paste0(name, ".yaml")) {
  if (is.data.frame(data)) {
    stop("a study cannot contain a data frame; write it with write.csv(x, \"data.csv\", row.names = FALSE), ",
      "and use data = list(csv = \"data.csv\", folds = 5)", call. = FALSE)
  }
  content <- list(study = name, seed = seed)
  more <- list(...)
  check_names(more, "every key of a study must have a name")
  first <- intersect(c("replicates", "title", "design", "nested", "exclude"), names(more))
  content <- c(content, more[first], list(data = data, classifiers = classifier_list(classifiers)),
    more[setdiff(names(more), first)])
  text <- to_yaml(content)
  if (is.character(seed)) text <- sub("seed: \"([0-9]+)\"", "seed: \\1", text)
  structure(list(name = name, file = file, yaml = paste0(header, text)), class = "copse_study")
}

# Returns a list of classifiers. A named list is a single classifier.
classifier_list <- function(classifiers) {
  if (is.list(classifiers) && !is.null(names(classifiers))) list(classifiers) else unname(as.list(classifiers))
}

check_names <- function(list, message) {
  if (length(list) > 0 && (is.null(names(list)) || any(!nzchar(names(list))))) stop(message, call. = FALSE)
}

print.copse_study <- function(x, ...) {
  cat("# ", x$file, "\n", x$yaml, sep = "")
  invisible(x)
}

# Writes the study file. It replaces an existing file only if this package wrote the file.
save_study <- function(study) {
  if (is.character(study)) return(study)
  if (file.exists(study$file)) {
    old <- paste0(paste(readLines(study$file, warn = FALSE, encoding = "UTF-8"), collapse = "\n"), "\n")
    if (old != study$yaml && !startsWith(old, header)) {
      stop(study$file, " was not written by copse for R; choose another file for the study, or remove this file",
        call. = FALSE)
    }
  }
  writeLines(study$yaml, study$file, sep = "", useBytes = TRUE)
  study$file
}

# Returns the flags of copse that change a study without a change of its file.
changes <- function(replicates, set, out) {
  check_names(set, "every value of set must have a name, such as set = list(design.n = c(100, 200))")
  flags <- character()
  for (i in seq_along(set)) {
    key <- names(set)[i]
    value <- flow(set[[i]])
    if (key == "seed") value <- gsub("\"", "", value) # a large seed is a text in R
    flags <- c(flags, "--set", paste0(key, "=", value))
  }
  if (!is.null(replicates)) flags <- c(flags, "--replicates", format(replicates, scientific = FALSE))
  if (!is.null(out)) flags <- c(flags, "--out", out)
  flags
}

#' Check a study
#'
#' @param study A study, or the path of a study file.
#' @param replicates,set,out Changes of the study for this call. \code{set} is a named list, such as
#'   \code{list(design.n = c(100, 200))}; its values have the same types as in \code{copse_study}.
#' @param pilot Seconds to spend on trial fits.
#' @return The cells, the missing results, and the expected time and memory. The element \code{unknown} lists
#'   the classifiers without measured times. The expected time does not include them.
copse_check <- function(study, replicates = NULL, set = list(), out = NULL, pilot = 5) {
  arguments <- c("check", save_study(study), changes(replicates, set, out), "--pilot", sprintf("%.9fs", pilot))
  lines <- call_copse(arguments, allowed = c(0, 1)) # 1: a classifier failed in all cells
  plans <- of_type(lines, "plan")
  if (length(plans) == 0) raise(lines, 1, of_type(lines, "error")[[1]]$message)
  plan <- plans[[1]]
  cost <- of_type(lines, "cost")
  memory <- of_type(lines, "memory")
  cells <- lapply(of_type(lines, "cell"), function(l) c(cell = l$id, unlist(l$levels), data = l$data))
  messages <- vapply(of_type(lines, "message"), function(l) paste0(l$level, ": ", l$text), "")
  structure(list(
    folder = lines[[1]]$folder, cells = frame_of(cells), missing = plan$results, done = plan$done,
    failed = plan$failed, seconds = if (length(cost) > 0) cost[[1]]$seconds else NA_real_,
    unknown = as.character(if (length(cost) > 0) cost[[1]]$unknown),
    bytes = if (length(memory) > 0) memory[[1]]$bytes else NA_real_, messages = messages
  ), class = "copse_check")
}

# Returns a data frame of named vectors. Its columns are all names of the vectors. Columns of levels become numbers
# as in read_frame.
frame_of <- function(rows) {
  names <- unique(unlist(lapply(rows, names)))
  columns <- lapply(names, function(name) {
    column <- vapply(rows, function(row) if (name %in% names(row)) row[[name]] else NA_character_, "")
    if (name %in% texts || !are_numbers(setdiff(column, NA))) column else type.convert(column, as.is = TRUE)
  })
  as.data.frame(setNames(columns, names), optional = TRUE)
}

print.copse_check <- function(x, ...) {
  cat(x$missing, " results to run, ", x$done, " already stored (", x$failed, " failed), in ", x$folder, "\n", sep = "")
  if (!is.na(x$seconds) && x$seconds > 0) cat("about", format(x$seconds, digits = 3), "s on one core\n")
  if (length(x$unknown) > 0) {
    cat("no expected time for these classifiers: ", toString(x$unknown), "\n", sep = "")
  }
  if (!is.na(x$bytes)) cat("about", format(x$bytes / 1e6, digits = 3), "MB per worker\n")
  for (message in x$messages) cat(message, "\n", sep = "")
  print(x$cells)
  invisible(x)
}

#' Run a study
#'
#' @param study A study, or the path of a study file.
#' @param jobs Number of parallel trials.
#' @param replicates,set,out Changes of the study for this call. \code{set} is a named list, such as
#'   \code{list(design.n = c(100, 200))}; its values have the same types as in \code{copse_study}.
#' @param memory Memory limit of the command in bytes, or a text such as \code{"2GB"}.
#' @param retry_failed Whether to repeat failed fits.
#' @param accept_change Whether to add results even if the version or packages of an external program have
#'   changed.
#' @param run_commands Whether to run the commands of a study in a results folder, even if you have never run
#'   them before.
#' @param progress Whether to show the progress.
#' @return The results. Failed fits are results, too, but cause a warning. So do notes on the records, such
#'   as results of replicates that the study no longer has.
copse_run <- function(study, jobs = NULL, replicates = NULL, set = list(), out = NULL, memory = NULL,
                      retry_failed = FALSE, accept_change = FALSE, run_commands = FALSE, progress = interactive()) {
  flags <- changes(replicates, set, out)
  if (!is.null(jobs)) flags <- c(flags, "--jobs", format(jobs, scientific = FALSE))
  if (!is.null(memory)) flags <- c(flags, "--memory", if (is.character(memory)) memory else sprintf("%.0fB", memory))
  wanted <- c("--retry-failed" = retry_failed, "--accept-change" = accept_change, "--run-commands" = run_commands)
  flags <- c(flags, names(which(wanted)))
  show <- function(line) {
    if (progress && line$type == "progress") {
      cat("\r", line$study, ": ", line$done, "/", line$trials, " trials, ", line$failed, " failed results", sep = "")
      if (line$done == line$trials) cat("\n")
      flush.console()
    }
  }
  lines <- call_copse(c("run", save_study(study), flags), show, allowed = c(0, 1))
  report <- of_type(lines, "report")
  errors <- of_type(lines, "error")
  if (length(report) == 0) raise(lines, lines[[length(lines)]]$code, errors[[1]]$message)
  for (note in c(report[[1]]$notes, lapply(errors, `[[`, "message"))) warning(note, call. = FALSE)
  copse_results(report[[1]]$folder)
}
