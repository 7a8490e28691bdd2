library(testthat)
library(copse)

test_check("copse")
