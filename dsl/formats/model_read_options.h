// How a model file of any format is read.
#pragma once

#include "dsl/formats/uai_table_order.h"
#include "dsl/model/build/check_network.h"
#include "dsl/model/resolve/build_options.h"

#include <optional>

namespace mpf {

struct ModelReadOptions {
  BuildOptions build = {};                 ///< `normalise` for all formats, the rest for .mpf alone
  NetworkCheck check = NetworkCheck::Here; ///< for the other formats
  /// For BAYES files of .uai; none: Format, with a warning where the text looks like another one.
  std::optional<UaiTableOrder> uaiTables = {};
};

} // namespace mpf
