#include "dsl/support/check.h"

#include <string_view>

namespace mpf::detail {

void checkFailed(const char *file, int line, const char *condition, const std::string &message) {
  // The message has the file's name without folders, so that builds in different folders print the
  // same text.
  std::string_view name(file);
  if (const auto slash = name.rfind('/'); slash != std::string_view::npos)
    name.remove_prefix(slash + 1);
  throw Error(ErrorKind::Internal,
              fmt::format("internal error at {}:{}: {} ({})", name, line, message, condition));
}

} // namespace mpf::detail
