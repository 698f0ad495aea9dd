// A Model as a Bayesian network, for writers of formats that hold nothing else: one conditional
// table for each variable, and names that the format can spell.
#pragma once

#include "dsl/model/model.h"
#include "dsl/model/noisy_max.h"

#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// The limits of a format, and its name in messages.
struct NetworkRules {
  std::string_view ending; ///< ".xml"
  /// Whether the format can spell a name of a variable, and the label of a state.
  bool (*isName)(std::string_view text);
  bool (*isLabel)(std::string_view text);
  /// Whether the format has this noisy-max. If it lacks one, or is null, all are written as tables
  /// over all causes.
  bool (*keepsNoisyMax)(const NoisyMax &noisy) = nullptr;
  /// Readers divide a row whose sum is farther than this from 1 by it.
  double rowTolerance = std::numeric_limits<double>::infinity();
};

/// The table of one variable.
struct TableToWrite {
  std::vector<VarId> parents;
  FactorId factor;               ///< its values are row-major over (parents..., child)
  uint64_t elems = 0;            ///< number of its values
  std::optional<NoisyMax> noisy; ///< set in place of the values if the format has it
};

/// The network of a model. Evidence, likelihoods and queries are no part of it.
class NetworkToWrite {
public:
  /// Throws Error(Unsupported) for a factor that is no conditional table or has no finite values, a
  /// variable without a table, and one with several.
  NetworkToWrite(const Model &model, const NetworkRules &rules);

  size_t size() const { return tables_.size(); } ///< variables
  /// The name as written: unique, with `_` for what the format cannot spell.
  const std::string &name(VarId id) const { return names_[id.index()]; }
  std::string label(VarId id, uint64_t state) const;
  uint32_t extent(VarId id) const { return model_.variable(id).extent; }
  const TableToWrite &table(VarId child) const { return tables_[child.index()]; }
  /// The entries of the child's table as text, one for each.
  std::string entry(VarId child, uint64_t index) const;
  uint64_t entries(VarId child) const { return table(child).elems; }
  /// The name of the network, as isName allows it.
  std::string modelName() const;

  /// A sentence on each thing of the model that the network has not.
  std::vector<std::string> losses() const;

private:
  void findTables();
  void nameVariables();
  void labelStates(VarId id);
  uint64_t rowsThatReadersDivide() const;

  const Model &given_;
  const NetworkRules rules_;
  const Model model_; ///< without chains unless the format has them
  std::vector<TableToWrite> tables_;
  std::vector<std::string> names_;
  std::vector<std::string> renamed_; ///< "'a b' is a_b"
  std::map<VarId, std::vector<std::string>> relabelled_;
};

/// Rules for names and labels. A text is printable if it is valid UTF-8, not empty, and without
/// control characters; it can be quoted if it has neither `"` nor `\` either. An ASCII name has
/// letters, digits and `_`, and begins with no digit.
bool isPrintableText(std::string_view text);
bool isQuotableText(std::string_view text);
bool isAsciiName(std::string_view text);

/// Appends "first, second, ..." with `separator` between the names of the variables.
void appendNames(std::string &out, const NetworkToWrite &network, std::span<const VarId> variables,
                 std::string_view separator);

} // namespace mpf
