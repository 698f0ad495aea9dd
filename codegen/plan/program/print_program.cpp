#include "codegen/plan/program/print_program.h"

#include "codegen/plan/program/program_statistics.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/split_k.h"
#include "codegen/plan/program/storage_order.h"
#include "dsl/model/print/print_model.h"
#include "dsl/source/line_reader.h"
#include "dsl/support/number_text.h"

#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace mpf {

namespace {

/// Comments name at most this many tables of one operation.
constexpr size_t kMaxNamesInComment = 12;

class Printer {
public:
  Printer(const TableProgram &program, ElementType type)
      : program_(program), type_(type), levels_(program) {}

  std::string print() {
    statistics();
    line("plan {} {}", quoteWord(program_.name), queryKindName(program_.kind));
    if (program_.searchRounds != 0)
      line(" rounds={}", program_.searchRounds);
    if (program_.separateBranches)
      line(" separate_branches");
    line("\n");
    variables();
    line("order");
    ids(program_.order);
    line("\n");
    for (const ProgramTable &table : program_.tables)
      if (table.isInput())
        input(table);
    for (const Operation &op : program_.operations)
      operation(op);
    for (const ProgramChain &chain : program_.chains)
      line("chain message {} ops {} to {}   # {} operations from {} on\n", chain.message,
           chain.first, chain.operation(chain.count - 1), chain.count,
           commentText(program_.table(chain.message).name));
    for (const ProgramOutput &output : program_.outputs) {
      line("output {} table {}{}", quoteWord(output.name), output.table,
           output.normalised ? " normalised" : "");
      if (output.rowVariables != 0)
        line(" rows {}", output.rowVariables);
      line(" scope");
      ids(output.scope);
      line("\n");
    }
    for (const TracebackStep &step : program_.traceback) {
      line("traceback {} tables", step.variable);
      ids(step.tables);
      line("   # {}\n", commentText(program_.variables[step.variable.index()].name));
    }
    return std::move(text_);
  }

private:
  template <class... Args> void line(fmt::format_string<Args...> format, Args &&...args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  template <class IdType> void ids(const std::vector<IdType> &list) {
    for (const IdType id : list)
      line(" {}", id.value);
  }

  void statistics() {
    const ProgramStatistics s = programStatistics(program_, type_);
    line("# operations={} induced_width={} log2_largest_table_elems={:.2f}\n",
         program_.operations.size(), s.inducedWidth, s.log2LargestTableElems);
    line("# log2_largest_address_count={:.2f} log2_total_address_count={:.2f} "
         "log2_total_ops={:.2f}\n",
         s.log2LargestAddressCount, s.log2TotalAddressCount, s.log2TotalOps);
    line("# peak_bytes={} input_bytes={} work_bytes={} element={}\n", s.memory.peakBytes,
         s.memory.inputArenaBytes, s.memory.workArenaBytes, elementTypeName(type_));
    if (s.runOperations < program_.operations.size() || s.sharedInputs > 0)
      line("# operations_run={} shared_inputs={}\n", s.runOperations, s.sharedInputs);
    if (s.keptTables > 0)
      line("# kept_tables={}\n", s.keptTables);
    if (s.laidOutTables > 0)
      line("# laid_out_tables={}\n", s.laidOutTables);
    if (s.packedTables > 0)
      line("# packed_tables={}\n", s.packedTables);
    if (levels_.count() > 0)
      line("# loops={} slices={:.0f}\n", levels_.count(), s.sliceCount);
  }

  void variables() {
    for (size_t i = 0; i < program_.variables.size(); ++i) {
      const ProgramVariable &variable = program_.variables[i];
      line("variable {} extent={}{}{}", quoteWord(variable.name), variable.extent,
           variable.unasked ? " unasked" : "", variable.sliced ? " sliced" : "");
      if (variable.copyOf.valid())
        line(" copy {}", variable.copyOf);
      if (const auto state = program_.evidence.state(VarId{i}))
        line(" observed={}", *state);
      line("\n");
    }
  }

  void input(const ProgramTable &table) {
    line("table {}", quoteWord(table.name));
    if (table.fill)
      line(" fill={}", formatDouble(*table.fill));
    else if (table.isIdentity)
      line(" identity");
    else
      line(" factor={}", table.factor);
    line(" scope");
    ids(table.scope);
    layout(table);
    if (table.packed)
      line(" packed");
    if (table.sameAs.valid())
      line(" same {}", table.sameAs);
    line("\n");
  }

  void layout(const ProgramTable &table) {
    if (table.layout.empty())
      return;
    line(" layout");
    for (const uint32_t place : table.layout)
      line(" {}", table.scope[place]);
  }

  std::string scopeText(const std::vector<VarId> &scope) const {
    std::string text = "(";
    for (size_t i = 0; i < scope.size() && i < kMaxNamesInComment; ++i)
      text += (i ? ", " : "") + commentText(program_.variables[scope[i].index()].name);
    return text + (scope.size() > kMaxNamesInComment ? ", ...)" : ")");
  }

  void operation(const Operation &operation) {
    line("op {} tables", semiringName(operation.semiring));
    ids(operation.operands);
    if (!operation.reduced.empty()) {
      line(" reduce");
      ids(operation.reduced);
    }
    const ProgramTable &result = program_.table(operation.result);
    if (result.splits > 1)
      line(" splits {}", result.splits);
    layout(result);
    if (result.sameAs.valid())
      line(" same {}", result.sameAs);
    if (result.kept)
      line(" kept");
    line("   # {}{} =", result.name, scopeText(result.scope));
    if (!operation.reduced.empty())
      line(" {}{}", reduceWord(operation.semiring.reduce), scopeText(operation.reduced));
    const char *combine = operation.semiring.combine == Combine::Times ? " *" : " +";
    for (size_t i = 0; i < operation.operands.size() && i < kMaxNamesInComment; ++i)
      line("{} {}", i ? combine : "", commentText(program_.table(operation.operands[i]).name));
    if (operation.operands.size() > kMaxNamesInComment)
      line("{} ...", combine);
    if (result.splits > 1)
      line(", in {} splits", result.splits);
    if (const uint32_t splits = splitsRead(program_, operation); splits > 1)
      line(", {} over its {} splits", reduceWord(operation.semiring.reduce), splits);
    line(", {} addresses", operation.cost.addressCount);
    if (const uint32_t level = levels_.ofOperation(operation); level > 0)
      line(", {}loop {}", levels_.accumulates(operation) ? "accumulated over " : "", level);
    if (!result.layout.empty())
      line(", stored as {}", scopeText(storageOrder(program_, operation.result)));
    if (result.sameAs.valid())
      line(", not run: {} holds the same", commentText(program_.table(result.sameAs).name));
    line("\n");
  }

  static const char *reduceWord(Reduce reduce) {
    constexpr std::array<const char *, 4> kWords = {"sum", "max", "min", "logsum"};
    return kWords[static_cast<size_t>(reduce)];
  }

  const TableProgram &program_;
  const ElementType type_;
  const SliceLevels levels_;
  std::string text_;
};

} // namespace

std::string printProgram(const TableProgram &program, ElementType type) {
  return Printer(program, type).print();
}

} // namespace mpf
