// How the variables and factors of a Model are spelled in .mpf source.
#pragma once

#include "dsl/model/model.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// "P(wet | sprinkler, rain)": a conditional factor as people write it, the child last in `scope`.
std::string probNotation(const Model &model, const std::vector<VarId> &scope);

/// "s[0][12]" -> base "s", indices 0 and 12; no indices when the text is not of this form.
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

/// Every variable in order, index arrays that are complete and in row-major order as one run.
std::vector<VariableRun> groupVariables(const Model &model);

/// The spellings of one Model. Keeps a reference to it; cheap calls, no state changes.
class MpfSpelling {
public:
  explicit MpfSpelling(const Model &model);

  const std::vector<VariableRun> &runs() const { return runs_; }
  const std::string &variable(VarId id) const { return variables_[id.index()]; }
  std::string list(const std::vector<VarId> &ids, std::string_view separator = ", ") const;

  /// True when `prob P(child | parents)` says exactly this factor: its name is P(child) and its
  /// rows pass the check of the language.
  bool isProb(const Factor &factor) const;
  /// "h[0][1]" of family "h" is a member with indices; any other factor has its own name and none.
  IndexedName member(const Factor &factor) const;
  /// How a query names it: `f`, `h[0][1]`, `P(x)`.
  std::string reference(const Factor &factor) const;

private:
  const Model &model_;
  std::vector<VariableRun> runs_;
  std::vector<std::string> variables_;
};

} // namespace mpf
