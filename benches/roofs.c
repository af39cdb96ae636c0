// What a machine does at most on one core, as GCC compiles it: multiply-adds on fp32 in registers,
// reading a block over and over, and STREAM's triad. Takes the sizes of blocks in bytes, and prints
// one rate per line: GFLOP/s, then GB/s of reading each block, then GB/s of the triad over the last.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef float lanes __attribute__((vector_size(__BIGGEST_ALIGNMENT__)));
enum { CHAINS = 12, WIDTH = sizeof(lanes) / sizeof(float), TRIALS = 200 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static double multiply_adds(void) {
    const int turns = 20000;
    lanes sums[CHAINS] = {{0}}, factor, term;
    for (int lane = 0; lane < WIDTH; lane++) factor[lane] = 0.999f, term[lane] = 0.001f;
    double start = now();
    for (int turn = 0; turn < turns; turn++) {
#pragma GCC unroll 12
        for (int chain = 0; chain < CHAINS; chain++) {
            sums[chain] = sums[chain] * factor + term;
            __asm__ volatile("" : "+v"(sums[chain]));
        }
    }
    return 2.0 * turns * CHAINS * WIDTH / (now() - start);
}

static double reading(const lanes *block, size_t bytes) {
    size_t length = bytes / sizeof(lanes) / 8 * 8;
    size_t turns = 1 + (4 << 20) / bytes;
    lanes sums[8] = {{0}};
    double start = now();
    for (size_t turn = 0; turn < turns; turn++) {
        for (size_t at = 0; at < length; at += 8) {
#pragma GCC unroll 8
            for (int chain = 0; chain < 8; chain++) sums[chain] += block[at + chain];
        }
        __asm__ volatile("" : : "r"(block) : "memory");
    }
    double took = now() - start;
    for (int chain = 0; chain < 8; chain++) __asm__ volatile("" : : "v"(sums[chain]));
    return (double)turns * length * sizeof(lanes) / took;
}

static double triad(float *a, const float *b, const float *c, size_t length) {
    double start = now();
    for (size_t at = 0; at < length; at++) a[at] = b[at] + 3.0f * c[at];
    __asm__ volatile("" : : "r"(a) : "memory");
    return 3.0 * length * sizeof(float) / (now() - start);
}

int main(int count, char **sizes) {
    double best = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        double rate = multiply_adds();
        if (rate > best) best = rate;
    }
    printf("%g\n", best);
    size_t bytes = 0;
    for (int place = 1; place < count; place++) {
        bytes = strtoull(sizes[place], NULL, 10);
        void *block = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
        memset(block, 0, bytes);
        best = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            double rate = reading(block, bytes);
            if (rate > best) best = rate;
        }
        free(block);
        printf("%g\n", best);
    }
    size_t length = bytes / 3 / sizeof(float);
    float *a = malloc(3 * length * sizeof(float));
    memset(a, 0, 3 * length * sizeof(float));
    best = 0;
    for (int trial = 0; trial < TRIALS / 4; trial++) {
        double rate = triad(a, a + length, a + 2 * length, length);
        if (rate > best) best = rate;
    }
    printf("%g\n", best);
    return 0;
}
