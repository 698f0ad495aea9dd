// Options for reading a model file of any format.
#pragma once

#include "dsl/formats/uai_table_order.h"
#include "dsl/model/build/check_network.h"
#include "dsl/model/resolve/build_options.h"

#include <optional>

namespace mpf {

struct ModelReadOptions {
  BuildOptions build = {};                 ///< `normalise` for all formats, the rest only for .mpf
  NetworkCheck check = NetworkCheck::Here; ///< for formats other than .mpf
  /// The order of tables in BAYES files of .uai. Not set: Format, with a warning if the file looks
  /// as if it had another order.
  std::optional<UaiTableOrder> uaiTables = {};
};

} // namespace mpf
