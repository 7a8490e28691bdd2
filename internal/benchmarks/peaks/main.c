/* Measures the peak rates of one core of this machine, in processor time:
 *
 *   gcc -O3 -mavx2 -mfma main.c && ./a.out
 *
 * prints the best of several rounds: billions of fused multiply-adds of doubles in
 * registers per second (an instruction computes four, or eight with AVX-512), and GB per
 * second read from the first- and second-level cache and from memory, and copied in
 * memory (read and written bytes both count). */
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { rounds = 7, chains = 12 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static volatile double sink;

/* Twelve independent chains cover a latency of four cycles on two pipes. */
#define FMA_RATE(name, isa, vector, set1, fmadd, lanes)                         \
  __attribute__((target(isa))) static double name(void) {                      \
    enum { steps = 20000000 };                                                 \
    double best = 0;                                                           \
    for (int r = 0; r < rounds; r++) {                                         \
      vector a[chains], x = set1(0.999999), y = set1(1e-9);                    \
      for (int c = 0; c < chains; c++) a[c] = set1(c);                         \
      double start = now();                                                    \
      for (int k = 0; k < steps; k++)                                          \
        _Pragma("GCC unroll 12") for (int c = 0; c < chains; c++) {            \
          a[c] = fmadd(a[c], x, y);                                            \
          __asm__("" : "+v"(a[c]));                                            \
        }                                                                      \
      double rate = (double)steps * chains * lanes / (now() - start);          \
      for (int c = 0; c < chains; c++) sink = a[c][0];                         \
      if (rate > best) best = rate;                                            \
    }                                                                          \
    return best;                                                               \
  }
FMA_RATE(fma_rate, "avx2,fma", __m256d, _mm256_set1_pd, _mm256_fmadd_pd, 4)
FMA_RATE(fma_rate_512, "avx512f", __m512d, _mm512_set1_pd, _mm512_fmadd_pd, 8)

/* Reads n doubles again and again, 2^31 bytes in all. */
static double read_rate(const double *p, size_t n) {
  size_t repeats = ((size_t)1 << 31) / (n * sizeof *p);
  double best = 0;
  for (int r = 0; r < rounds; r++) {
    __m256d s[8] = {0};
    double start = now();
    for (size_t k = 0; k < repeats; k++) {
      for (size_t i = 0; i + 32 <= n; i += 32)
#pragma GCC unroll 8
        for (int c = 0; c < 8; c++) s[c] = _mm256_or_pd(s[c], _mm256_loadu_pd(p + i + 4 * c));
      __asm__ volatile("" ::: "memory");
    }
    double rate = (double)repeats * n * sizeof *p / (now() - start);
    for (int c = 0; c < 8; c++) sink = s[c][0];
    if (rate > best) best = rate;
  }
  return best;
}

static double copy_rate(double *to, const double *from, size_t n) {
  double best = 0;
  for (int r = 0; r < rounds; r++) {
    double start = now();
    memcpy(to, from, n * sizeof *to);
    double rate = 2.0 * n * sizeof *to / (now() - start);
    sink = to[n / 2];
    if (rate > best) best = rate;
  }
  return best;
}

int main(void) {
  size_t n = (size_t)1 << 26; /* 512 MB, more than any cache */
  double *a = aligned_alloc(64, n * sizeof *a), *b = aligned_alloc(64, n * sizeof *b);
  if (!a || !b) return fputs("peaks: no memory\n", stderr), 1;
  memset(a, 1, n * sizeof *a);
  memset(b, 1, n * sizeof *b);
  printf("%-34s %7.1f GFMA/s\n", "fused multiply-adds, AVX2", fma_rate() / 1e9);
  if (__builtin_cpu_supports("avx512f")) printf("%-34s %7.1f GFMA/s\n", "fused multiply-adds, AVX-512", fma_rate_512() / 1e9);
  printf("%-34s %7.1f GB/s\n", "read, 24 KB", read_rate(a, 3 << 10) / 1e9);
  printf("%-34s %7.1f GB/s\n", "read, 512 KB", read_rate(a, 1 << 16) / 1e9);
  printf("%-34s %7.1f GB/s\n", "read, 512 MB", read_rate(a, n) / 1e9);
  printf("%-34s %7.1f GB/s\n", "copied, 512 MB", copy_rate(b, a, n) / 1e9);
  return 0;
}
