#include "tools/mpf-check-kernel/check_table_text.h"

#include "codegen/emit/table_driven_source.h"
#include "codegen/emit/tooling/check_source.h"
#include "dsl/support/error.h"
#include "runtime/simt/tables/check_tables.h"
#include "runtime/simt/tables/table_driven_executor.h"
#include "tools/mpf-check-kernel/table_programs.h"

#include <fmt/format.h>
#include <optional>

namespace mpf {

namespace {

/// The text of mpf that was edited.
struct TableDrivenText {
  ElementType type;
  bool packed;
};

std::optional<TableDrivenText> editedText(std::string_view text) {
  for (const ElementType type :
       {ElementType::F64, ElementType::F32, ElementType::U64, ElementType::U128})
    for (const bool packed : {false, true}) {
      const std::string own = tableDrivenSource(type, packed);
      if (text.starts_with(std::string_view(own).substr(0, tableDrivenHeadBytes(type, packed))))
        return TableDrivenText{type, packed};
    }
  return std::nullopt;
}

/// Runs a program. Returns false if faults were reported.
bool runProgram(CheckedText &text, simt::Program &compiled, const Bundle &bundle,
                JoinLevels joins) {
  bool isSound = true;
  for (const simt::TableProblem &found : simt::checkTables(compiled, bundle, joins)) {
    text.report(found.kernel, {found.problem});
    isSound = false;
  }
  return isSound;
}

std::vector<std::string> runPrograms(CheckedText &text, const TableDrivenText &edited) {
  const std::vector<Bundle> programs = tablePrograms(edited.type);
  size_t runs = 0;
  try {
    const auto compiled =
        simt::compileTableDriven(std::string(text.text()), !isIntegerType(edited.type));
    for (const Bundle &program : programs)
      for (const JoinLevels joins : {JoinLevels::Off, JoinLevels::On}) {
        if (!runProgram(text, *compiled, program, joins))
          return {};
        ++runs;
      }
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::BadInput)
      throw;
    text.diagnostics().error({}, "{}", error.what());
    return {};
  }
  return {fmt::format("{}: {} runs of {} programs, by levels",
                      tableDrivenName(edited.type, edited.packed), runs, programs.size())};
}

} // namespace

bool isTableDriven(std::string_view cudaText) { return editedText(cudaText).has_value(); }

std::vector<std::string> checkTableText(CheckedText &text) {
  const TableDrivenText edited = *editedText(text.text());
  const std::string own = tableDrivenSource(edited.type, edited.packed);
  const size_t trusted = tableDrivenHeadBytes(edited.type, edited.packed);
  text.checkSource(trusted, own);
  if (!text.diagnostics().hasErrors())
    text.checkDeclarations(checkKernelFile(own, trusted).kernels);
  return text.diagnostics().hasErrors() ? std::vector<std::string>() : runPrograms(text, edited);
}

} // namespace mpf
