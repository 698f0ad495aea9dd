#include "dsl/support/files/random_name.h"

#include <cstdint>
#include <fmt/core.h>
#include <sys/random.h>

namespace mpf {

std::string randomName() {
  uint64_t bits = 0;
  while (::getrandom(&bits, sizeof bits, 0) != sizeof bits) {
  }
  return fmt::format("{:016x}", bits);
}

} // namespace mpf
