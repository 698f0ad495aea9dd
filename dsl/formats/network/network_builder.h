// Variables, conditional tables and other factors -> Model, for readers of all formats of
// networks, and for networks from arrays. A reader parses the syntax and passes the places of
// names. The builder checks what a network must satisfy and reports errors at these places. A
// ConditionalTable (conditional_table.h) collects the entries of one conditional table.
#pragma once

#include "dsl/model/build/check_network.h"
#include "dsl/model/judge_rows.h"
#include "dsl/model/model.h"
#include "dsl/model/model_limits.h"
#include "dsl/model/noisy_max.h"
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

/// A name, label or number, and its place in the text.
struct PlacedText {
  std::string_view text;
  SourceRange range;
};

/// The hash of a map with keys of text that is looked up with a string_view. No code iterates over
/// such a map: its order is not defined.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
template <class Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

/// A variable whose states are being read.
struct NamedVariable {
  std::string name;
  SourceRange place;
  std::vector<std::string> labels;
  TextMap<uint32_t> states; ///< label -> state
};

/// Functions that report an error return false or nothing and leave out what was wrong. The other
/// functions can still be called, so that one run reports all errors of a file. Not thread-safe;
/// the sink must outlive the builder.
class NetworkBuilder {
public:
  NetworkBuilder(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                 const ModelLimits &limits = {});
  /// Continues a complete model without a text: all places are empty. finish() is not called.
  NetworkBuilder(Model model, Diagnostics &diagnostics, const ModelLimits &limits = {});

  const Model &model() const { return model_; }
  const ModelLimits &limits() const { return limits_; }
  Diagnostics &diagnostics() { return diagnostics_; }
  SourcePlace placeOf(SourceRange range) const { return {buffer_, range}; }
  /// Whether any error was reported to the sink since this object was made.
  bool failed() const { return diagnostics_.errorCount() != errorsBefore_; }
  /// Reports an error; always false.
  template <class... Args>
  bool error(SourceRange at, fmt::format_string<Args...> format, Args &&...args) {
    diagnostics_.error(placeOf(at), format, std::forward<Args>(args)...);
    return false;
  }

  /// Sets the network's name. Without it the name is made from the file's (model_name.h).
  void setName(std::string_view name) { model_.name = name; }

  /// Makes setValues divide rows that do not sum to 1 by their sums.
  void normaliseRows() { rows_.rule().divides = true; }
  /// Makes setValues divide rows by their sums, with a note, if these are so far from 1.
  void divideRowsBeyond(double distance) { rows_.rule().dividesBeyond = distance; }
  /// Makes setValues accept rows that are far from 1, with a warning that has this hint, which is
  /// not empty and outlives this.
  void takeFarRows(std::string_view hint) { rows_.rule().hintForFar = hint; }

  /// Reserve memory for a file that starts with counts. The reader has compared the counts with the
  /// size of the text.
  void reserveVariables(size_t count);
  void reserveFactors(size_t count);

  /// Begins a variable; its states follow. Reports a name that is taken, and too many variables.
  std::optional<NamedVariable> startVariable(const PlacedText &name);
  /// Reports a label that the variable has already, and too many states.
  bool addState(NamedVariable &variable, const PlacedText &label);
  /// Adds a variable with all its states. Reports a variable without states.
  bool addVariable(NamedVariable variable);
  /// Adds a variable whose states have numbers alone. Reports none, and too many.
  bool addVariable(NamedVariable variable, uint32_t extent);
  /// Adds the variable x7 for the number 7; the numbers are distinct. It has no labels and cannot
  /// be looked up by name. `extent` is within the limits.
  void addNumberedVariable(uint32_t extent, SourceRange place, uint64_t number);
  /// Adds a variable without labels that cannot be looked up by name. No other variable has the
  /// name; `extent` is within the limits. Reports too many variables.
  bool addUnlabelledVariable(std::string name, uint32_t extent, SourceRange place);
  /// Notes that a variable could not be read. Unknown names are not reported from then on, since
  /// one of them may be its name.
  void markIncomplete() { incomplete_ = true; }

  /// The variable of this name, and the state of a variable with this label; nothing is reported.
  std::optional<VarId> variableNamed(std::string_view name) const;
  std::optional<uint32_t> stateNamed(VarId variable, std::string_view label) const;
  /// The variable of this name. Reports a name that no variable has, unless markIncomplete was
  /// called.
  std::optional<VarId> findVariable(const PlacedText &name);
  /// The state of a named variable with this label. Reports an unknown label.
  std::optional<uint32_t> findState(VarId variable, const PlacedText &label);
  /// The label of a state, or its number if the variable has no labels.
  std::string stateText(VarId variable, uint64_t state) const;

