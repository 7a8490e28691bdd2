skip_without_copse <- function() {
  if (inherits(try(copse_binary(), silent = TRUE), "try-error")) {
    skip("NOT TESTED: needs the program copse; set COPSE_BINARY")
  }
}

study_in <- function(folder, ...) {
  keys <- list(
    name = "small", seed = 3, replicates = 4, design = list(n = c(30, 60)),
    data = list(generator = list(name = "forest", d = 4), train = list(n = "$n"), test = list(n = 50)),
    classifiers = list("5nn", "lda", "oracle"),
    report = list(tables = list(list(name = "small", rows = I("n")))), file = file.path(folder, "small.yaml")
  )
  changed <- list(...)
  keys[names(changed)] <- changed
  do.call(copse_study, keys)
}

folder_of_test <- function(env = parent.frame()) {
  folder <- tempfile("copse-test-")
  dir.create(folder)
  do.call(on.exit, list(bquote(unlink(.(folder), recursive = TRUE)), add = TRUE), envir = env)
  folder
}

test_that("a study runs and its results are data frames", {
  skip_without_copse()
  folder <- folder_of_test()
  study <- study_in(folder, predictions = "keep")
  out <- file.path(folder, "results")
  check <- copse_check(study, out = out, pilot = 0)
  expect_equal(c(check$missing, check$done, nrow(check$cells)), c(24, 0, 2))
  results <- copse_run(study, jobs = 1, out = out)
  records <- copse_records(results)
  expect_equal(nrow(records), 24)
  expect_equal(copse_check(study, out = out, pilot = 0)$missing, 0)
  expect_equal(copse_check(study, out = out, pilot = 0, replicates = 5)$missing, 6)
  expect_equal(copse_check(study, out = out, pilot = 0, set = list(design.n = c(30, 60, 90)))$missing, 12)

  table <- copse_tables(results)$small
  means <- tapply(records$error, list(records$n, records$classifier), mean)
  expect_equal(table$mean, 100 * means[cbind(as.character(table$n), table$classifier)])
  tests <- copse_tests(results)
  expect_true(all(tests$p_adjusted >= 0 & tests$p_adjusted <= 1))
  expect_setequal(tests$table, "small")
  expect_equal(names(tests)[1:6], c("table", "n", "classifier", "metric", "test", "against"))
  expect_true(all(tests$against %in% table$classifier))
  expect_equal(names(tests)[ncol(tests)], "doubtful")
  expect_false(anyNA(tests$test))

  rows <- copse_predictions(results)
  expect_true(all(is.na(rows$data_file))) # the rows come from a generator
  errors <- aggregate(list(wrong = rows$label != rows$truth), rows[c("cell", "replicate", "classifier")], mean)
  both <- merge(records, errors)
  expect_equal(nrow(both), 24)
  expect_equal(both$wrong, both$error)
  expect_output(print(results), "5-NN")
})

test_that("set keeps the type of a value", {
  skip_without_copse()
  folder <- folder_of_test()
  recipe <- function(params, ...) {
    method <- list(id = "m", classifier = "external", command = I("sh"), params = params)
    lines <- call_copse(c("check", save_study(study_in(folder, classifiers = list(method))), "--pilot", "0s", ...))
    of_type(lines, "classifier")[[1]]$recipes
  }
  for (value in list("1", "true", "x,y", "a: b", "1e3", "", 1, 0.5, TRUE, NULL, I("a"), c("a,b", "c"), list(z = 2),
    factor(c("1", "2")), "\"quoted\"")) {
    set <- list(classifiers.m.params.k = value)
    expect_equal(recipe(list(k = 7), changes(NULL, set, NULL)), recipe(list(k = value)))
  }
  for (names in list(c("01", "1"), "a, b")) {
    levels <- list("1" = "1", "01" = "01", "a, b" = "a, b")
    for (v in list(levels, names(levels))) {
      method <- list(id = "m", classifier = "external", command = I("sh"), params = list(k = "$v"))
      study <- study_in(folder, design = list(v = v), classifiers = list(method), report = list(tables = list()),
        data = list(generator = "forest", train = list(n = 30), test = list(n = 50)))
      expect_equal(copse_check(study, set = list(design.v = names), pilot = 0)$cells$v, names)
    }
  }
  expect_silent(copse_check(study, set = list(seed = "12345678901234567890"), pilot = 0))
  expect_error(copse_check(study, set = list(3)), "every value of set must have a name")
  expect_error(copse_check(study, set = list(design.n = 3, 4)), "every value of set must have a name")
})

