#include "codegen/bundle/lanes/print_lane_program.h"

#include "codegen/bundle/head/print_head.h"
#include "codegen/bundle/lanes/shared_tables.h"
#include "dsl/source/line_reader.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace mpf {

namespace {

class Printer {
public:
  Printer(const LaneProgram &program, EntryText values) : program_(program), values_(values) {}

  std::string print() {
    statistics();
    line("{} {}\n", headLine("lanes", program_), semiringName(program_.semiring));
    printHead(text_, program_, values_);
    askedLines();
    for (const LaneValues &values : program_.values)
      valuesOf(values);
    for (const LaneTable &table : program_.tables)
      tableLine(table);
    for (const LaneOperation &operation : program_.commonOperations)
      operationLines("common", operation);
    for (const LaneStep &step : program_.steps)
      if (const auto *gather = std::get_if<LaneGather>(&step))
        gatherLine(*gather);
      else
        operationLines("step", std::get<LaneOperation>(step));
    for (const LaneOutput &output : program_.outputs)
      outputLine(output);
    for (const LaneTraceback &step : program_.traceback)
      tracebackLines(step);
    return std::move(text_);
  }

private:
  template <class... Args> void line(fmt::format_string<Args...> format, Args &&...args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  template <class T> void numbers(const char *keyword, const std::vector<T> &list) {
    line(" {}", keyword);
    for (const T &number : list)
      line(" {}", number);
  }
  void ids(const char *keyword, const std::vector<VarId> &list) {
    line(" {}", keyword);
    for (const VarId id : list)
      line(" {}", id.value);
  }

  std::string tableName(uint32_t table) const { return commentText(program_.tables[table].name); }
  std::string variableName(VarId id) const {
    return commentText(program_.variables[id.index()].name);
  }

  void statistics() {
    size_t gathers = 0;
    double addresses = 0;
    for (const LaneStep &step : program_.steps)
      if (const auto *operation = std::get_if<LaneOperation>(&step))
        addresses += operation->addressesApproximately();
      else
        ++gathers;
    uint64_t shared = 0;
    for (const uint32_t table : sharedTables(program_))
      shared = saturatingAdd(shared, program_.tables[table].sizeElems);
    line("# common_operations={} gathers={} products={} addresses_per_case={:.0f}\n",
         program_.commonOperations.size(), gathers, program_.steps.size() - gathers, addresses);
    line("# lane_elems={} shared_elems={}\n", program_.laneElems, shared);
  }

  void askedLines() {
    for (const LaneAsked &asked : program_.asked) {
      line("asked");
      for (const VarId id : asked.variables)
        line(" {}", id.value);
      line("\n");
      if (asked.rowVariables != 0)
        line("rows {}\n", asked.rowVariables);
    }
  }

  void valuesOf(const LaneValues &values) {
    line("values");
    if (!values.factor.empty())
      line(" {}", quoteWord("factor=" + values.factor));
    line(" elems={}", values.sizeElems);
    if (values.rowElems != 0)
      line(" row={}", values.rowElems);
    if (values.values != nullptr && values_ == EntryText::Apart)
      line(" stored");
    line("\n");
    if (values.values != nullptr && values_ != EntryText::Apart)
      printEntries(text_, *values.values);
  }

  void tableLine(const LaneTable &table) {
    line("table {} ", quoteWord(table.name));
    switch (table.kind) {
    case LaneTableKind::Values:
      return line("values {}\n", table.source);
    case LaneTableKind::Common:
      return line("common elems={}\n", table.sizeElems);
    case LaneTableKind::Indicator:
      return line("indicator {}\n", table.source);
    case LaneTableKind::Weights:
      return line("weights {}\n", table.source);
    case LaneTableKind::Message:
      return line("message elems={} at={}\n", table.sizeElems, table.offsetElems);
    }
    MPF_UNREACHABLE("kind of table {}", static_cast<int>(table.kind));
  }

  void operationLines(const char *keyword, const LaneOperation &operation) {
    std::vector<uint64_t> kept, reduced;
    for (const StridedDigit &digit : operation.digits)
      (digit.reduced ? reduced : kept).push_back(digit.extent);
    line("{} {}", keyword, operation.result.table);
    if (!kept.empty())
      numbers("kept", kept);
    if (!reduced.empty())
      numbers("reduced", reduced);
    line("   # {} =", tableName(operation.result.table));
    if (!reduced.empty())
      line(" {}", operation.semiring.reduce == Reduce::Max ? "max" : "sum");
    for (size_t s = 0; s < operation.operands.size(); ++s)
      line("{} {}", s == 0 ? "" : " *", tableName(operation.operands[s].table));
    line(", {} addresses\n", operation.addresses());
    for (const LaneAccess &operand : operation.operands) {
      line("  operand {} base={}", operand.table, operand.baseElems);
      numbers("strides", operand.stridesElems);
      line("\n");
    }
    line("  result");
    numbers("strides", operation.result.stridesElems);
    line("\n");
  }

  void gatherLine(const LaneGather &gather) {
    line("gather {} from {} codes", gather.message, gather.table);
    for (const LaneCode &code : gather.codes)
      line(" {}:{}", code.column, code.strideElems);
    line("   # {} = {}[", tableName(gather.message), tableName(gather.table));
    for (size_t i = 0; i < gather.codes.size(); ++i)
      line("{}{}", i == 0 ? "" : ", ",
           variableName(program_.schema.observed[gather.codes[i].column].variable));
    line("]\n");
  }

  void outputLine(const LaneOutput &output) {
    line("output {} table {}{}", quoteWord(output.name), output.access.table,
         output.normalised ? " normalised" : "");
    ids("scope", output.scope);
    numbers("strides", output.access.stridesElems);
    line("   # {}\n", tableName(output.access.table));
  }

  void tracebackLines(const LaneTraceback &step) {
    line("traceback {}   # {}\n", step.variable, variableName(step.variable));
    for (const LaneTraceback::Table &table : step.tables) {
      line("  factor {} base={}", table.access.table, table.access.baseElems);
      ids("scope", table.scope);
      numbers("strides", table.access.stridesElems);
      line("   # {}\n", tableName(table.access.table));
    }
  }

  const LaneProgram &program_;
  const EntryText values_;
  std::string text_;
};

} // namespace

std::string printLaneProgram(const LaneProgram &program, EntryText values) {
  return Printer(program, values).print();
}

} // namespace mpf
