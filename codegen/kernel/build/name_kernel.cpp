#include "codegen/kernel/build/name_kernel.h"

#include "dsl/support/hash.h"

#include <fmt/format.h>

namespace mpf {

std::string nameOfText(std::string_view family, const std::string &text) {
  const Hash128 hash = HashBuilder().add(text).finish();
  return fmt::format("{}_{}", family, hash.hex().substr(0, 16));
}

} // namespace mpf
