module copse/internal/mutants

go 1.26.0