test_that("factors can have the names of columns of a table", {
  skip_without_copse()
  for (factor in c("test", "metric", "table", "doubtful", "mean")) {
    folder <- folder_of_test()
    study <- study_in(folder, design = setNames(list(c(30, 60)), factor),
      data = list(generator = list(name = "forest", d = 4), train = list(n = paste0("$", factor)), test = list(n = 50)),
      report = list(tables = list(list(name = "small", rows = I(factor)))))
    tests <- copse_tests(copse_run(study, out = file.path(folder, "results")))
    titled <- function(name) if (name == factor) paste0("table.", name) else name
    first <- c(titled("table"), factor, "classifier", titled("metric"), titled("test"))
    expect_equal(names(tests)[1:5], first)
    expect_equal(names(tests)[ncol(tests)], titled("doubtful"))
    expect_setequal(tests[[titled("table")]], "small")
    expect_true(all(tests[[factor]] %in% c(30, 60)))
    expect_true(nrow(tests) > 0 && all(tests$p_adjusted >= 0 & tests$p_adjusted <= 1))
  }
})

test_that("the name of a table can begin with a dot", {
  skip_without_copse()
  folder <- folder_of_test()
  study <- study_in(folder, report = list(tables = list(list(name = ".small", rows = I("n")))))
  results <- copse_run(study, out = file.path(folder, "results"))
  expect_equal(names(copse_tables(results)), ".small")
  expect_output(print(results), "5-NN")
})

test_that("a study without tests has no rows of tests", {
  skip_without_copse()
  folder <- folder_of_test()
  results <- copse_run(study_in(folder, classifiers = list("lda")), out = file.path(folder, "results"))
  expect_equal(nrow(copse_tests(results)), 0)
})

test_that("the study file alone gives the same records", {
  skip_without_copse()
  folder <- folder_of_test()
  study <- study_in(folder)
  results <- copse_run(study, out = file.path(folder, "a"))
  again <- copse_run(study$file, out = file.path(folder, "b"))
  expect_identical(copse_records(results), copse_records(again))
})

test_that("a single classifier is a list of one", {
  skip_without_copse()
  folder <- folder_of_test()
  for (one in list("lda", list("lda"), list(classifier = "lda"), factor("lda"))) {
    study <- study_in(folder, classifiers = one, replicates = 1)
    for (pilot in list(0, 1e5, 1e-7, 1L)) expect_equal(copse_check(study, pilot = pilot)$missing, 2)
  }
})

test_that("a mistake has file, line, column and key", {
  skip_without_copse()
  folder <- folder_of_test()
  study <- study_in(folder, inference = list(alfa = 0.1))
  error <- expect_error(copse_check(study), class = "copse_study_error")
  expect_equal(error$mistakes$key, "inference.alfa")
  expect_match(error$mistakes$message, 'did you mean "alpha"')
  expect_equal(error$mistakes$file, study$file)
  text <- readLines(study$file)[error$mistakes$line]
  expect_match(substring(text, error$mistakes$column), "^alfa")
})

test_that("failed fits are a warning", {
  skip_without_copse()
  folder <- folder_of_test()
  broken <- list(id = "broken", classifier = "5nn", k = 1000)
  study <- study_in(folder, classifiers = list("lda", broken))
  expect_warning(results <- copse_run(study, out = file.path(folder, "results")), "8 fits failed")
  expect_equal(sum(copse_records(results)$status == "failed"), 8)
})

# Returns a study with a program that reads its version from the environment and fails if FAILS is set.
study_with_program <- function(folder, ...) {
  writeLines(c("source(file.path(Sys.getenv(\"COPSE_CLIENT\"), \"copse.R\"))",
    "copse_classifier(function(x, y, params) if (nzchar(Sys.getenv(\"FAILS\"))) stop(\"no\") else levels(y),",
    "  function(model, x) rep(model[1], nrow(x)), name = \"mine\", version = Sys.getenv(\"MINE\"))"),
    file.path(folder, "mine.R"))
  # R CMD check replaces the Rscript in PATH with a script that copse cannot start.
  rscript <- file.path(R.home("bin"), "Rscript")
  method <- list(id = "mine", classifier = "external", command = c(rscript, "--vanilla", "mine.R"),
    files = I("mine.R"))
  study_in(folder, classifiers = list("lda", method), ...)
}

