// The kernels of the fake driver of a GPU (fake_cuda.cpp): their names, and the arguments of
// kernels of lanes.
#pragma once

#include "tests/support/fake_case_kernels.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <mutex>
#include <string_view>

namespace mpf::fake {

/// The name of a kernel. Function handles are pointers to elements of kernelNames.
struct KernelName {
  char text[96];
};
inline KernelName kernelNames[4096]; // all kernels beyond these share the last element

inline KernelName *kernelNamed(const char *name) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  KernelName *known = kernelNames, *const last = std::end(kernelNames) - 1;
  while (known != last && known->text[0] != '\0' && std::strcmp(known->text, name) != 0)
    ++known;
  if (std::strcmp(known->text, name) != 0) // threads may read it
    std::snprintf(known->text, sizeof(known->text), "%s", name);
  return known;
}

inline void noteKernel(const void *function) {
  const char *path = std::getenv("MPF_FAKE_CUDA_KERNELS");
  std::FILE *file = path != nullptr ? std::fopen(path, "a") : nullptr;
  if (file == nullptr)
    return;
  std::fprintf(file, "%s\n", static_cast<const KernelName *>(function)->text);
  std::fclose(file);
}

/// The positions of some arguments of a kernel that answers cases in f64.
struct CaseArguments {
  int codes, count, results;
};
/// The positions in kernels of lanes (codegen/bundle/lanes/lane_kernel.h) and of teams
/// (mpf_teams.cuh).
constexpr CaseArguments kOfLanes = {0, 3, 5}, kOfTeams = {3, 6, 8};

/// Returns the answer to a case: its first word of codes plus 1. With MPF_FAKE_CUDA_LOST=WORD the
/// cases of this word leave the range of numbers.
inline double answerOf(uint32_t word) {
  const char *const lost = std::getenv("MPF_FAKE_CUDA_LOST");
  const bool isLost = lost != nullptr && word == std::strtoul(lost, nullptr, 10);
  return isLost ? std::numeric_limits<double>::infinity() : 1.0 + word;
}

/// Answers cases whose words of codes are in memory.
inline void echoCodes(const CaseArguments &which, void **arguments) {
  uint64_t codes = 0, results = 0;
  int count = 0;
  std::memcpy(&codes, arguments[which.codes], sizeof(codes));
  std::memcpy(&count, arguments[which.count], sizeof(count));
  std::memcpy(&results, arguments[which.results], sizeof(results));
  for (uint64_t i = 0; i < static_cast<uint64_t>(count); ++i) {
    uint32_t word = 0;
    std::memcpy(&word, reinterpret_cast<const void *>(codes + sizeof(word) * i), sizeof(word));
    const double answer = answerOf(word);
    std::memcpy(reinterpret_cast<void *>(results + sizeof(answer) * i), &answer, sizeof(answer));
  }
}

/// Does the work of the kernel that turns rows of bytes
/// (runtime/execute/gpu/lanes/gpu_byte_rows.h); the structs are the kernel's arguments.
inline void turnRows(void **arguments) {
  struct Byte {
    int32_t place, states, none, unused;
  };
  struct {
    const unsigned char *rows;
    const Byte *bytes;
    uint32_t *words, *refused;
    int32_t rowCodes, wordCount, pitch, count, halves, unused;
  } launch;
  std::memcpy(&launch, arguments[0], sizeof(launch));
  for (int64_t w = 0; w < launch.wordCount; ++w)
    for (int64_t i = 0; i < launch.pitch; ++i) {
      uint32_t word = 0;
      for (int c = 0; c < 4 && i < launch.count; ++c) {
        const Byte &byte = launch.bytes[4 * w + c];
        if (byte.place < 0)
          continue;
        const int64_t at = i * launch.rowCodes + byte.place;
        const int both = launch.rows[at >> launch.halves];
        const int value = launch.halves == 0 ? both : both >> (4 * (at & 1)) & 15;
        if (value >= byte.states && value < byte.none)
          *launch.refused = 1;
        word |= static_cast<uint32_t>(value < byte.states ? value : byte.states) << (8 * c);
      }
      launch.words[w * launch.pitch + i] = word;
    }
}

/// Answers cases as a kernel of lists of cases. Other kernels have other arguments, so they do
/// nothing.
inline void echo(const void *function, void **arguments, unsigned blocks) {
  const std::string_view name = static_cast<const KernelName *>(function)->text;
  if (name == "mpf_turn_rows")
    turnRows(arguments);
  else if (name == "mpf_pack_cases")
    runBlocks(mpf_pack_cases, arguments, blocks);
  else if (name == "mpf_pack_columns")
    runBlocks(mpf_pack_columns, arguments, blocks);
  else if (name == "mpf_pack_rows")
    packRows(arguments);
  else if (name == "mpf_pack_wide_rows")
    packWideRows(arguments);
  else if (name == "mpf_write_answers")
    runBlocks(mpf_write_answers, arguments, blocks);
  else if (name.starts_with("rows_lanes_"))
    answerRows(arguments, kOfLanes.results, kOfLanes.count, answerOf);
  else if (name.starts_with("mpf_team_"))
    echoCodes(kOfTeams, arguments);
  else if (name.starts_with("lanes_"))
    echoCodes(kOfLanes, arguments);
}

} // namespace mpf::fake
