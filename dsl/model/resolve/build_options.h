// What building a Model needs from outside: other files, overrides, limits.
#pragma once

#include "dsl/model/model.h"
#include "dsl/model/model_limits.h"
#include "dsl/model/table_file.h"
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
  /// `file("h.npy")`: the shape and entries of a table, at most `maxElems` of them.
  std::function<std::optional<TableFile>(const std::string &path, uint64_t maxElems,
                                         Diagnostics &diagnostics, const SourcePlace &place)>
      readTable;
  /// `observe cases file("cases.csv")`: the list, of whose text the header is read. `model` has all
  /// its variables, params and factors, and no evidence yet.
  std::function<std::shared_ptr<CaseSource>(const std::string &path, const Model &model,
                                            Diagnostics &diagnostics)>
      openCases;
  /// `import "net.uai"`: a model of a format other than .mpf; the ending of the path tells which.
  std::function<std::optional<Model>(const std::string &path, Diagnostics &diagnostics)>
      importModel;
};

/// What a param is given in place of what the text says.
struct GivenParam {
  GivenParam(double value) : values{value} {}
  GivenParam(std::vector<double> sweep) : values(std::move(sweep)), isSwept(true) {}

  std::vector<double> values; ///< not empty; several only where it is swept
  bool isSwept = false;       ///< over the values: each makes a case, also where there is one
};

/// What is said of a model's params outside of its text.
struct ParamSettings {
  std::map<std::string, GivenParam> values; ///< overrides, by name
  /// Params that cases set; those that columns of `observe cases` name need not be here.
  std::set<std::string> varying;

  bool empty() const { return values.empty() && varying.empty(); }
};

struct BuildOptions {
  ModelLimits limits;
  ParamSettings params;
  ModelFiles files;
  bool normalise = false; ///< divide rows by their sums that do not sum to 1 (row_sums.h)
};

} // namespace mpf
