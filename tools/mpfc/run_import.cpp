// mpfc import: a model of any known format as .mpf source that people can read, or as .uai for
// other people's programs.
#include "dsl/formats/uai_writer.h"
#include "dsl/model/print/print_mpf.h"
#include "dsl/support/error.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/file_output.h"
#include "dsl/syntax/format_source.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/load_model.h"
#include "tools/mpfc/output.h"

namespace mpf::driver {

namespace {

/// As mpfc fmt would leave it. What is beyond the bounds of a source file stays as it is printed.
std::string canonicalMpf(const Model &model) {
  std::string text = printMpf(model);
  if (text.size() > kMaxTextFileBytes)
    return text;
  Diagnostics unheard;
  const auto source = std::make_shared<const SourceBuffer>("<imported>", std::move(text));
  std::optional<std::string> formatted = formatSource(source, unheard);
  return formatted ? std::move(*formatted) : std::string(source->text());
}

/// What the format has no place for goes to a file beside it, or is said to be lost.
void writeUaiFiles(const Model &model, const Options &options) {
  writeResult(options, writeUai(model));
  if (!model.evidence.empty() || model.batch) {
    const std::string path = options.output + ".evid";
    writeFile(path, writeEvidence(model));
    say("mpfc: note: the evidence is in {}\n", path);
  }
  say("mpfc: note: a .uai file has no names, labels and queries: variables are numbers there\n");
}

void checkEnding(const std::string &output) {
  if (withoutCompressionSuffix(output) != output)
    fail(ErrorKind::Usage, "-o {}: plain text is written, not a compressed file", output);
  for (const std::string_view ending : {".bif", ".mpfb"})
    if (output.ends_with(ending))
      fail(ErrorKind::Usage, "-o {}: import writes .mpf or, for names that end so, .uai", output);
}

} // namespace

int runImport(const Options &options) {
  checkEnding(options.output);
  const Model model = loadModelOrFail(options);
  if (options.output.ends_with(".uai"))
    writeUaiFiles(model, options);
  else
    writeResult(options, canonicalMpf(model));
  return 0;
}

} // namespace mpf::driver
