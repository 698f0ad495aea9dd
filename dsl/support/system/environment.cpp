#include "dsl/support/system/environment.h"

#include <cstdlib>

namespace mpf {

std::string environmentValue(const char *name) {
  const char *value = ::secure_getenv(name);
  return value != nullptr ? value : "";
}

std::string temporaryFolder() {
  const std::string folder = environmentValue("TMPDIR");
  return folder.empty() ? "/tmp" : folder;
}

} // namespace mpf
