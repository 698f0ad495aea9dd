#include "dsl/model/print/print_mpf.h"

#include "dsl/model/cut_table.h"
#include "dsl/model/mpf_names.h"
#include "dsl/model/noisy_max.h"
#include "dsl/model/print/print_mpf_query.h"
#include "dsl/model/print/print_mpf_table.h"
#include "dsl/support/check.h"
#include "dsl/support/expression/expression_text.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <array>

namespace mpf {

namespace {

class MpfPrinter {
public:
  /// `declared`: the model without its cuts.
  MpfPrinter(const Model &model, const Model &declared)
      : model_(model), declared_(declared), cut_(tablesCut(model)), spelling_(model) {}

  std::string run() {
    if (model_.evidence.listed)
      fail(ErrorKind::Unsupported, "a list of {} cases cannot be written as .mpf text",
           model_.evidence.caseCount);
    if (model_.cases)
      fail(ErrorKind::Unsupported, "{}: a list of cases is not written as .mpf text",
           model_.cases->name());
    if (!model_.name.empty())
      out_ += fmt::format("model {}\n", spellName(model_.name));
    printVariables();
    chooseIndexNames();
    printParams();
    for (size_t i = 0; i < model_.factors.size(); ++i)
      printFactor(FactorId(i));
    for (const Observation &seen : model_.evidence.observations())
      printFinding(seen);
    for (const PartialOrder &chain : model_.orders)
      if (!chain.empty())
        out_ += fmt::format("order {}\n", spelling_.list(chain, " > "));
    for (const Query &query : model_.queries)
      out_ += printMpfQuery(model_, query, spelling_) + '\n';
    return std::move(out_);
  }

private:
  static std::string domain(const Variable &variable) {
    if (variable.labels.empty())
      return fmt::format("{}", variable.extent);
    std::string text = "{ ";
    for (size_t i = 0; i < variable.labels.size(); ++i)
      text += (i == 0 ? "" : ", ") + spellName(variable.labels[i]);
    return text + " }";
  }

  /// Returns the state's label, as a string if it is no plain name; without labels its number.
  std::string state(const Observation &seen) const {
    const Variable &variable = model_.variable(seen.variable);
    if (variable.labels.empty())
      return fmt::format("{}", seen.state);
    const std::string &label = variable.labels[seen.state];
    return isPlainName(label) ? label : spellString(label);
  }

  void printFinding(const Observation &seen) {
    const std::string text = fmt::format("{} = {}", spelling_.variable(seen.variable), state(seen));
    out_ += cut_.contains(seen.variable) ? fmt::format("observe do({})\n", text)
                                         : fmt::format("observe {}\n", text);
  }

  /// One `var` line takes consecutive runs of one domain, up to a line's width.
  void printVariables() {
    std::string line, lineDomain;
    const auto flush = [&] {
      if (!line.empty())
        out_ += line + " : " + lineDomain + '\n';
    };
    for (const VariableRun &run : spelling_.runs()) {
      if (model_.variables[run.first].auxiliary)
        break;
      std::string item = spellName(run.base);
      for (const uint64_t dim : run.dims)
        item += fmt::format("[{}]", dim);
      const Variable &first = model_.variables[run.first];
      // The printed domain is compared, because it is needed for the width anyway.
      std::string itsDomain = domain(first);
      if (!line.empty() && itsDomain == lineDomain &&
          line.size() + item.size() + itsDomain.size() + 5 <= kColumns) {
        line += ", " + item;
        continue;
      }
      flush();
      line = "var " + item;
      lineDomain = std::move(itsDomain);
    }
    flush();
  }

  bool isSwept(const Param &param) const {
    return std::ranges::find(model_.sweeps, param.name, &SweptParam::name) != model_.sweeps.end();
  }

  /// Prints the params. Derived params come last, each behind those on which it depends.
  void printParams() {
    for (const Param &param : model_.params)
      if (param.varies && param.derivation.code.empty() && !isSwept(param))
        out_ += fmt::format("param {} = {}\n", spellName(param.name), formatDouble(param.value));
    for (const SweptParam &sweep : model_.sweeps)
      printSweep(sweep);
    for (const Param &param : model_.params)
      if (!param.derivation.code.empty())
        out_ += fmt::format("param {} = {}\n", spellName(param.name),
                            expressionNotation(param.derivation, {}, paramName()));
  }

  ParamName paramName() const {
    return [this](uint32_t slot) { return std::string(spellName(model_.params[slot].name)); };
  }

