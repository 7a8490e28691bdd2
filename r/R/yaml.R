# Writes lists as YAML 1.2. Named lists become mappings. Other lists and vectors become sequences.
# A vector of one element becomes a single value; I(x) keeps it a sequence.

to_yaml <- function(study) {
  lines <- unlist(lapply(names(study), function(key) block(key, study[[key]], "")))
  paste0(paste(lines, collapse = "\n"), "\n")
}

yaml_width <- 100

block <- function(key, value, indent) {
  head <- paste0(indent, scalar(key), ":")
  short <- paste(head, flow(value))
  if (nchar(short) <= yaml_width || !is.list(value)) return(short)
  if (!is.null(names(value))) {
    return(c(head, unlist(lapply(names(value), function(k) block(k, value[[k]], paste0(indent, "  "))))))
  }
  c(head, vapply(value, function(item) paste0(indent, "  - ", flow(item)), ""))
}

# Returns a value as YAML in one line. Texts are quoted if they would be read as another value.
flow <- function(value) {
  if (is.null(value)) return("null")
  is_sequence <- length(value) != 1 || inherits(value, "AsIs")
  value <- plain(value)
  if (is.list(value) || is_sequence) {
    if (is.null(names(value))) {
      return(paste0("[", paste(vapply(as.list(value), flow, ""), collapse = ", "), "]"))
    }
    entries <- paste0(vapply(names(value), scalar, ""), ": ", vapply(as.list(value), flow, ""))
    return(paste0("{", paste(entries, collapse = ", "), "}"))
  }
  scalar(value)
}

# Returns the levels of a factor and dates as texts, vectors without names, and lists without class I(). Other classes of
# vectors are an error, because they print other values than the numbers that they contain.
plain <- function(value) {
  if (is.factor(value) || inherits(value, "Date")) return(as.character(value))
  classes <- setdiff(oldClass(value), "AsIs")
  if (length(classes) > 0 && (is.atomic(value) || inherits(value, "POSIXlt"))) {
    stop("a study cannot contain a vector of class ", classes[1], "; convert it to numbers or texts", call. = FALSE)
  }
  if (is.list(value)) unclass(value) else as.vector(value)
}

scalar <- function(value) {
  if (!is.atomic(value) || is.na(value)) stop("a study cannot contain ", deparse(value)[1], call. = FALSE)
  if (is.logical(value)) return(if (value) "true" else "false")
  if (is.numeric(value)) {
    if (!is.finite(value)) stop("a study cannot contain ", value, call. = FALSE)
    if (value == round(value) && abs(value) < 2^53) return(sprintf("%.0f", value))
    short <- sprintf("%.15g", value)
    return(if (as.numeric(short) == value) short else sprintf("%.17g", value))
  }
  reserved <- c("true", "false", "null", "yes", "no", "on", "off")
  plain <- grepl("^[A-Za-z_$][A-Za-z0-9_.$/-]*( [A-Za-z0-9_.$/-]+)*$", value)
  if (plain && !tolower(value) %in% reserved) return(enc2utf8(value))
  as.character(jsonlite::toJSON(jsonlite::unbox(enc2utf8(value))))
}