  /// Whether claimTable was called for `child`.
  bool hasTable(VarId child) const { return tablePlaces_[child.index()].has_value(); }
  /// Notes that the conditional table of `child` is at `place`. Reports a second table of `child`.
  bool claimTable(VarId child, SourceRange place);
  /// Adds P(child | parents), the child last in `scope`. claimTable was called for the child;
  /// warnings point to the place it was given.
  FactorId addConditional(std::vector<VarId> scope);
  /// Judges rows of conditional tables and of noisy-max.
  RowJudge &rows() { return rows_; }
  /// Adds P(effect | causes) as the chain of noisy_max.h. All variables are added, and claimTable
  /// was called for the effect. Reports at `place` a chain beyond the limits.
  bool addNoisyMax(const NoisyMax &noisy, SourceRange place);
  /// Adds any other factor.
  FactorId addFactor(std::string name, std::vector<VarId> scope);
  /// Adds such a factor with its values, which stand at `place`. Reports more factors than the
  /// limit.
  bool addTable(std::string name, std::vector<VarId> scope, std::span<const double> values,
                SourceRange place);
  /// Adds such a factor with a table that StoredValues reads, and does not copy it. Null: it is an
  /// `input` without defaults. Reports more factors than the limit, and entries beyond elemsLeft.
  bool addStored(std::string name, std::vector<VarId> scope, TableValues table, SourceRange place);
  /// Adds the factor to the queries that are about every factor: the short forms.
  void addToQueries(FactorId factor);
  /// Takes the last factor away, and the claim of its child.
  void removeLastFactor();
  /// Sets the entries of a factor, row-major over its scope, as StoredValues reads them
  /// (wide_table.h). Rows of a conditional table that do not sum to 1 are treated by the rule of
  /// dsl/support/numbers/row_sums.h: divided, taken with a warning, or reported. A table with a row
  /// that is far from 1 and taken, or has an entry below 0, becomes a factor that is not
  /// conditional. `values` stand at `place`, the first one below 0 at `negative`. A factor with
  /// reported rows stays as it was.
  void setValues(FactorId factor, std::span<const double> values, SourcePlace place,
                 SourcePlace negative = {});

  /// Gives the factor the values of another one, whose variables have the same extents.
  void shareValues(FactorId factor, FactorId other);
  /// Makes the factor an `input`, with these values until others are bound; empty: it has none.
  void setInput(FactorId factor, std::span<const double> defaults, bool bindsNegative);

  /// The number of rows accepted so far although their sums are far from 1.
  uint64_t farRows() const { return farRows_; }

  /// elemsLeft: the entries that further tables may have. unlistedElemsLeft: how many of them the
  /// file need not list, because a default row or a noisy-max fills them.
  uint64_t elemsLeft() const { return limits_.maxTotalElems - elems_; }
  uint64_t unlistedElemsLeft() const;
  void useElems(uint64_t elems, uint64_t unlistedElems);

  /// Returns the Model with one query of kind `query` over all factors; nothing if failed(). Call
  /// it once. Warns of rows that do not sum to 1 and, unless `check` leaves that to the caller, of
  /// tables that are no Bayesian network (check_network.h). Warns of a network (query "marginals")
  /// without any table. The labels of a variable are dropped if they are the numbers 0, 1, 2, ...
  std::optional<Model> finish(QueryKind query, NetworkCheck check);
  /// Returns the model as it is; the builder is of no further use.
  Model take() { return std::move(model_); }

private:
  void addNamed(NamedVariable variable, uint32_t extent);
  bool hasRoom(SourceRange place);       ///< reports too many variables at `place`
  bool hasFactorRoom(SourceRange place); ///< reports too many factors at `place`
  uint64_t elemsOf(const std::vector<VarId> &scope) const; ///< saturates
  JudgedRows judgeRows(const Factor &factor, VarId child, std::span<const double> values);
  void warn(NetworkCheck check);
  void dropNumberLabels();

  std::shared_ptr<const SourceBuffer> buffer_;
  Diagnostics &diagnostics_;
  const ModelLimits limits_;
  const size_t errorsBefore_;
  Model model_;
  TablePool pool_;
  bool incomplete_ = false;
  TextMap<VarId> names_;                    ///< the named variables
  std::vector<uint32_t> extents_;           ///< of each variable: a small copy stays in the cache
  std::vector<SourceRange> variablePlaces_; ///< place of each variable
  std::vector<TextMap<uint32_t>> states_;   ///< states of labels, by VarId
  std::vector<std::optional<SourceRange>> tablePlaces_; ///< place of each child's table
  std::vector<VarId> children_; ///< child of each factor; not valid: not conditional
  uint64_t elems_ = 0, unlistedElems_ = 0;
  RowJudge rows_;
  uint64_t farRows_ = 0;
};

/// "(yes, no)": the states of `parents` in this row of a table, the last parent fastest.
std::string rowText(const NetworkBuilder &network, std::span<const VarId> parents, uint64_t row);
/// "P(lung | ...)", or "P(smoke)" without parents.
std::string conditionalText(const NetworkBuilder &network, VarId child, bool hasParents);

} // namespace mpf
