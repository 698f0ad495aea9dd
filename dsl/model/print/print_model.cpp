#include "dsl/model/print/print_model.h"

#include "dsl/source/line_reader.h"
#include "dsl/support/check.h"
#include "dsl/support/expression/expression_text.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <unordered_map>

namespace mpf {

std::string_view reduceName(Reduce reduce) {
  switch (reduce) {
  case Reduce::Sum:
    return "sum";
  case Reduce::Max:
    return "max";
  case Reduce::Min:
    return "min";
  case Reduce::LogSum:
    return "logsum";
  }
  MPF_UNREACHABLE("reduction {}", static_cast<int>(reduce));
}

namespace {

/// The most words of a list on one line, to keep lines readable.
constexpr size_t kValuesPerLine = 16;
constexpr size_t kNamesPerLine = 64;

class Printer {
public:
  explicit Printer(const Model &model) : model_(model) {}

  std::string run() {
    out_ += fmt::format("model {}\n", quoteWord(model_.name));
    for (const Variable &variable : model_.variables) {
      out_ += fmt::format("{} {} extent={}", variable.auxiliary ? "auxiliary" : "var",
                          quoteWord(variable.name), variable.extent);
      for (const std::string &label : variable.labels)
        word(quoteWord(label));
      out_ += '\n';
    }
    for (const Param &param : model_.params)
      if (param.varies) // the tables contain the values of the others
        printParam(param);
    for (size_t i = 0; i < model_.factors.size(); ++i)
      printFactor(FactorId(i));
    if (model_.cases)
      out_ += fmt::format("cases-file {}\n", quoteWord(model_.cases->name()));
    if (model_.evidence.listed)
      printCases(model_.evidence);
    else
      for (const Observation &seen : model_.evidence.observations())
        out_ += fmt::format("observe {} {}\n", name(seen.variable), seen.state);
    for (const SweptParam &sweep : model_.sweeps)
      printSweep(sweep);
    for (const PartialOrder &chain : model_.orders)
      names("order", chain);
    for (const Query &query : model_.queries)
      printQuery(query);
    return std::move(out_);
  }

private:
  std::string name(VarId id) const { return quoteWord(model_.variable(id).name); }
  void word(const std::string &text) {
    out_ += ' ';
    out_ += text;
  }

  void printParam(const Param &param) {
    out_ += fmt::format("param {} value={}", quoteWord(param.name), formatDouble(param.value));
    if (!param.derivation.code.empty())
      out_ += fmt::format(" follows {}", words(param.derivation));
    out_ += '\n';
  }

  std::string words(const Expression &expression) const {
    return expressionWords(expression,
                           [this](uint32_t slot) { return quoteWord(model_.params[slot].name); });
  }

  void names(std::string_view keyword, const std::vector<VarId> &ids) {
    out_ += keyword;
    for (const VarId id : ids)
      word(name(id));
    out_ += '\n';
  }

  void printTable(size_t number, const std::vector<double> &values) {
    out_ += fmt::format("table {} elems={}\n", number, values.size());
    for (size_t i = 0; i < values.size(); i += kValuesPerLine) {
      out_ += "  values";
      for (size_t j = i; j < std::min(values.size(), i + kValuesPerLine); ++j)
        word(formatDouble(values[j]));
      out_ += '\n';
    }
  }

  std::string_view kindOf(FactorId id) const {
    if (model_.evidence.isLikelihood(id))
      return model_.factor(id).target ? "posterior" : "soft";
    return model_.factor(id).conditional ? "conditional" : "plain";
  }

  void printFactor(FactorId id) {
    const Factor &factor = model_.factor(id);
    const std::string table = printValues(factor);
    const std::string uncut = factor.uncut ? printValues(*factor.uncut) : "";
    out_ += fmt::format("factor {} family={} kind={} table={} ", quoteWord(factor.name),
                        quoteWord(factor.family), kindOf(id), table);
    printScope(factor);
    if (!factor.uncut)
      return;
    out_ += fmt::format("  uncut table={} ", uncut);
    printScope(*factor.uncut);
  }

