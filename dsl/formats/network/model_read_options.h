// Options for reading a model file of any format.
#pragma once

#include "dsl/formats/network/channel.h"
#include "dsl/formats/network/pedigree_options.h"
#include "dsl/model/build/check_network.h"
#include "dsl/model/resolve/build_options.h"

#include <optional>
#include <string>
#include <string_view>

namespace mpf {

enum class UaiTableOrder {
  Format, ///< the last variable of the scope fastest, as the format demands
  Agrum,  ///< BAYES files of aGrUM and pyAgrum, seen in 3.3.1: the child, which is last, fastest,
          ///< then the first of the parents
  Pgmpy,  ///< BAYES files of pgmpy, seen in 1.1.2: the first variable fastest, the child slowest
};

struct ModelReadOptions {
  BuildOptions build = {};                 ///< `normalise` for all formats, the rest only for .mpf
  NetworkCheck check = NetworkCheck::Here; ///< for formats other than .mpf
  /// The order of tables in BAYES files of .uai. Not set: Format, with a warning if the file looks
  /// as if it had another order.
  std::optional<UaiTableOrder> uaiTables = {};
  PedigreeOptions pedigree = {};
  std::string tensors = {};            ///< the archive of the operands of an einsum; empty: none
  std::optional<Channel> channel = {}; ///< over which words of the code come; not set: none came
};

/// The names of options on the command line that only some formats read (format_options.h).
inline constexpr std::string_view kUaiTablesOption = "--uai-tables", kTensorsOption = "--tensors";

} // namespace mpf
