#include "dsl/support/files/file_output.h"

namespace mpf {

void writeFile(const std::string &path, std::string_view contents, const WriteOptions &options) {
  OutputFile file(path, options);
  file.append(contents);
  file.place();
}

} // namespace mpf
