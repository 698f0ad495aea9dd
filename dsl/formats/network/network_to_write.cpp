#include "dsl/formats/network/network_to_write.h"

#include "dsl/formats/network/entry_text.h"
#include "dsl/formats/network/losses.h"
#include "dsl/model/noisy_table.h"
#include "dsl/support/check.h"
#include "dsl/support/numbers/row_sums.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace mpf {

namespace {

/// Returns the text with `_` for each character that the format cannot spell.
std::string spellable(std::string_view text, bool (*allows)(std::string_view)) {
  const auto isInside = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  std::string made;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    while (end < text.size() && isInside(text[end]))
      ++end;
    const std::string_view character = text.substr(at, end - at);
    made += allows(fmt::format("a{}a", character)) ? character : "_";
    at = end;
  }
  if (!allows(made))
    made.insert(made.begin(), 'v');
  if (!allows(made)) // a character is allowed alone, and not here
    for (char &c : made)
      c = std::isalnum(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 0x80 ? c
                                                                                              : '_';
  return made;
}

/// Makes texts that a format cannot spell into others, which are distinct.
class Renaming {
public:
  explicit Renaming(bool (*allows)(std::string_view)) : allows_(allows) {}

  /// Call for all texts that keep their spelling, before the others.
  void keep(const std::string &text) { taken_.insert(text); }
  std::string rename(const std::string &text) {
    const std::string base = spellable(text, allows_);
    std::string made = base;
    while (!taken_.insert(made).second)
      made = fmt::format("{}_{}", base, ++numbers_.try_emplace(base, 1).first->second);
    return made;
  }

private:
  bool (*allows_)(std::string_view);
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, size_t> numbers_; ///< the last number of each base
};

Model modelToWrite(const Model &model, const NetworkRules &rules) {
  for (size_t i = 0; i < model.factors.size(); ++i)
    if (const std::optional<NoisyMax> noisy = noisyMaxOf(model, FactorId(i));
        noisy && (rules.keepsNoisyMax == nullptr || !rules.keepsNoisyMax(*noisy)))
      return withWholeTables(model);
  return model;
}

} // namespace

NetworkToWrite::NetworkToWrite(const Model &model, const NetworkRules &rules)
    : given_(model), rules_(rules), model_(modelToWrite(model, rules)) {
  findTables();
  nameVariables();
}

void NetworkToWrite::findTables() {
  tables_.resize(ownVariableCount(model_));
  std::vector<bool> hasTable(tables_.size(), false);
  for (size_t i = 0; i < model_.factors.size(); ++i) {
    const Factor &factor = model_.factors[i];
    if (given_.evidence.isLikelihood(FactorId(i)) || isInnerLink(model_, factor))
      continue;
    if (!factor.conditional)
      fail(ErrorKind::Unsupported,
           "factor {} is no conditional table, a {} file holds Bayesian networks: .uai and .fg "
           "files hold any tables",
           excerpt(factor.name), rules_.ending);
    if (storedValues(factor) == nullptr)
      fail(ErrorKind::Unsupported,
           "factor {} gets its values when the program runs, a {} file needs them",
           excerpt(factor.name), rules_.ending);
    const VarId child = factor.scope.back();
    if (hasTable[child.index()])
      fail(ErrorKind::Unsupported, "'{}' has two conditional tables, a {} file holds one",
           excerpt(model_.variable(child).name), rules_.ending);
    hasTable[child.index()] = true;
    TableToWrite &table = tables_[child.index()];
    table.factor = FactorId(i);
    table.elems = scopeElems(model_, factor.scope);
    table.noisy = noisyMaxOf(model_, FactorId(i));
    table.parents = table.noisy ? table.noisy->causes
                                : std::vector<VarId>(factor.scope.begin(), factor.scope.end() - 1);
  }
  for (size_t i = 0; i < tables_.size(); ++i)
    if (!hasTable[i])
      fail(ErrorKind::Unsupported, "'{}' has no conditional table, a {} file needs one",
           excerpt(model_.variables[i].name), rules_.ending);
}

