// What the driver of a GPU that is not there (fake_cuda.cpp) knows of kernels: their names, and of
// those of lanes what they are given.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace mpf::fake {

/// Functions are places here.
struct KernelName {
  char text[96];
};
inline KernelName kernelNames[4096]; // the last one stands for all that are too many

inline void noteKernel(const void *function) {
  const char *path = std::getenv("MPF_FAKE_CUDA_KERNELS");
  std::FILE *file = path != nullptr ? std::fopen(path, "a") : nullptr;
  if (file == nullptr)
    return;
  std::fprintf(file, "%s\n", static_cast<const KernelName *>(function)->text);
  std::fclose(file);
}

/// What a kernel of lanes in f64 is given (codegen/bundle/lanes/lane_kernel.h): the answer to a
/// case becomes its first word of codes and 1.
inline void echoCodes(void **arguments) {
  uint64_t codes = 0, results = 0;
  int count = 0;
  std::memcpy(&codes, arguments[0], sizeof(codes));
  std::memcpy(&count, arguments[3], sizeof(count));
  std::memcpy(&results, arguments[5], sizeof(results));
  for (uint64_t i = 0; i < static_cast<uint64_t>(count); ++i) {
    uint32_t word = 0;
    std::memcpy(&word, reinterpret_cast<const void *>(codes + sizeof(word) * i), sizeof(word));
    const double answer = 1.0 + word;
    std::memcpy(reinterpret_cast<void *>(results + sizeof(answer) * i), &answer, sizeof(answer));
  }
}

} // namespace mpf::fake
