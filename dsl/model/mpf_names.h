// Spells the variables and factors of a Model as in .mpf source.
#pragma once

#include "dsl/model/model.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// "P(wet)": the name of the conditional factor of a variable.
std::string probName(std::string_view child);

/// "P(wet | sprinkler, rain)": the notation for a conditional factor with the child last in
/// `scope`.
std::string probNotation(const Model &model, const std::vector<VarId> &scope);

/// The parts of "s[0][12]": base "s", indices 0 and 12. Other texts are a base without indices.
struct IndexedName {
  std::string base;
  std::vector<uint64_t> indices;
};
IndexedName splitIndexedName(const std::string &name);

/// A run of variables that one `var` item declares: `x`, or the index array `s[2][3]`.
struct VariableRun {
  size_t first = 0, count = 1;
  std::string base;           ///< "x", "s"
  std::vector<uint64_t> dims; ///< empty for a scalar
};

/// All variables in order. An index array is one run if all its elements are there, in row-major
/// order, with the same domain; otherwise each element is a separate run.
std::vector<VariableRun> groupVariables(const Model &model);

/// The spellings of one Model, which must outlive this object. Immutable.
class MpfSpelling {
public:
  explicit MpfSpelling(const Model &model);

  const std::vector<VariableRun> &runs() const { return runs_; }
  const std::string &variable(VarId id) const { return variables_[id.index()]; }
  std::string list(const std::vector<VarId> &ids, std::string_view separator = ", ") const;

  /// Whether a `prob` declaration gives exactly this factor: it is conditional, its name is
  /// P(child), and its rows are those of a `prob` (row_sums.h) unless they are swept.
  bool isProb(const Factor &factor) const;
  /// Splits "h[0][1]" of family "h" into base "h", indices 0 and 1. Any other factor gives its
  /// name, without indices.
  IndexedName member(const Factor &factor) const;
  /// Returns the name of the factor in queries: `f`, `h[0][1]`, `P(x)`.
  std::string reference(const Factor &factor) const;

private:
  const Model &model_;
  std::vector<VariableRun> runs_;
  std::vector<std::string> variables_;
};

} // namespace mpf