# Sets environment variables until the calling test ends.
set_variables <- function(..., env = parent.frame()) {
  given <- c(...)
  old <- Sys.getenv(names(given), names = TRUE)
  do.call(Sys.setenv, as.list(given))
  do.call(on.exit, list(bquote(do.call(Sys.setenv, as.list(.(old)))), add = TRUE), envir = env)
}

test_that("changed programs and commands of a results folder need approval", {
  skip_without_copse()
  folder <- folder_of_test()
  set_variables(MINE = "1", COPSE_COMMANDS = file.path(folder, "commands"))
  study <- study_with_program(folder)
  out <- file.path(folder, "results")
  check <- copse_check(study, out = out)
  expect_equal(check$unknown, "mine")
  expect_output(print(check), "on one core\nno expected time for these classifiers: mine\n")
  copse_run(study, out = out)
  Sys.setenv(MINE = "2")
  expect_error(copse_run(study, out = out, replicates = 5), "--accept-change")
  expect_warning(results <- copse_run(study, out = out, replicates = 5, accept_change = TRUE), "mine")
  expect_equal(nrow(copse_records(results)), 20)

  Sys.setenv(COPSE_COMMANDS = file.path(folder, "nothing"))
  kept <- file.path(out, "study.yaml")
  expect_error(copse_run(kept), "--run-commands")
  expect_warning(copse_run(kept, run_commands = TRUE), "mine")
})

test_that("failed fits are repeated, and a stopped run has a report", {
  skip_without_copse()
  folder <- folder_of_test()
  set_variables(MINE = "1", FAILS = "yes", COPSE_COMMANDS = file.path(folder, "commands"))
  study <- study_with_program(folder, replicates = 20)
  out <- file.path(folder, "results")
  expect_error(copse_run(study, out = out), "copse report")
  results <- copse_results(out)
  expect_equal(length(copse_tables(results)), 0)
  expect_equal(names(copse_tables(copse_report(results))), "small")
  Sys.setenv(FAILS = "")
  expect_setequal(copse_records(copse_run(study, out = out, retry_failed = TRUE))$status, "ok")
})

test_that("memory is a number or a text", {
  skip_without_copse()
  folder <- folder_of_test()
  study <- study_in(folder, replicates = 1)
  for (memory in list(1e9, "1GB")) copse_run(study, out = file.path(folder, "results"), memory = memory)
  expect_error(copse_run(study, out = file.path(folder, "results"), memory = "1XB"), "1XB")
})

test_that("notes on the records are a warning", {
  skip_without_copse()
  folder <- folder_of_test()
  study <- study_in(folder)
  copse_run(study, out = file.path(folder, "results"))
  expect_warning(copse_run(study, out = file.path(folder, "results"), replicates = 3),
    "6 results of replicates above 3")
})

test_that("another file is not replaced", {
  folder <- folder_of_test()
  study <- study_in(folder)
  writeLines("study: mine", study$file)
  expect_error(copse_check(study), "was not written by copse for R")
})

test_that("different levels stay different", {
  folder <- folder_of_test()
  writeLines("study: s", file.path(folder, "study.yaml"))
  writeLines(c(
    "study,cell,code,name,flag,share,size,long,nested,replicate,classifier,error,confusion",
    "s,c1,01,NA,true,1.0e-6,100000,12345678901234567890,,1,NA,0.5,NA",
    "s,c2,1,q,false,0.01,40,12345678901234567891,3,1,lda,NA,1 0",
    "s,c3,1,nan,false,1,1e3,2,4,1,lda,1e-05,1 0"
  ), file.path(folder, "records.csv"))
  records <- copse_records(copse_results(folder))
  expect_equal(as.list(records[-(1:2)]), list(
    code = c("01", "1", "1"), name = c("NA", "q", "nan"), flag = c("true", "false", "false"),
    share = c(1e-6, 0.01, 1), size = c(1e5, 40, 1000),
    long = c("12345678901234567890", "12345678901234567891", "2"), nested = c(NA, 3L, 4L), replicate = c(1L, 1L, 1L),
    classifier = c("NA", "lda", "lda"), error = c(0.5, NA, 1e-5), confusion = c(NA, "1 0", "1 0")
  ))
})

