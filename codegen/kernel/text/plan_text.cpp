#include "codegen/kernel/text/plan_text.h"

#include "codegen/kernel/plan/log_form.h"
#include "codegen/plan/program/storage_order.h"
#include "dsl/source/line_reader.h"
#include "dsl/support/number_text.h"

namespace mpf::plantext {

void printDigits(Text &text, const std::vector<Digit> &digits, const TableProgram *program) {
  for (size_t d = 0; d < digits.size(); ++d) {
    const Digit &digit = digits[d];
    std::string comment;
    if (program != nullptr)
      for (VarId v : digit.variables)
        comment += (comment.empty() ? "  # " : " ") + program->variables[v.index()].name;
    comment = commentText(std::move(comment));
    line(text, "  digit {} {} extent={} variables={}{}", d, digit.reduced ? "reduced" : "kept",
         digit.extent, joined(digit.variables), comment);
  }
}

void printAccess(Text &text, std::string_view keyword, const DigitAccess &access,
                 const TableProgram *program) {
  std::string comment;
  if (program != nullptr && access.table.index() < program->tables.size()) {
    const auto scope = joined(storageOrder(*program, access.table),
                              [&](VarId v) { return program->variables[v.index()].name; });
    comment = commentText(
        fmt::format("  # {}({})", program->table(access.table).name, scope == "-" ? "" : scope));
  }
  line(text, "  {} table={} size_elems={} strides_elems={}{}{}", keyword, access.table,
       access.sizeElems, joined(access.stridesElems), access.packed ? " packed" : "", comment);
}

void printValues(Text &text, Semiring semiring, const KernelHeader &plan) {
  line(text, "  semiring {}", semiringName(semiring));
  line(text, "  values {} {}", plan.valueForm == ValueForm::Linear ? "linear" : "log",
       elementTypeName(plan.type));
}

void printHead(Text &text, const KernelHeader &plan, std::string_view family,
               const DigitForm &form) {
  line(text, "kernel {}", quoteWord(plan.name));
  line(text, "  family {}", family);
  printValues(text, form.semiring, plan);
  if (usesScaledMantissas(form, plan))
    line(text, "  logsum {}", logSumName(plan.logSum));
}

void printTables(Text &text, const DigitForm &form, const TableProgram *program) {
  printDigits(text, form.digits, program);
  for (const DigitAccess &operand : form.operands)
    printAccess(text, "operand", operand, program);
  printAccess(text, "result", form.result, program);
}

void printStore(Text &text, const KernelHeader &plan) {
  line(text, "  store vector={}", plan.storeVector);
  line(text, "  index bits={}", plan.indexWidth == IndexWidth::Bits32 ? 32 : 64);
}

void printTail(Text &text, const KernelHeader &plan) {
  const LaunchShape &launch = plan.launch;
  line(text,
       "  launch grid_blocks={} block_threads={} shared_bytes={} min_blocks_per_sm={} "
       "estimated_registers={}",
       launch.gridBlocks, launch.blockThreads, launch.sharedBytes, launch.minBlocksPerSm,
       launch.estimatedRegisters);
  for (const CostTerm &term : plan.costTerms)
    line(text, "  cost {} time_us={}", quoteWord(term.name), formatDouble(term.timeUs));
  line(text, "  predicted time_us={} floor_us={}", formatDouble(plan.predictedUs),
       formatDouble(plan.floorUs));
  line(text, "end");
}

} // namespace mpf::plantext
