#include "dsl/model/read/read_model.h"

#include "dsl/model/build/open_listed_cases.h"
#include "dsl/model/print/print_model.h"
#include "dsl/model/read/read_formulas.h"
#include "dsl/model/read/read_table_key.h"
#include "dsl/model/verify_model.h"
#include "dsl/source/line_reader.h"
#include "dsl/support/text/call_for_word.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace mpf {

namespace {

struct Cases {
  std::vector<VarId> variables; ///< in the order of the text
  std::vector<uint32_t> states; ///< count x variables, row-major
  uint64_t count = 0;
};

class Reader {
public:
  Reader(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
         const ModelLimits &limits, const ModelFiles &files)
      : lines_(std::move(buffer), diagnostics), limits_(limits), files_(files),
        formulas_(lines_, limits) {}

  std::optional<Model> run() {
    const size_t errorsBefore = errors();
    bool empty = true;
    while (!lines_.diagnostics().full() && lines_.next()) {
      empty = false;
      const size_t errorsAtLine = errors();
      if (!readLine())
        continue;
      if (errors() == errorsAtLine)
        lines_.expectEndOfLine();
    }
    if (empty && errors() == errorsBefore)
      report("the text is empty, a printed model starts with 'model'");
    if (tableMissing_ != 0)
      report("the last table lacks {} values", tableMissing_);
    finishEvidence();
    if (errors() != errorsBefore)
      return std::nullopt;
    markSwept(model_);
    SourcePlace place;
    if (const std::string fault = findModelFault(model_, &place); !fault.empty()) {
      lines_.diagnostics().error(place.buffer ? place : lines_.here(), "{}", fault);
      return std::nullopt;
    }
    return std::move(model_);
  }

private:
  using Handler = void (Reader::*)();

  size_t errors() { return lines_.diagnostics().errorCount(); }
  template <class... Args> void report(fmt::format_string<Args...> format, Args &&...args) {
    lines_.diagnostics().error(lines_.here(), format, std::forward<Args>(args)...);
  }

  /// Returns false if the keyword is unknown here.
  bool readLine() {
    static constexpr std::array<std::pair<std::string_view, Handler>, 23> kHandlers = {{
        {"values", &Reader::readValues},        {"factor", &Reader::readFactor},
        {"follows", &Reader::readFollows},      {"part", &Reader::readPart},
        {"formula", &Reader::readFormula},      {"param", &Reader::readParam},
        {"table", &Reader::readTable},          {"var", &Reader::readVar},
        {"auxiliary", &Reader::readVar},        {"case", &Reader::readCase},
        {"observe", &Reader::readObserve},      {"factors", &Reader::readQueryFactors},
        {"reduce", &Reader::readReduce},        {"output", &Reader::readOutput},
        {"query", &Reader::readQuery},          {"order", &Reader::readOrder},
        {"sweep", &Reader::readSweep},          {"cases", &Reader::readCases},
        {"cases-file", &Reader::readCasesFile}, {"model", &Reader::readName},
        {"uncut", &Reader::readUncut},          {"asked", &Reader::readOutput},
        {"given", &Reader::readObserve},
    }};
    const std::string &keyword = lines_.keyword().text;
    if (tableMissing_ != 0 && keyword != "values") {
      report("table {} lacks {} values before '{}'", tables_.size() - 1, tableMissing_, keyword);
      tableMissing_ = 0;
    }
    if (callForWord(kHandlers, keyword, *this))
      return true;
    lines_.diagnostics().error({lines_.here().buffer, lines_.keyword().range},
                               "'{}' does not start a line of a model",
                               std::string_view(keyword).substr(0, 60));
    return false;
  }

  void readName() { model_.name = lines_.takeWord("a model name").value_or(""); }

  void readVar() {
    Variable variable;
    variable.name = lines_.takeWord("a variable name").value_or("");
    const auto extent = lines_.takeUnsignedKey("extent", limits_.maxExtent);
    if (!extent)
      return;
    variable.extent = static_cast<uint32_t>(*extent);
    variable.auxiliary = lines_.keyword().text == "auxiliary";
    while (!lines_.atEndOfLine())
      variable.labels.push_back(*lines_.takeWord("a label"));
    variables_.try_emplace(variable.name, model_.variables.size());
    model_.variables.push_back(std::move(variable));
  }

  void readTable() {
    const auto number = lines_.takeUnsigned("a table number", UINT32_MAX);
    const auto elems = lines_.takeUnsignedKey("elems", limits_.maxTableElems);
    if (!number || !elems)
      return;
    if (*number != tables_.size())
      report("table {} stands where table {} is due", *number, tables_.size());
    tables_.push_back(std::make_shared<std::vector<double>>());
    tableMissing_ = *elems;
  }

  void readValues() {
    if (tableMissing_ == 0)
      report("values without a table that needs them");
    for (; tableMissing_ != 0 && !lines_.atEndOfLine(); --tableMissing_) {
      const auto value = lines_.takeDouble("a number");
      if (!value)
        return;
      tables_.back()->push_back(*value);
    }
  }

