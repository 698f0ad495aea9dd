#include "dsl/support/check.h"

#include <string_view>

namespace mpf::detail {

void checkFailed(const char *file, int line, const char *condition, const std::string &message) {
  // Only the file's own name: builds in different folders must print the same text.
  std::string_view name(file);
  if (const auto slash = name.rfind('/'); slash != std::string_view::npos)
    name.remove_prefix(slash + 1);
  throw Error(ErrorKind::Internal,
              fmt::format("internal error at {}:{}: {} ({})", name, line, message, condition));
}

} // namespace mpf::detail
