// A temporary folder for the files of a measurement.
#pragma once

#include "dsl/support/check.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace mpf::bench {

/// The folder. Its destructor removes it with all files.
class ScratchFolder {
public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "mpf-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      fail(ErrorKind::Usage, "there is no place for a folder in {}",
           std::filesystem::temp_directory_path().string());
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

  std::string file(const std::string &name) const { return (path_ / name).string(); }

private:
  std::filesystem::path path_;
};

} // namespace mpf::bench
