// Functions of loops that the compiler makes for several sets of vector instructions; the fastest
// that the processor has is taken when the program starts.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) &&       \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// Before a function that is not a template. The same bits as without it, where the file is
/// compiled without fused multiply-adds and no sum of floating point is reordered.
#define MPF_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define MPF_VECTOR_CLONES
#endif
