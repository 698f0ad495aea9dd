#include "dsl/support/files/list_folder.h"

#include <cerrno>
#include <dirent.h>
#include <memory>

namespace mpf {

std::vector<std::string> namesIn(const std::string &folder, std::error_code &problem) {
  std::vector<std::string> names;
  const auto close = [](DIR *opened) { ::closedir(opened); };
  const std::unique_ptr<DIR, decltype(close)> opened(::opendir(folder.c_str()), close);
  if (!opened) {
    if (errno != ENOENT)
      problem.assign(errno, std::generic_category());
    return names;
  }
  for (;;) {
    errno = 0;
    const dirent *entry = ::readdir(opened.get());
    if (entry == nullptr)
      break;
    std::string name = entry->d_name;
    if (name != "." && name != "..")
      names.push_back(std::move(name));
  }
  if (errno != 0)
    problem.assign(errno, std::generic_category());
  return names;
}

} // namespace mpf
