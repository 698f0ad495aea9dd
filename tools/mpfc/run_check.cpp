// mpfc check: is the model right? Prints one line about it, or what is wrong.
#include "dsl/source/verify_diagnostics.h"
#include "dsl/support/error.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/load_model.h"
#include "tools/mpfc/process/output.h"

namespace mpf::driver {

namespace {

std::string describe(const Model &model) {
  uint64_t entries = 0;
  for (const Factor &factor : model.factors)
    entries += factor.values ? factor.values->size() : 0;
  return fmt::format("{}: {}, {}, {}, {} observed, {}\n", model.name.empty() ? "model" : model.name,
                     counted(model.variables.size(), "variable", "variables"),
                     counted(model.factors.size(), "factor", "factors"),
                     counted(entries, "table entry", "table entries"),
                     model.evidence.findings.size(),
                     counted(model.queries.size(), "query", "queries"));
}

} // namespace

int runCheck(const Options &options) {
  Diagnostics diagnostics(options.verifyDiagnostics ? 0 : 50);
  const LoadedModel loaded = loadModel(options, diagnostics);
  if (options.verifyDiagnostics) {
    const std::string differences = verifyDiagnostics(*loaded.source, diagnostics);
    say("{}", differences);
    return differences.empty() ? 0 : exitCode(ErrorKind::BadInput);
  }
  printDiagnostics(diagnostics);
  writeResult(options, describe(*loaded.model));
  return 0;
}

} // namespace mpf::driver
