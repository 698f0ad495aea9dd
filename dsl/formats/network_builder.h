// Variables, conditional tables and other factors -> Model: what the readers of the field's formats
// share. A reader knows the syntax and where things stand; the builder knows what a network may be
// and says, at the place that the reader names, what is wrong. The entries of one conditional table
// are collected in a ConditionalTable (conditional_table.h).
#pragma once

#include "dsl/model/build/check_network.h"
#include "dsl/model/model.h"
#include "dsl/model/model_limits.h"
#include "dsl/model/resolve/table_pool.h"
#include "dsl/source/diagnostic.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mpf {

/// A name, label or number and where it stands.
struct PlacedText {
  std::string_view text;
  SourceRange range;
};

/// For look-ups with a string_view. Only looked up, never walked.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
template <class Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

/// A variable while its states are read.
struct NamedVariable {
  std::string name;
  SourceRange place;
  std::vector<std::string> labels;
  TextMap<uint32_t> states; ///< label -> state
};

/// Functions that report give false or nothing when they did. Not thread-safe; the sink must
/// outlive it. What is reported is dropped: the other functions go on with what is sound, so that
/// all errors of a file come in one go.
class NetworkBuilder {
public:
  NetworkBuilder(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                 const ModelLimits &limits = {});

  const Model &model() const { return model_; }
  const ModelLimits &limits() const { return limits_; }
  Diagnostics &diagnostics() { return diagnostics_; }
  SourcePlace placeOf(SourceRange range) const { return {buffer_, range}; }
  /// An error was reported since this was made, here or elsewhere.
  bool failed() const { return diagnostics_.errorCount() != errorsBefore_; }
  /// Reports; always false.
  template <class... Args>
  bool error(SourceRange at, fmt::format_string<Args...> format, Args &&...args) {
    diagnostics_.error(placeOf(at), format, std::forward<Args>(args)...);
    return false;
  }

  /// The network's own name. Without one it is that of the file.
  void setName(std::string_view name) { model_.name = name; }

  /// For files that say the counts beforehand; held against the text by the reader.
  void reserveVariables(size_t count);
  void reserveFactors(size_t count);

  /// Reports a name that is taken, and one variable too many.
  std::optional<NamedVariable> startVariable(const PlacedText &name);
  /// Reports a label that is taken, and one state too many.
  bool addState(NamedVariable &variable, const PlacedText &label);
  /// Reports a variable without states.
  bool addVariable(NamedVariable variable);
  /// The next of the variables x0, x1, ..., which have no labels and which nobody looks up.
  /// `extent` is within the limits.
  void addNumberedVariable(uint32_t extent, SourceRange place);
  /// A variable could not be read: unknown names may be its, and are not reported any more.
  void markIncomplete() { incomplete_ = true; }

  /// Reports a name that no variable has.
  std::optional<VarId> findVariable(const PlacedText &name);
  /// Reports a label that no state of a named variable has.
  std::optional<uint32_t> findState(VarId variable, const PlacedText &label);
  /// The label, or the number if there is none.
  std::string stateText(VarId variable, uint64_t state) const;

  /// There is a conditional table of `child`, or one that was refused.
  bool hasTable(VarId child) const { return tablePlaces_[child.index()].has_value(); }
  /// Reports a second conditional table of `child`.
  bool claimTable(VarId child, SourceRange place);
  /// P(child | parents), the child last in `scope`; its claimed place is where warnings point to.
  FactorId addConditional(std::vector<VarId> scope);
  /// Any other factor.
  FactorId addFactor(std::string name, std::vector<VarId> scope);
  /// Row-major over the scope, as many as it needs. A conditional table with a row that does not
  /// sum to 1 as `prob` demands is kept as any other factor; rows that are far from 1 are counted
  /// for a warning.
  void setValues(FactorId factor, std::span<const double> values);

  /// What is left of the limit on the entries of all tables, and of those that no number in the
  /// file stands for (a default that fills rows).
  uint64_t elemsLeft() const { return limits_.maxTotalElems - elems_; }
  uint64_t unlistedElemsLeft() const;
  void useElems(uint64_t elems, uint64_t unlistedElems);

  /// The Model with one query of this kind over all factors; nothing after an error. Warns of rows
  /// that are far from summing to 1 and, unless the caller does, of what is no Bayesian network
  /// (check_network.h). Labels 0, 1, 2, ... of a variable are dropped: its states are numbers. Call
  /// it once.
  std::optional<Model> finish(QueryKind query, NetworkCheck check);

private:
  void checkRows(Factor &factor, FactorId id);
  void warn(NetworkCheck check);
  void dropNumberLabels();

  std::shared_ptr<const SourceBuffer> buffer_;
  Diagnostics &diagnostics_;
  const ModelLimits limits_;
  const size_t errorsBefore_;
  Model model_;
  TablePool pool_;
  bool incomplete_ = false;
  TextMap<VarId> names_;                                ///< of named variables
  std::vector<SourceRange> variablePlaces_;             ///< by VarId
  std::vector<TextMap<uint32_t>> states_;               ///< by VarId, of named variables
  std::vector<std::optional<SourceRange>> tablePlaces_; ///< by VarId: where its table was claimed
  std::vector<VarId> children_;                         ///< by FactorId; not valid: not conditional
  uint64_t elems_ = 0, unlistedElems_ = 0;
  uint64_t badRows_ = 0; ///< far from summing to 1, and the first of them:
  SourceRange badPlace_;
  std::string badRow_;
};

/// "(yes, no)": the states of `parents` in this row of a table, the last parent fastest.
std::string rowText(const NetworkBuilder &network, std::span<const VarId> parents, uint64_t row);
/// "P(lung | ...)", or "P(smoke)" without parents.
std::string conditionalText(const NetworkBuilder &network, VarId child, bool hasParents);

} // namespace mpf
