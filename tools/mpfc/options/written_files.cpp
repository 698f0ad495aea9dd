#include "tools/mpfc/options/written_files.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <filesystem>

namespace mpf::driver {

std::vector<std::pair<std::string_view, std::string>> writtenFiles(const Options &options) {
  std::vector<std::pair<std::string_view, std::string>> files;
  const auto isGiven = [&](std::string_view name) {
    return std::ranges::find(options.given, name) != options.given.end();
  };
  for (const auto &[name, path] :
       {std::pair("-o", options.output), std::pair("--json", options.json),
        std::pair("--html", options.html)})
    if (!path.empty() && path != "-") // --format makes -o the file of the others
      files.emplace_back(isGiven(name) ? name : "-o", path);
  return files;
}

bool isSameFile(const std::string &a, const std::string &b) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  return (a == b || fs::equivalent(a, b, ignored)) &&
         (!fs::exists(a, ignored) || fs::is_regular_file(a, ignored));
}

void requireNotWritten(const Options &options, const std::string &path, std::string_view what) {
  if (path.empty() || path == "-")
    return;
  for (const auto &[option, output] : writtenFiles(options))
    if (isSameFile(output, path))
      fail(ErrorKind::Usage, "{} {} is the same file as {}", option, output, what);
}

} // namespace mpf::driver