  /// Returns one entry of a table that depends on params.
  std::string entryText(const TableFormula &formula, uint64_t index) const {
    const Expression *const expression = expressionAt(formula, index);
    if (expression == nullptr)
      return mpfNumberText(StoredValues(*formula.values, formula.elems()).at(index));
    std::vector<uint32_t> states;
    statesAt(formula.extents, index, states);
    return expressionNotation(*expression, states, paramName());
  }

  void printSweep(const SweptParam &sweep) {
    out_ += fmt::format("param {} in [", spellName(sweep.name));
    for (size_t i = 0; i < sweep.values.size(); ++i)
      out_ += (i == 0 ? "" : ", ") + formatDouble(sweep.values[i]);
    out_ += "]\n";
  }

  /// Returns names for loop indices that no variable and no param has: "i0", "i1", ...
  void chooseIndexNames() {
    size_t deepest = 0;
    for (const Factor &factor : model_.factors)
      deepest = std::max(deepest, spelling_.member(factor).indices.size());
    const auto taken = [&](const std::string &name) {
      return std::ranges::any_of(spelling_.runs(),
                                 [&](const VariableRun &run) { return run.base == name; }) ||
             std::ranges::any_of(model_.params,
                                 [&](const Param &param) { return param.name == name; });
    };
    for (size_t i = 0; i < deepest; ++i) {
      std::string name = fmt::format("i{}", i);
      while (taken(name))
        name += '_';
      indexNames_.push_back(std::move(name));
    }
  }

  void printNoisy(const NoisyMax &noisy) {
    const uint32_t states = model_.variable(noisy.effect).extent;
    out_ += fmt::format("prob P({} | {}) = {}(leak = ", spelling_.variable(noisy.effect),
                        spelling_.list(noisy.causes), noisy.takesLowest ? "noisymin" : "noisymax");
    printMpfTable(out_, noisy.leak, std::array{states});
    for (size_t i = 0; i < noisy.causes.size(); ++i) {
      out_ += ",\n    ";
      printMpfTable(out_, *noisy.tables[i],
                    std::array{model_.variable(noisy.causes[i]).extent, states});
    }
    out_ += ")\n";
  }

  void printFactor(FactorId id) {
    const Factor &factor = declared_.factor(id);
    const std::vector<VarId> &scope = factor.scope;
    if (isInnerLink(declared_, factor))
      return;
    if (const std::optional<NoisyMax> noisy = noisyMaxOf(declared_, id))
      return printNoisy(*noisy);
    if (model_.evidence.isLikelihood(id)) {
      out_ += fmt::format("observe {} ~ {}", spelling_.variable(scope.front()),
                          factor.target ? "posterior " : "");
    } else if (spelling_.isProb(factor)) {
      const std::vector<VarId> parents(scope.begin(), scope.end() - 1);
      out_ += fmt::format("prob P({}{}{}) = ", spelling_.variable(scope.back()),
                          parents.empty() ? "" : " | ", spelling_.list(parents));
    } else {
      // A member of a family prints as a loop of one round, which gives it its indices.
      const IndexedName name = spelling_.member(factor);
      for (size_t i = 0; i < name.indices.size(); ++i)
        out_ += fmt::format("{}{} in {}..{}", i == 0 ? "for " : ", ", indexNames_[i],
                            name.indices[i], name.indices[i] + 1);
      out_ += fmt::format("{}factor {}({}) = ", name.indices.empty() ? "" : ": ",
                          spellName(name.base), spelling_.list(scope));
    }
    if (isInput(factor))
      out_ += factor.defaults ? "input default " : "input";
    if (const TableValues &values = factor.target ? factor.target : storedValues(factor)) {
      std::vector<uint32_t> extents;
      for (const VarId variable : scope)
        extents.push_back(model_.variable(variable).extent);
      if (factor.formula)
        printMpfTable(
            out_, [&](uint64_t i) { return entryText(*factor.formula, i); }, extents);
      else if (const StoredValues stored(*values, scopeElems(model_, scope)); stored.isWide())
        printMpfTable(
            out_, [&stored](uint64_t i) { return mpfNumberText(stored.at(i)); }, extents);
      else
        printMpfTable(out_, *values, extents);
    }
    out_ += '\n';
  }

  const Model &model_, &declared_;
  const std::map<VarId, FactorId> cut_;
  MpfSpelling spelling_;
  std::string out_;
  std::vector<std::string> indexNames_;
};

} // namespace

std::string printMpf(const Model &model) {
  const bool isCut = std::ranges::any_of(
      model.factors, [](const Factor &factor) { return factor.uncut != nullptr; });
  return isCut ? MpfPrinter(model, withoutCuts(model)).run() : MpfPrinter(model, model).run();
}

} // namespace mpf
