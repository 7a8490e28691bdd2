#' The program copse
#'
#' @return The path of the program: the environment variable COPSE_BINARY, or copse in PATH.
copse_binary <- function() {
  named <- Sys.getenv("COPSE_BINARY")
  if (nzchar(named)) {
    if (!file.exists(named)) stop("COPSE_BINARY: this file does not exist: ", named, call. = FALSE)
    return(named)
  }
  found <- unname(Sys.which("copse"))
  if (!nzchar(found)) {
    stop("the program copse was not found: put copse into PATH, or set COPSE_BINARY to its path", call. = FALSE)
  }
  found
}

# Runs a command of copse with --json and returns its lines as lists. Calls on_line with each line
# as soon as it is read. An exit code that is not allowed raises an error of class copse_error.
call_copse <- function(arguments, on_line = function(line) NULL, allowed = 0) {
  errors <- tempfile("copse-")
  on.exit(unlink(errors))
  words <- c(copse_binary(), arguments[1], "--json", arguments[-1])
  shell <- if (.Platform$OS.type == "windows") "cmd" else "sh"
  command <- paste(c(shQuote(words, shell), "2>", shQuote(errors, shell)), collapse = " ")
  output <- pipe(command, "r", encoding = "UTF-8")
  lines <- tryCatch(read_lines(output, on_line), finally = close(output))
  printed <- paste(readLines(errors, warn = FALSE), collapse = "\n")
  last <- if (length(lines) > 0) lines[[length(lines)]] else list(type = "")
  if (last$type != "exit") {
    stop("copse ended before it wrote its last line: ", printed, call. = FALSE)
  }
  if (!last$code %in% allowed) raise(lines, last$code, printed)
  lines
}

# Runs a command of copse and ignores its output. The caller quotes the arguments for the shell.
run_quietly <- function(arguments) {
  errors <- tempfile()
  on.exit(unlink(errors))
  if (system2(copse_binary(), arguments, stdout = FALSE, stderr = errors) != 0) {
    raise(list(), 1, paste(readLines(errors, warn = FALSE), collapse = "\n"))
  }
}

read_lines <- function(output, on_line) {
  lines <- list()
  while (length(text <- readLines(output, 1, warn = FALSE)) > 0) {
    line <- jsonlite::fromJSON(text, simplifyDataFrame = FALSE, simplifyMatrix = FALSE)
    lines[[length(lines) + 1]] <- line
    on_line(line)
  }
  lines
}

# Returns the lines of a type.
of_type <- function(lines, type) Filter(function(line) line$type == type, lines)

# Raises the error of a command. The error contains a data frame of mistakes with the columns
# message, file, line, column and key.
raise <- function(lines, code, printed) {
  errors <- of_type(lines, "error")
  field <- function(name, missing) {
    vapply(errors, function(e) if (is.null(e[[name]])) missing else e[[name]], missing)
  }
  mistakes <- data.frame(
    message = field("message", NA_character_), file = field("origin", NA_character_),
    line = field("line", NA_integer_), column = field("column", NA_integer_), key = field("key", NA_character_)
  )
  text <- gsub("(^|\n)copse: ", "\\1", printed)
  class <- c(if (any(!is.na(mistakes$file))) "copse_study_error", "copse_error", "error", "condition")
  stop(structure(list(message = text, call = NULL, mistakes = mistakes, exit_code = code), class = class))
}