void NetworkToWrite::nameVariables() {
  Renaming names(rules_.isName);
  for (size_t i = 0; i < tables_.size(); ++i)
    if (rules_.isName(model_.variables[i].name))
      names.keep(model_.variables[i].name);
  for (size_t i = 0; i < tables_.size(); ++i) {
    const Variable &variable = model_.variables[i];
    const bool isKept = rules_.isName(variable.name);
    names_.push_back(isKept ? variable.name : names.rename(variable.name));
    if (!isKept)
      renamed_.push_back(fmt::format("'{}' is {}", excerpt(variable.name), names_.back()));
    labelStates(VarId(i));
  }
}

void NetworkToWrite::labelStates(VarId id) {
  const std::vector<std::string> &labels = model_.variable(id).labels;
  if (std::ranges::all_of(labels, rules_.isLabel))
    return;
  Renaming renaming(rules_.isLabel);
  for (const std::string &label : labels)
    if (rules_.isLabel(label))
      renaming.keep(label);
  std::vector<std::string> &made = relabelled_[id];
  for (const std::string &label : labels)
    made.push_back(rules_.isLabel(label) ? label : renaming.rename(label));
}

std::string NetworkToWrite::label(VarId id, uint64_t state) const {
  if (const auto found = relabelled_.find(id); found != relabelled_.end())
    return found->second[state];
  const std::vector<std::string> &labels = model_.variable(id).labels;
  return labels.empty() ? fmt::format("{}", state) : labels[state];
}

std::string NetworkToWrite::entry(VarId child, uint64_t index) const {
  const TableToWrite &written = table(child);
  const StoredValues values(*storedValues(model_.factor(written.factor)), written.elems);
  MPF_CHECK(std::isfinite(values.mantissa(index)), "entry {} of a conditional table is infinite",
            index);
  return entryTextOf(values, index);
}

std::string NetworkToWrite::modelName() const {
  return rules_.isName(given_.name) ? given_.name : spellable(given_.name, rules_.isName);
}

uint64_t NetworkToWrite::rowsThatReadersDivide() const {
  uint64_t count = 0;
  for (const TableToWrite &table : tables_) {
    if (table.noisy || std::isinf(rules_.rowTolerance))
      continue;
    const Factor &factor = model_.factor(table.factor);
    const uint32_t extent = model_.variable(factor.scope.back()).extent;
    const StoredValues values(*storedValues(factor), table.elems);
    for (auto fault = findRowFault(values, extent, 0, rules_.rowTolerance); fault;
         fault = findRowFault(values, extent, fault->row + 1, rules_.rowTolerance))
      ++count;
  }
  return count;
}

std::vector<std::string> NetworkToWrite::losses() const {
  std::vector<std::string> losses;
  if (!given_.evidence.findings.empty() || !given_.evidence.likelihoods.empty())
    losses.push_back(
        fmt::format("the evidence is left out: a {} file holds a network alone", rules_.ending));
  if (given_.queries.size() != 1 || given_.queries.front().kind != QueryKind::Marginals)
    losses.push_back(
        fmt::format("the queries are left out: a {} file holds a network alone", rules_.ending));
  if (!renamed_.empty())
    losses.push_back(fmt::format("names are changed: {}", excerptList(renamed_)));
  if (!relabelled_.empty())
    losses.push_back(fmt::format("labels of {} variable(s) are changed, with _ for what a {} file "
                                 "cannot spell",
                                 relabelled_.size(), rules_.ending));
  if (const uint64_t rows = rowsThatReadersDivide(); rows != 0)
    losses.push_back(fmt::format("{} row(s) of conditional tables do not sum to 1: readers of a {} "
                                 "file divide them by their sums",
                                 rows, rules_.ending));
  for (std::string &loss : commonLosses(given_, model_.variables.size() != given_.variables.size()))
    losses.push_back(std::move(loss));
  return losses;
}

bool isPrintableText(std::string_view text) {
  return !text.empty() && !firstInvalidUtf8(text).has_value() &&
         std::ranges::none_of(text, [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

bool isQuotableText(std::string_view text) {
  return isPrintableText(text) && text.find_first_of("\"\\") == text.npos;
}

bool isAsciiName(std::string_view text) {
  return isPlainName(text) && std::ranges::none_of(text, [](unsigned char c) { return c >= 0x80; });
}

void appendNames(std::string &out, const NetworkToWrite &network, std::span<const VarId> variables,
                 std::string_view separator) {
  for (size_t i = 0; i < variables.size(); ++i) {
    if (i != 0)
      out += separator;
    out += network.name(variables[i]);
  }
}

} // namespace mpf
