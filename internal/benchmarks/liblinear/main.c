/* Measures the time of fit and prediction of liblinear's linear machine (hinge loss, -s 3 -B 1)
 * in this process, after the data have been read. benchmarks fit does the same for copse.
 *
 *   liblinear WORK ROUND REPEATS
 *
 * appends to WORK/times.csv and writes the predicted classes to WORK/answers. */
#include <linear.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 1000, COLUMNS = 420 };

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static FILE *openIn(const char *work, const char *file, const char *mode) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", work, file);
  FILE *f = fopen(path, mode);
  if (!f) {
    perror(path);
    exit(1);
  }
  return f;
}

/* Reads dense rows "label 1:v 2:v ...", and appends the constant. */
static struct problem readRows(const char *work, const char *file) {
  struct problem p = {ROWS, COLUMNS + 1, malloc(ROWS * sizeof(double)), malloc(ROWS * sizeof(struct feature_node *)), 1};
  FILE *f = openIn(work, file, "r");
  for (int i = 0; i < ROWS; i++) {
    struct feature_node *row = p.x[i] = malloc((COLUMNS + 2) * sizeof *row);
    int ok = fscanf(f, "%lf", &p.y[i]) == 1;
    for (int j = 0; ok && j < COLUMNS; j++)
      ok = fscanf(f, "%d:%lf", &row[j].index, &row[j].value) == 2 && row[j].index == j + 1;
    if (!ok) {
      fprintf(stderr, "%s, row %d: not %d numbers\n", file, i + 1, COLUMNS);
      exit(1);
    }
    row[COLUMNS] = (struct feature_node){COLUMNS + 1, 1};
    row[COLUMNS + 1].index = -1;
  }
  fclose(f);
  return p;
}

static void silent(const char *text) { (void)text; }

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: liblinear WORK ROUND REPEATS\n");
    return 2;
  }
  const char *work = argv[1];
  struct problem train_rows = readRows(work, "data/features-train.libsvm"), test = readRows(work, "data/features-test.libsvm");
  struct parameter how;
  memset(&how, 0, sizeof how);
  how.solver_type = L2R_L1LOSS_SVC_DUAL;
  how.C = 1;
  how.eps = 0.1; /* liblinear-train's default */
  how.p = 0.1;
  set_print_string_function(silent);
  const char *wrong = check_parameter(&train_rows, &how);
  if (wrong) {
    fprintf(stderr, "liblinear: %s\n", wrong);
    return 1;
  }
  for (int repeat = 1; repeat <= atoi(argv[3]); repeat++) {
    double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC), labels[ROWS];
    struct model *m = train(&train_rows, &how);
    for (int i = 0; i < ROWS; i++)
      labels[i] = predict(m, test.x[i]);
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu, wall = now(CLOCK_MONOTONIC) - wall;
    FILE *times = openIn(work, "times.csv", "a");
    fprintf(times, "linear-svm,liblinear,%s,%d,%.6f,%.6f,0.0\n", argv[2], repeat, cpu, wall);
    fclose(times);
    FILE *answers = openIn(work, "answers/linear-svm-liblinear.csv", "w");
    for (int i = 0; i < ROWS; i++)
      fprintf(answers, "%d\n", labels[i] < 0); /* class 0 has the label 1, and class 1 has -1 */
    fclose(answers);
    free_and_destroy_model(&m);
  }
  return 0;
}
