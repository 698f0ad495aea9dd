// What building a Model needs from outside: other files, overrides, limits.
#pragma once

#include "dsl/model/model.h"
#include "dsl/model/model_limits.h"
#include "dsl/source/diagnostic.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// A table as a .npy, .csv or text file holds it.
struct TableFile {
  std::vector<double> values;  ///< row-major
  std::vector<uint64_t> shape; ///< extents, outermost first; empty when the format has none
};

/// Readers of other formats: dsl/formats provides them, dsl/model does not know it. Paths are
/// already relative to the working directory. A null function makes its construct an error, so
/// that a default-constructed value reads no file at all (fuzzers rely on it).
///
/// readText and readTable throw Error(BadInput) when they fail; the message is reported at the
/// place of the path in the source. importModel reports to the sink and gives nothing instead.
struct ModelFiles {
  std::function<std::string(const std::string &path)> readText; ///< included .mpf, evidence cases
  std::function<TableFile(const std::string &path, uint64_t maxElems)> readTable; ///< file("...")
  std::function<std::optional<Model>(const std::string &path, Diagnostics &diagnostics)>
      importModel; ///< .uai, .bif, by the ending of the path
};

struct BuildOptions {
  ModelLimits limits;
  std::map<std::string, double> params; ///< overrides from the command line, by param name
  ModelFiles files;
};

} // namespace mpf
