#include "dsl/formats/network/model_read_options.h"

namespace mpf {

std::vector<std::string_view> formatOptionsOf(const ModelReadOptions &options) {
  std::vector<std::string_view> names;
  if (options.uaiTables)
    names.push_back(kUaiTablesOption);
  return names;
}

} // namespace mpf