test_that("truth values are logical", {
  folder <- folder_of_test()
  writeLines("study: s", file.path(folder, "study.yaml"))
  dir.create(file.path(folder, "tables"))
  writeLines(c("n,classifier,best,bold,doubtful", "1,lda,true,NA,", "1,q,false,true,false"),
    file.path(folder, "tables", "t.csv"))
  table <- copse_tables(copse_results(folder))$t
  expect_identical(as.list(table[3:5]), list(best = c(TRUE, FALSE), bold = c(NA, TRUE), doubtful = c(NA, FALSE)))
})

test_that("cells and records have the same levels", {
  skip_without_copse()
  folder <- folder_of_test()
  data <- list(generator = list(name = "forest", d = "$d"), train = list(n = "$n"), test = list(n = 50))
  design <- list(n = list("01" = 30, "1" = 60), d = c(3, 4))
  study <- study_in(folder, design = design, data = data, classifiers = "lda", report = list(figures = list()))
  cells <- copse_check(study, pilot = 0)$cells
  records <- copse_records(copse_run(study, out = file.path(folder, "results")))
  expect_identical(cells$n, c("01", "01", "1", "1"))
  expect_identical(cells$d, c(3L, 4L, 3L, 4L))
  expect_identical(as.list(unique(records[c("n", "d")])), as.list(cells[c("n", "d")]))
})

test_that("tables lack levels of nested factors", {
  folder <- folder_of_test()
  writeLines("study: s", file.path(folder, "study.yaml"))
  dir.create(file.path(folder, "tables"))
  writeLines(c("n,kind,classifier,mean", "1,NA,lda,0.5", "NA,q,lda,0.25"), file.path(folder, "tables", "t.csv"))
  table <- copse_tables(copse_results(folder))$t
  expect_equal(table$n, c(1, NA))
  expect_equal(table$kind, c("NA", "q"))
})

test_that("class names stay texts", {
  skip_without_copse()
  folder <- folder_of_test()
  path <- file.path(folder, "classes.csv")
  write.csv(data.frame(x = 1:40, y = rep(c("01", "1"), 20)), path, row.names = FALSE)
  study <- copse_study("classes", seed = 1, data = list(csv = path, folds = 2), classifiers = list("lda"),
    predictions = "keep", file = file.path(folder, "classes.yaml"))
  rows <- copse_predictions(copse_run(study, out = file.path(folder, "results")))
  names <- unique(rows[c("truth", "truth_class")])
  expect_setequal(names$truth_class, c("01", "1"))
  expect_setequal(names$truth, 0:1)
  expect_equal(rows$truth_class, ifelse(rows$file_row %% 2 == 0, "01", "1")) # the header is row 1
})

test_that("new rows are predicted as with MASS", {
  skip_without_copse()
  skip_if_not_installed("MASS")
  train <- seq_len(150) %% 3 > 0
  predict_lda <- function(...) {
    copse_predict("lda", iris[train, -5], iris$Species[train], as.matrix(iris[!train, -5]), ...)
  }
  reference <- predict(MASS::lda(iris[train, -5], iris$Species[train]), iris[!train, -5])
  expect_equal(predict_lda(), reference$class)
  expect_equal(predict_lda(type = "probabilities"), `rownames<-`(reference$posterior, NULL))
  expect_equal(colnames(predict_lda(type = "scores"))[max.col(predict_lda(type = "scores"))],
    as.character(reference$class))
})

test_that("new rows can have levels and missing values", {
  skip_without_copse()
  x <- data.frame(a = factor(c("?", "NA", "?", "NA", "?", "NA")), class = c(TRUE, NA, FALSE, TRUE, FALSE, TRUE))
  y <- rep(c("10", "9"), 3)
  expect_equal(copse_predict("nb", x, y, x[2:1, ]), factor(c("9", "10"), levels = c("10", "9")))
  expect_error(copse_predict("nb", x, y, data.frame(a = "w", class = NA)), "column a: .* level \"w\"")
  expect_error(copse_predict("nb", x, y, x["a"]), "newdata has the columns a, but x has a, class")
  expect_error(copse_predict("nb", x, y[1:2], x), "y must have a class for each of the 6 rows")
  expect_error(copse_predict("knn", iris[-5], iris$Species, iris[-5], k = "x"), "--param k=x: ")
  expect_warning(copse_predict("qda", iris[49:54, -5], iris$Species[49:54], iris[-5]), "^column \"Sepal.Length\"|covariance")
})