  void readFactor() {
    Factor factor;
    factor.name = lines_.takeWord("a factor name").value_or("");
    const auto family = lines_.takeKey("family");
    const auto kind = family ? lines_.takeKey("kind") : std::nullopt;
    const auto table = kind ? lines_.takeKey("table") : std::nullopt;
    if (!table || !lines_.takeLiteral("scope"))
      return;
    factor.family = *family;
    factor.conditional = *kind == "conditional";
    const bool isTarget = *kind == "posterior";
    if (*kind == "soft" || isTarget)
      model_.evidence.likelihoods.emplace_back(model_.factors.size());
    else if (*kind != "conditional" && *kind != "plain")
      report("kind= is one of plain, conditional, soft, posterior; found '{}'", *kind);
    setTable(factor, *table);
    if (isTarget && !makeTarget(factor))
      return report("kind=posterior without the table of the posterior");
    factor.scope = takeVariables();
    factors_.try_emplace(factor.name, model_.factors.size());
    model_.factors.push_back(std::move(factor));
    uncut_ = nullptr;
  }

  void setTable(Factor &factor, const std::string &table) {
    if (!readTableKey(table, tables_, factor))
      report("table={} of {} tables so far", table, tables_.size());
  }

  /// Reads the last factor as it was before do() cut it off.
  void readUncut() {
    const auto table = lines_.takeKey("table");
    if (!table || !lines_.takeLiteral("scope"))
      return;
    if (model_.factors.empty() || model_.factors.back().uncut)
      return report("'uncut' without a factor before it");
    Factor &factor = model_.factors.back();
    uncut_ = std::make_shared<Factor>(
        Factor{factor.name, factor.family, {}, nullptr, factor.conditional});
    setTable(*uncut_, *table);
    uncut_->place = {lines_.here().buffer, lines_.keyword().range};
    uncut_->scope = takeVariables();
    factor.uncut = uncut_;
  }

  void readParam() {
    Param param;
    param.name = lines_.takeWord("a param name").value_or("");
    param.value = lines_.takeDoubleKey("value").value_or(0);
    param.varies = true;
    if (lines_.acceptLiteral("follows")) {
      if (!formulas_.takeExpression(model_, param.derivation))
        return;
      if (param.derivation.code.empty())
        report("the expression of param '{}' is due", param.name);
    }
    model_.params.push_back(std::move(param));
  }

  void readFormula() { formulas_.readFormula(); }
  void readPart() { formulas_.readPart(model_); }
  void readFollows() {
    Factor *const last = model_.factors.empty() ? nullptr : &model_.factors.back();
    formulas_.readFollows(model_, uncut_ ? uncut_.get() : last);
  }

  std::vector<VarId> takeVariables() {
    std::vector<VarId> ids;
    while (!lines_.atEndOfLine()) {
      const std::string name = *lines_.takeWord("a variable name");
      const auto found = variables_.find(name);
      if (found != variables_.end())
        ids.emplace_back(found->second);
      else
        report("no variable is called '{}'", std::string_view(name).substr(0, 60));
    }
    return ids;
  }

  void readObserve() { // or a condition of the last query
    Query *const owner = lines_.keyword().text == "given" ? query() : nullptr;
    const std::string name = lines_.takeWord("a variable name").value_or("");
    const auto found = variables_.find(name);
    if (found == variables_.end())
      return report("no variable is called '{}'", std::string_view(name).substr(0, 60));
    if (const auto state = lines_.takeUnsigned("a state", UINT32_MAX))
      (owner ? owner->given : observations_)
          .push_back({VarId(found->second), static_cast<uint32_t>(*state)});
  }

  void readCases() {
    if (cases_ || casesFile_)
      report("a second list of cases");
    cases_.emplace().variables = takeVariables();
    model_.listedCases = lines_.here();
  }

  void readCasesFile() {
    const auto path = lines_.takeWord("the name of a file");
    if (cases_ || casesFile_)
      report("a second list of cases");
    else if (!files_.openCases)
      report("files of cases cannot be read here");
    casesFile_ = path;
    model_.listedCases = lines_.here();
  }

  void readCase() {
    if (!cases_)
      return report("a case without a list of cases");
    const size_t before = cases_->states.size();
    while (!lines_.atEndOfLine()) {
      const auto state = lines_.acceptLiteral("-")
                             ? std::optional<uint64_t>(Evidence::kNotObserved)
                             : lines_.takeUnsigned("a state or '-'", UINT32_MAX - 1);
      if (!state)
        return;
      cases_->states.push_back(static_cast<uint32_t>(*state));
    }
    if (const size_t entries = cases_->states.size() - before; entries != cases_->variables.size())
      report("case {} has {} entries, {} columns", cases_->count, entries,
             cases_->variables.size());
    ++cases_->count;
  }

