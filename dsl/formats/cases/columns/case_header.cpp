#include "dsl/formats/cases/columns/case_header.h"

#include "dsl/formats/cases/columns/entry_columns.h"
#include "dsl/formats/cases/columns/state_name.h"
#include "dsl/source/suggest.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace mpf {

namespace {

struct NamedState {
  VarId variable;
  std::string_view label;
};

class HeaderResolver {
public:
  HeaderResolver(std::span<const ColumnName> names, const Model &model, const ColumnChoice &choice,
                 Diagnostics &diagnostics)
      : names_(names), model_(model), choice_(choice), diagnostics_(diagnostics),
        columnOf_(model.variables.size(), kNone), states_(model, choice.numbers),
        entries_(names, model, states_, diagnostics) {
    for (size_t i = 0; i < ownVariableCount(model); ++i)
      variables_.emplace(model.variables[i].name, VarId(i));
    for (size_t i = 0; i < model.params.size(); ++i)
      params_.emplace(model.params[i].name, kNone);
  }

  std::optional<CaseHeader> run() {
    const size_t errorsBefore = diagnostics_.errorCount();
    keepColumns();
    for (size_t i = 0; i < names_.size() && !diagnostics_.full(); ++i)
      addColumn(i);
    finishLikelihoods();
    entries_.finish(header_);
    for (const std::string &name : choice_.ignored)
      if (std::ranges::find(names_, name, &ColumnName::text) == names_.end())
        diagnostics_.error(start(), "there is no column '{}' to ignore", excerpt(name));
    if (diagnostics_.errorCount() != errorsBefore)
      return std::nullopt;
    return std::move(header_);
  }

private:
  static constexpr size_t kNone = SIZE_MAX;

  /// A likelihood, while its columns are gathered.
  struct Likelihood {
    VarId variable;
    size_t firstName = 0;
    uint32_t columns = 0;
    bool isWrong = false; ///< the variable is also set otherwise; this was reported
  };

  SourcePlace start() const { return names_.empty() ? SourcePlace() : names_.front().place; }

  void keepColumns() {
    const auto keep = [this](size_t i) {
      header_.kept.push_back(i);
      header_.schema.kept.push_back(names_[i].text);
      isKept_[i] = true;
    };
    isKept_.resize(names_.size());
    for (size_t i = 0; i < names_.size() && choice_.keepsAll; ++i)
      keep(i);
    for (const std::string &name : choice_.kept) {
      const auto at = std::ranges::find(names_, name, &ColumnName::text);
      if (at == names_.end())
        diagnostics_.report({Severity::Error, start(),
                             fmt::format("there is no column '{}' to keep", excerpt(name)),
                             columnsText()});
      else if (std::ranges::count(names_, name, &ColumnName::text) > 1)
        diagnostics_.error(at->place, "several columns are called '{}': which one is to be kept?",
                           excerpt(name));
      else if (const auto i = static_cast<size_t>(at - names_.begin()); !isKept_[i])
        keep(i);
    }
  }

  std::string columnsText() const {
    std::string text;
    for (const ColumnName &column : names_)
      text += (text.empty() ? "" : ", ") + column.text;
    return "the columns are " + excerpt(text, 100);
  }

  void addColumn(size_t i) {
    const std::string &name = names_[i].text;
    if (std::ranges::find(choice_.ignored, name) != choice_.ignored.end()) {
      header_.columns.push_back({CaseCell::Ignored, VarId(), 0});
      return;
    }
    if (entries_.goesOn(i, header_))
      return;
    if (const auto found = variables_.find(name); found != variables_.end())
      return addState(i, found->second);
    if (const auto param = params_.find(name); param != params_.end())
      return addParam(i, param->second);
    if (const std::optional<NamedState> state = splitName(name))
      return addWeight(i, *state);
    if (entries_.add(i, header_))
      return;
    if (isKept_[i]) {
      header_.columns.push_back({CaseCell::Ignored, VarId(), 0});
      return;
    }
    reportUnknown(names_[i]);
  }

  void reportUnknown(const ColumnName &column) {
    if (column.text.empty())
      return diagnostics_.report(
          {Severity::Error, column.place, "the model has no variable ''",
           "--ignore-columns '\"\"' leaves columns without a name out (R writes row numbers so)"});
    Suggestion suggestion(column.text);
    for (const auto &[name, id] : variables_)
      suggestion.offer(name);
    for (const Param &param : model_.params)
      suggestion.offer(param.name);
    const size_t bracket = column.text.find('[');
    const bool isEntry = bracket != std::string::npos && column.text.ends_with(']');
    std::string hint = suggestion.hint();
    if (isEntry && hint.empty()) {
      Suggestion table(std::string_view(column.text).substr(0, bracket));
      for (const Factor &factor : model_.factors)
        table.offer(factor.name);
      hint = table.hint();
    }
    diagnostics_.report(
        {Severity::Error, column.place,
         fmt::format("the model has no variable{} '{}'",
                     isEntry ? ", and no table with an entry," : "", excerpt(column.text)),
         hint.empty() ? "--ignore-columns leaves a column out, --keep-columns "
                        "writes it beside the answers"
                      : hint});
  }

  /// Splits `name` at the first '=' behind the name of a variable. Labels may contain '=' too.
  std::optional<NamedState> splitName(const std::string &name) const {
    for (size_t at = name.find('='); at != std::string::npos; at = name.find('=', at + 1)) {
      std::string_view variable = std::string_view(name).substr(0, at);
      while (variable.ends_with(' '))
        variable.remove_suffix(1);
      std::string_view label = std::string_view(name).substr(at + 1);
      label.remove_prefix(std::min(label.find_first_not_of(' '), label.size()));
      if (const auto found = variables_.find(variable); found != variables_.end())
        return NamedState{found->second, label};
    }
    return std::nullopt;
  }