  /// The table, unless it is there, and the formula. Returns what `table=` says of the factor.
  std::string printValues(const Factor &factor) {
    std::string table = isInput(factor) && factor.bindsNegative ? "signed-" : "";
    if (factor.target && factor.target->size() != factor.values->size())
      table += "wide:";
    if (!factor.values)
      table += factor.wide ? "wide:" : factor.defaults ? "input:" : "input";
    if (const TableValues &values = factor.target ? factor.target : storedValues(factor)) {
      const auto [place, isNew] = tables_.try_emplace(values.get(), tables_.size());
      if (isNew)
        printTable(place->second, *values);
      table += fmt::format("{}", place->second);
    }
    if (factor.formula)
      printFormula(*factor.formula);
    return table;
  }

  void printScope(const Factor &factor) {
    names("scope", factor.scope);
    if (factor.formula)
      out_ += fmt::format("  follows {}\n", formulas_.at(factor.formula.get()));
  }

  /// Prints a formula once. Its values are printed with the factors that refer to it.
  void printFormula(const TableFormula &formula) {
    const auto [place, isNew] = formulas_.try_emplace(&formula, formulas_.size());
    if (!isNew)
      return;
    out_ += fmt::format("formula {}\n", place->second);
    for (const FormulaPart &part : formula.parts)
      out_ += fmt::format("  part {} {} {}\n", part.begin, part.end, words(part.expression));
  }

  void printCases(const Evidence &evidence) {
    std::vector<VarId> columns;
    for (const Finding &finding : evidence.findings)
      columns.push_back(finding.variable);
    names("cases", columns);
    for (uint64_t number = 0; number < evidence.caseCount; ++number) {
      out_ += "  case";
      for (const uint32_t state : evidence.statesOf(number))
        word(state == Evidence::kNotObserved ? "-" : fmt::format("{}", state));
      out_ += '\n';
    }
  }

  void printSweep(const SweptParam &sweep) {
    out_ += fmt::format("sweep {}", quoteWord(sweep.name));
    for (const double value : sweep.values)
      word(formatDouble(value));
    out_ += '\n';
  }

  void printQuery(const Query &query) {
    out_ += fmt::format("query {} kind={} combine={} samples={}{}{}\n", quoteWord(query.name),
                        queryKindName(query.kind),
                        query.combine == Combine::Times ? "times" : "plus", query.sampleCount,
                        query.rowVariables ? fmt::format(" rows {}", query.rowVariables) : "",
                        query.type ? fmt::format(" type={}", elementTypeName(*query.type)) : "");
    if (!query.output.empty())
      names("  output", query.output);
    if (!query.asked.empty())
      names("  asked", query.asked);
    for (const Observation &seen : query.given)
      out_ += fmt::format("  given {} {}\n", name(seen.variable), seen.state);
    for (const QueryReduction &reduction : query.reductions)
      names(fmt::format("  reduce {}", reduceName(reduction.reduce)), reduction.variables);
    if (query.factors.size() == model_.factors.size()) {
      out_ += "  factors all\n";
      return;
    }
    for (size_t i = 0; i < query.factors.size(); i += kNamesPerLine) {
      out_ += "  factors";
      for (size_t j = i; j < std::min(query.factors.size(), i + kNamesPerLine); ++j)
        word(quoteFactor(model_.factor(query.factors[j]).name));
      out_ += '\n';
    }
  }

  /// Quotes a factor called "all", so that it is not read as the keyword.
  static std::string quoteFactor(const std::string &factor) {
    return factor == "all" ? "\"all\"" : quoteWord(factor);
  }

  const Model &model_;
  std::string out_;
  std::unordered_map<const void *, size_t> tables_; ///< looked up only: numbers follow the factors
  std::unordered_map<const void *, size_t> formulas_; ///< likewise
};

} // namespace

std::string printModel(const Model &model) { return Printer(model).run(); }

} // namespace mpf