  /// Moves the evidence into the model. Reports a variable that is observed twice.
  void finishEvidence() {
    std::vector<VarId> variables = cases_ ? cases_->variables : std::vector<VarId>();
    for (const Observation &seen : observations_)
      variables.push_back(seen.variable);
    std::ranges::sort(variables);
    if (const auto twice = std::ranges::adjacent_find(variables); twice != variables.end())
      report("'{}' is observed twice", model_.variable(*twice).name);
    if (lines_.diagnostics().errorCount() != 0)
      return; // rows may not fit their columns
    std::vector<FactorId> likelihoods = std::move(model_.evidence.likelihoods);
    if (cases_)
      model_.evidence = listedEvidence(cases_->variables, std::move(cases_->states), cases_->count);
    model_.evidence.likelihoods = std::move(likelihoods);
    const uint64_t entries = model_.evidence.entriesWith(observations_.size());
    if (entries > limits_.maxCaseEntries)
      return report("the cases have {} states, the limit is {}", entries, limits_.maxCaseEntries);
    model_.evidence.add(std::move(observations_));
    if (casesFile_)
      openListedCases(model_, files_, *casesFile_, lines_.diagnostics());
  }

  void readSweep() {
    SweptParam sweep;
    sweep.place = lines_.here();
    sweep.name = lines_.takeWord("a param name").value_or("");
    while (!lines_.atEndOfLine()) {
      const auto value = lines_.takeDouble("a number");
      if (!value)
        return;
      sweep.values.push_back(*value);
    }
    model_.sweeps.push_back(std::move(sweep));
  }

  void readOrder() { model_.orders.push_back(takeVariables()); }

  void readQuery() {
    Query query;
    query.place = lines_.here();
    query.name = lines_.takeWord("a query name").value_or("");
    const auto kind = lines_.takeKey("kind");
    const auto combine = kind ? lines_.takeKey("combine") : std::nullopt;
    const auto samples =
        combine ? lines_.takeUnsignedKey("samples", limits_.maxSamples) : std::nullopt;
    if (!samples)
      return;
    const std::optional<QueryKind> known = queryKindNamed(*kind);
    if (!known)
      report("'{}' is not a kind of query", *kind);
    query.kind = known.value_or(QueryKind::Evidence);
    if (*combine != "times" && *combine != "plus")
      report("combine= is times or plus, found '{}'", *combine);
    query.combine = *combine == "plus" ? Combine::Plus : Combine::Times;
    query.sampleCount = *samples;
    if (lines_.acceptLiteral("rows"))
      query.rowVariables = static_cast<uint32_t>(
          lines_.takeUnsigned("number of variables", limits_.maxScope).value_or(0));
    if (const auto type = lines_.atEndOfLine() ? std::nullopt : lines_.takeKey("type")) {
      query.type = elementTypeNamed(*type);
      if (!query.type)
        report("'{}' is no element type: f32, f64, u64 or u128", *type);
    }
    model_.queries.push_back(std::move(query));
  }

  /// Returns the query of an indented line; null after reporting that there is none.
  Query *query() {
    if (model_.queries.empty())
      report("'{}' without a query before it", lines_.keyword().text);
    return model_.queries.empty() ? nullptr : &model_.queries.back();
  }

  void readOutput() {
    const bool isAsked = lines_.keyword().text == "asked";
    if (Query *owner = query())
      (isAsked ? owner->asked : owner->output) = takeVariables();
  }

  void readReduce() {
    Query *owner = query();
    const auto word = lines_.takeWord("sum, max, min or logsum");
    if (!owner || !word)
      return;
    for (const Reduce reduce : {Reduce::Sum, Reduce::Max, Reduce::Min, Reduce::LogSum})
      if (reduceName(reduce) == *word) {
        owner->reductions.push_back({reduce, takeVariables()});
        return;
      }
    report("'{}' is not a reduction: sum, max, min or logsum", *word);
  }

  void readQueryFactors() {
    Query *owner = query();
    if (!owner)
      return;
    if (lines_.acceptLiteral("all")) {
      queryEntries_ += model_.factors.size();
      if (queryEntries_ > limits_.maxQueryEntries)
        return report("the queries name {} factors, the limit is {}", queryEntries_,
                      limits_.maxQueryEntries);
      for (size_t i = 0; i < model_.factors.size(); ++i)
        owner->factors.emplace_back(i);
      return;
    }
    while (!lines_.atEndOfLine()) {
      const std::string name = *lines_.takeWord("a factor name");
      const auto found = factors_.find(name);
      if (found != factors_.end())
        owner->factors.emplace_back(found->second);
      else
        report("no factor is called '{}'", std::string_view(name).substr(0, 60));
    }
  }

  LineReader lines_;
  const ModelLimits &limits_;
  const ModelFiles &files_;
  Model model_;
  std::optional<Cases> cases_;
  std::optional<std::string> casesFile_;
  std::vector<Observation> observations_; ///< that hold in every case
  TablesSoFar tables_;
  FormulaLines formulas_;
  std::shared_ptr<Factor> uncut_; ///< of the last factor, while its lines are read
  uint64_t tableMissing_ = 0;     ///< values still due for the last table
  uint64_t queryEntries_ = 0;
  std::unordered_map<std::string, size_t> variables_, factors_; ///< by name
};

} // namespace

std::optional<Model> readModel(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                               const ModelLimits &limits, const ModelFiles &files) {
  return Reader(std::move(buffer), diagnostics, limits, files).run();
}

} // namespace mpf