  /// Returns false after reporting that the model's evidence observes the variable.
  bool isFree(size_t i, VarId id) {
    if (model_.evidence.observes(id))
      diagnostics_.report(
          {Severity::Error, names_[i].place,
           fmt::format("variable '{}' is observed in the model's evidence too",
                       excerpt(model_.variable(id).name)),
           "a model without this observation leaves it to the rows; --ignore-columns leaves out "
           "what they say"});
    return !model_.evidence.observes(id);
  }

  void addState(size_t i, VarId id) {
    size_t &column = columnOf_[id.index()];
    if (column != kNone)
      return twice(i, column, model_.variable(id).name);
    column = i;
    if (!isFree(i, id))
      return;
    header_.columns.push_back({CaseCell::State, id, header_.schema.observed.size()});
    header_.schema.observed.push_back({id, model_.variable(id).extent});
  }

  void twice(size_t i, size_t before, const std::string &name) {
    const bool isSame = names_[i].text == names_[before].text;
    diagnostics_.error(names_[i].place, "variable '{}' has {}", excerpt(name),
                       isSame ? "two columns" : "a column of states and one of likelihoods");
  }

  void addParam(size_t i, size_t &column) {
    const std::string &name = names_[i].text;
    if (column != kNone)
      return diagnostics_.error(names_[i].place, "param '{}' has two columns", excerpt(name));
    column = i;
    header_.columns.push_back({CaseCell::Param, VarId(), header_.schema.params.size()});
    header_.schema.params.push_back(name);
    header_.paramPlaces.push_back(names_[i].place);
  }

  void addWeight(size_t i, const NamedState &named) {
    const Variable &variable = model_.variable(named.variable);
    std::string problem;
    const std::optional<uint32_t> state = states_.find(named.variable, named.label, problem);
    if (!state)
      return diagnostics_.error(names_[i].place, "{}", problem);
    const auto [known, isNew] =
        likelihoodOf_.try_emplace(named.variable.value, likelihoods_.size());
    if (isNew) {
      likelihoods_.push_back({named.variable, i});
      size_t &column = columnOf_[named.variable.index()];
      if (column != kNone) {
        likelihoods_.back().isWrong = true;
        return twice(i, column, variable.name);
      }
      column = i;
      likelihoods_.back().isWrong = !isFree(i, named.variable);
    }
    if (!seen_.insert({named.variable.value, *state}).second)
      return diagnostics_.error(names_[i].place, "'{}' has two columns", excerpt(names_[i].text));
    ++likelihoods_[known->second].columns;
    // finishLikelihoods adds the first row of the likelihood to the index.
    header_.columns.push_back({CaseCell::Weight, named.variable, *state});
  }

  void finishLikelihoods() {
    std::vector<size_t> firstRows;
    size_t row = 0;
    for (const Likelihood &likelihood : likelihoods_) {
      const Variable &variable = model_.variable(likelihood.variable);
      if (!likelihood.isWrong && likelihood.columns < variable.extent)
        reportMissing(likelihood, variable);
      header_.schema.likelihoods.push_back({likelihood.variable, variable.extent});
      firstRows.push_back(row);
      row += variable.extent;
    }
    for (CaseColumn &column : header_.columns)
      if (column.cell == CaseCell::Weight)
        column.index += firstRows[likelihoodOf_.at(column.variable.value)];
  }

  void reportMissing(const Likelihood &likelihood, const Variable &variable) {
    constexpr uint32_t kMostNamed = 5;
    const uint32_t missing = variable.extent - likelihood.columns;
    std::string names;
    for (uint32_t state = 0, named = 0; named < std::min(missing, kMostNamed); ++state) {
      if (seen_.contains({likelihood.variable.value, state}))
        continue;
      names +=
          fmt::format("{}{}={}", named++ == 0 ? "" : ", ", variable.name,
                      variable.labels.empty() ? fmt::format("{}", state) : variable.labels[state]);
    }
    if (missing > kMostNamed)
      names += fmt::format(" and {} more", missing - kMostNamed);
    diagnostics_.error(
        names_[likelihood.firstName].place,
        "a likelihood of '{}' needs a column for each of its {} states: {} {} missing",
        excerpt(variable.name), variable.extent, excerpt(names, 200), missing == 1 ? "is" : "are");
  }

  std::span<const ColumnName> names_;
  const Model &model_;
  const ColumnChoice &choice_;
  Diagnostics &diagnostics_;
  std::unordered_map<std::string_view, VarId> variables_; ///< iterated only for suggestions
  std::vector<size_t> columnOf_;                          ///< first column of each variable
  std::unordered_map<std::string_view, size_t> params_;   ///< column of each param
  std::vector<Likelihood> likelihoods_;
  std::unordered_map<uint32_t, size_t> likelihoodOf_; ///< index by variable
  std::set<std::pair<uint32_t, uint32_t>> seen_;      ///< variables and states that have weights
  StateNames states_;
  EntryColumns entries_;
  std::vector<bool> isKept_; ///< whether each column is kept
  CaseHeader header_;
};

} // namespace

std::optional<CaseHeader> resolveCaseHeader(std::span<const ColumnName> names, const Model &model,
                                            const ColumnChoice &choice, Diagnostics &diagnostics) {
  return HeaderResolver(names, model, choice, diagnostics).run();
}

} // namespace mpf
