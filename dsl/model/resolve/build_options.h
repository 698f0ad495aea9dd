// Options for building a Model: other files, overrides, limits.
#pragma once

#include "dsl/model/array_file.h"
#include "dsl/model/model.h"
#include "dsl/model/model_limits.h"
#include "dsl/model/resolve/outside_value.h"
#include "dsl/source/diagnostic.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mpf {

/// Functions that read other files. dsl/formats/model_files.h makes them; dsl/model does not depend
/// on that folder. The paths they get are relative to the working directory; `place` is where the
/// source names the path. If a function is null, the construct that needs it is an error: a
/// default-constructed value reads no file at all, which fuzzers rely on.
///
/// When a file cannot be read, the function reports to `diagnostics` and returns nothing, or it
/// throws Error(BadInput), which the builder reports at `place`.
struct ModelFiles {
  /// `include "base.mpf"`: the whole text.
  std::function<std::string(const std::string &path)> readText;
  /// `file("h.npy")`: makes the object that reads the arrays of one model.
  std::function<std::unique_ptr<ArraySource>()> openArrays;
  /// `observe cases file("cases.csv")`: the list of cases, of which only the header is read.
  /// `model` has all its variables, params and factors, and no evidence yet.
  std::function<std::shared_ptr<CaseSource>(const std::string &path, const Model &model,
                                            Diagnostics &diagnostics)>
      openCases;
  /// `import "net.uai"`: a model of a format other than .mpf, given by the ending of the path.
  std::function<std::optional<Model>(const std::string &path, Diagnostics &diagnostics)>
      importModel;
};

/// Settings for a model's params from outside of its text.
struct ParamSettings {
  std::map<std::string, OutsideValue> values; ///< overrides, by name
  /// Params that cases set. Those that columns of `observe cases` name may be missing here.
  std::set<std::string> varying;

  bool empty() const { return values.empty() && varying.empty(); }
};

struct BuildOptions {
  ModelLimits limits;
  ParamSettings params;
  ModelFiles files;
  bool normalise = false; ///< divide rows that do not sum to 1 by their sums (row_sums.h)
};

} // namespace mpf
