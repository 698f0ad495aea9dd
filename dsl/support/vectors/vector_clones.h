// Functions of loops that the compiler makes for several sets of vector instructions. The program
// takes the fastest set of the processor when it starts.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) &&       \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// Put it before a function that is not a template. Results have the same bits as without it, if
/// the file is compiled without fused multiply-adds and no sum of floating point is reordered.
#define MPF_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define MPF_VECTOR_CLONES
#endif
