// What building a Model needs from outside: other files, overrides, limits.
#pragma once

#include "dsl/model/model.h"
#include "dsl/model/model_limits.h"
#include "dsl/model/table_file.h"
#include "dsl/source/diagnostic.h"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace mpf {

/// Readers of other files: dsl/formats provides them (model_files.h there), dsl/model does not know
/// it. Paths are already relative to the working directory, `place` is where the source names them.
/// A null function makes its construct an error, so that a default-constructed value reads no file
/// at all (fuzzers rely on it).
///
/// Readers report to the sink and give nothing, or throw Error(BadInput), which is then reported at
/// `place`.
struct ModelFiles {
  /// Whole texts: included .mpf files.
  std::function<std::string(const std::string &path)> readText;
  /// file("h.npy")
  std::function<std::optional<TableFile>(const std::string &path, uint64_t maxElems,
                                         Diagnostics &diagnostics, const SourcePlace &place)>
      readTable;
  /// `observe cases file("cases.csv")`: states of the variables of `model`, which is complete up to
  /// its queries.
  std::function<std::optional<Evidence>(const std::string &path, const Model &model,
                                        Diagnostics &diagnostics)>
      readCases;
  /// `import "net.uai"`: any format but .mpf, by the ending of the path.
  std::function<std::optional<Model>(const std::string &path, Diagnostics &diagnostics)>
      importModel;
};

struct BuildOptions {
  ModelLimits limits;
  std::map<std::string, double> params; ///< overrides from the command line, by param name
  ModelFiles files;
};

} // namespace mpf
