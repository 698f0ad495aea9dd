// Reads the bytes of a `.npy` file that is in memory, for tests.
#pragma once

#include "dsl/formats/tables/npy_file.h"

#include <string_view>

namespace mpf::test {

/// Reads as readNpy does. `isKnown`: whether the reader knows the size before.
inline std::optional<StoredArray> readNpyInMemory(std::string_view file, uint64_t maxEntries,
                                                  std::string &problem, bool isKnown = true) {
  std::string_view rest = file;
  const ByteInput input{"memory",
                        [&rest](char *into, size_t size) {
                          const size_t count = rest.copy(into, size);
                          rest.remove_prefix(count);
                          return count;
                        },
                        isKnown ? std::optional<uint64_t>(file.size()) : std::nullopt};
  return readNpy(input, maxEntries, problem);
}

} // namespace mpf::test