test_that("keys can be a letter of an argument", {
  skip_without_copse()
  two <- iris[1:100, ]
  predict_svm <- function(...) copse_predict("svm", two[-5], two$Species, two[-5], "scores", ...)
  expect_false(identical(predict_svm(c = 1e-4), predict_svm(c = 1)))
})

test_that("unusual classes and levels", {
  skip_without_copse()
  y <- rep(c("NA", "a\nb"), each = 50)
  expect_equal(as.character(copse_predict("lda", iris[1:100, -5], y, iris[c(1, 51), -5])), c("NA", "a\nb"))
  x <- data.frame(a = rep(c("u", NA, "v", "u"), 5)) # a file of new rows with this column alone
  expect_equal(copse_predict("nb", x, rep(c(0, 1, 1, 0), 5), x), factor(rep(c(0, 0, 1, 0), 5)))
  for (text in c("", " a", "a\u00a0", "a\rb")) {
    problem <- "is empty, or has surrounding blanks or carriage returns"
    expect_error(copse_predict("nb", x, rep(c("b", text), 10), x), paste0("y: .*", problem))
    expect_error(copse_predict("nb", data.frame(a = c("b", text)), 1:2, x), paste0("column a: .*", problem))
  }
})

test_that("no results folder is an error", {
  expect_error(copse_results(tempfile()), "not a results folder")
})

test_that("YAML is read back as the same values", {
  skip_if_not_installed("yaml")
  values <- list(
    text = list("plain", "two words", "$n", "a: b", "yes", "No", "null", "1", "1e3", "", " x", "a #b", "\"", "\\",
      "\u00e9", "{a}", "*a", "a,b", "num.trees"),
    numbers = list(0, -1, 3.5, 1e-5, 123456789, 0.1), truth = list(TRUE, FALSE),
    nested = list(a = list(b = list("c", "d")), long = as.list(strrep("x", rep(40, 4)))), one = I(1)
  )
  read <- yaml::yaml.load(to_yaml(values), handlers = list(seq = function(x) x))
  expect_equal(lapply(read$text, identity), values$text)
  expect_equal(as.numeric(unlist(read$numbers)), unlist(values$numbers))
  expect_equal(read$truth, values$truth)
  expect_equal(read$nested, values$nested)
  expect_equal(read$one, list(1))
  expect_error(to_yaml(list(a = NA)), "cannot contain")
  expect_error(to_yaml(list(a = Inf)), "cannot contain")
})

test_that("the error for a data frame explains how to use a file", {
  expect_error(copse_study("frame", seed = 1, data = iris, classifiers = "lda"), "write.csv.*list\\(csv")
})

test_that("only named lists become mappings", {
  text <- c(n = "nb", m = "lda")
  sizes <- c(small = 40, large = 60)
  expect_equal(to_yaml(list(a = text, b = sizes, c = sizes[1], d = as.list(sizes), e = I(sizes[1]))),
    "a: [nb, lda]\nb: [40, 60]\nc: 40\nd: {small: 40, large: 60}\ne: [40]\n")
  expect_equal(to_yaml(list(a = factor(text), b = setNames(factor(text[1]), "x"))), "a: [nb, lda]\nb: nb\n")
  study <- copse_study("s", seed = 1, data = list(), classifiers = text)
  expect_match(study$yaml, "classifiers: [nb, lda]", fixed = TRUE)
})

test_that("factors and dates are texts, and other classes are refused", {
  sizes <- factor(c("40", "80"))
  expect_equal(to_yaml(list(a = sizes, b = I(sizes[2]), c = data.frame(n = sizes))),
    "a: [\"40\", \"80\"]\nb: [\"80\"]\nc: {n: [\"40\", \"80\"]}\n")
  expect_equal(to_yaml(list(a = sizes[1], b = list(sizes[2], factor("small")))),
    "a: \"40\"\nb: [\"80\", small]\n")
  days <- as.Date(c("2024-01-01", "2024-01-02"))
  expect_equal(to_yaml(list(a = days, b = days[1])), "a: [\"2024-01-01\", \"2024-01-02\"]\nb: \"2024-01-01\"\n")
  times <- as.POSIXct(days)
  for (value in list(times, times[1], as.POSIXlt(times), as.difftime(1:2, units = "mins"))) {
    expect_error(to_yaml(list(a = value)), "cannot contain a vector of class (POSIX|difftime)")
  }
})
