#include "codegen/bundle/head/print_head.h"

#include "dsl/source/line_reader.h"
#include "dsl/support/expression/expression_text.h"
#include "dsl/support/format_id.h"
#include "dsl/support/number_text.h"

#include <iterator>
#include <utility>

namespace mpf {

namespace {

void numberLines(std::string &text, std::string_view keyword, std::span<const double> list) {
  constexpr size_t kPerLine = 16;
  for (size_t e = 0; e < list.size(); ++e) {
    if (e % kPerLine == 0)
      text += fmt::format("  {}", keyword);
    text += ' ';
    text += formatDouble(list[e]);
    if ((e + 1) % kPerLine == 0 || e + 1 == list.size())
      text += '\n';
  }
}

std::string words(const Expression &expression) {
  return expressionWords(expression, [](uint32_t slot) { return std::to_string(slot); });
}

class HeadPrinter {
public:
  HeadPrinter(std::string &text, const ProgramHead &head, EntryText values)
      : text_(text), head_(head), values_(values) {}

  void print() {
    variables();
    columns();
    for (const CaseInput &input : head_.caseInputs)
      inputLine(input);
    params();
    for (const CaseFormula &table : head_.formulas.tables)
      formulaLines(table);
  }

private:
  template <class... Args> void line(fmt::format_string<Args...> format, Args &&...args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  void variables() {
    size_t finding = 0; // findings ascend, as variables do
    const Evidence &evidence = head_.evidence;
    for (size_t v = 0; v < head_.variables.size(); ++v) {
      const HeadVariable &variable = head_.variables[v];
      line("{} {} extent={}",
           variable.auxiliary ? "auxiliary"
           : variable.unasked ? "unasked"
                              : "variable",
           quoteWord(variable.name), variable.extent);
      if (finding < evidence.findings.size() && evidence.findings[finding].variable == VarId{v}) {
        line(" {}={}", evidence.findings[finding].fixed ? "fixed" : "observed",
             evidence.states[finding]);
        ++finding;
      }
      if (!variable.labels.empty())
        line(" labels");
      for (const std::string &label : variable.labels)
        line(" {}", quoteWord(label));
      line("\n");
    }
  }

  void columns() {
    const auto nameOf = [this](const CaseVariable &column) {
      return commentText(head_.variables[column.variable.index()].name);
    };
    for (const CaseVariable &column : head_.schema.observed)
      line("observed {}   # {}\n", column.variable, nameOf(column));
    for (const CaseVariable &column : head_.schema.likelihoods)
      line("likelihood {}   # {}\n", column.variable, nameOf(column));
    for (const std::string &param : head_.schema.params)
      line("param {}\n", quoteWord(param));
    for (const VaryingTable &table : head_.schema.tables)
      line("varying elems={}{}\n", table.sizeElems, table.nonNegative ? " non-negative" : "");
  }

  void inputLine(const CaseInput &input) {
    line("input {}{}{} scope", quoteWord(input.name), input.conditional ? " conditional" : "",
         input.defaults != nullptr && values_ == EntryText::Apart ? " stored" : "");
    for (const VarId id : input.scope)
      line(" {}", id.value);
    line("\n");
    if (input.defaults != nullptr)
      entriesOf(*input.defaults);
  }

  void params() {
    for (const FormulaParam &param : head_.formulas.params) {
      line("parameter {} {}", quoteWord(param.name), formatDouble(param.value));
      if (!param.derivation.code.empty())
        line(" follows {}", words(param.derivation));
      line("\n");
      numberLines(text_, "sweep", param.swept);
    }
  }

  void formulaLines(const CaseFormula &table) {
    const TableFormula &formula = *table.formula;
    line("formula {} row={}{}{} extents", quoteWord(table.name), table.rowElems,
         table.isSoft ? " soft" : "", values_ == EntryText::Apart ? " stored" : "");
    for (const uint32_t extent : formula.extents)
      line(" {}", extent);
    line("\n");
    entriesOf(*formula.values);
    for (const FormulaPart &part : formula.parts)
      line("  part {} {} {}\n", part.begin, part.end, words(part.expression));
  }

  void entriesOf(const std::vector<double> &entries) {
    if (values_ != EntryText::Apart)
      printEntries(text_, entries);
  }

  std::string &text_;
  const ProgramHead &head_;
  const EntryText values_;
};

} // namespace

std::string headLine(std::string_view form, const ProgramHead &head) {
  return fmt::format("{} {} {} {}", form, quoteWord(head.name), queryKindName(head.kind),
                     elementTypeName(head.type));
}

void printHead(std::string &text, const ProgramHead &head, EntryText values) {
  HeadPrinter(text, head, values).print();
}

void printEntries(std::string &text, std::span<const double> entries) {
  numberLines(text, "entries", entries);
}

std::vector<std::span<const double>> entriesApart(const ProgramHead &head) {
  std::vector<std::span<const double>> tables;
  for (const CaseInput &one : head.caseInputs)
    if (one.defaults != nullptr)
      tables.emplace_back(*one.defaults);
  for (const CaseFormula &one : head.formulas.tables)
    tables.emplace_back(*one.formula->values);
  return tables;
}

} // namespace mpf
