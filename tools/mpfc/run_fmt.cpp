// mpfc fmt: writes the canonical form of a .mpf source.
#include "dsl/support/check.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/file_output.h"
#include "dsl/syntax/format_source.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/compile/load_model.h"
#include "tools/mpfc/process/output.h"

namespace mpf::driver {

int runFmt(const Options &options) {
  if (!mayBeMpf(options.input))
    fail(ErrorKind::Usage, "fmt is for .mpf sources, not {}", options.input);
  const std::shared_ptr<const SourceBuffer> source = loadText(options.input);
  Diagnostics diagnostics;
  const std::optional<std::string> formatted = formatSource(source, diagnostics);
  printDiagnostics(diagnostics);
  if (!formatted)
    fail(ErrorKind::Internal, "{}: not formatted and no error reported", options.input);
  const bool changed = *formatted != source->text();
  if (options.checkOnly) {
    if (changed)
      fail(ErrorKind::BadInput, "{}: not in canonical form (mpfc fmt -i)", options.input);
    return 0;
  }
  if (options.inPlace && options.input == kStdinPath)
    fail(ErrorKind::Usage, "-i: the standard input cannot be rewritten");
  if (!options.inPlace) {
    writeResult(options, *formatted);
  } else if (changed) {
    if (withoutCompressionSuffix(options.input) != options.input)
      fail(ErrorKind::Usage, "-i: {} is compressed, only plain text is rewritten", options.input);
    writeFile(options.input, *formatted);
  }
  return 0;
}

} // namespace mpf::driver
