// mpfc import: writes a model of any known format as readable .mpf source, or in the format of
// another program, which the ending of -o selects.
#include "dsl/formats/model_formats.h"
#include "dsl/formats/write_model_file.h"
#include "dsl/support/check.h"
#include "dsl/support/files/lower_case.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/compile/load_model.h"
#include "tools/mpfc/options/output_names.h"
#include "tools/mpfc/process/output.h"

namespace mpf::driver {

namespace {

/// Returns the format for the ending of `output`; the default one for other names (stdout,
/// notes.txt).
const ModelFormat &formatToWrite(const std::string &output) {
  const ModelFormat *format = writtenFormatByEnding(output);
  const std::string written =
      fmt::format("import writes {} or, for names that end so, {}", defaultModelFormat().endings[0],
                  modelEndings(" or ", [](const ModelFormat &row) {
                    return row.write != nullptr && &row != &defaultModelFormat();
                  }));
  if (hasEnding(output, ".mpfb") || (format == nullptr && !modelFormatsByEnding(output).empty()))
    fail(ErrorKind::Usage, "-o {}: {}", output, written);
  if (format == nullptr)
    requireNoOtherFormat("-o", output, written);
  return format == nullptr ? defaultModelFormat() : *format;
}

/// Writes the evidence beside the model, and prints notes on what the format loses.
void writeBeside(const Model &model, const Options &options, const ModelFormat &format,
                 const std::vector<std::string> &losses) {
  if (const auto path = writeEvidenceBeside(model, format, options.output))
    say("mpfc: note: {} {}\n",
        hasFindings(model) ? "the evidence is in" : "there is no evidence now in", *path);
  for (const std::string &loss : losses)
    say("mpfc: note: {}\n", loss);
}

} // namespace

int runImport(const Options &options) {
  const ModelFormat &format = formatToWrite(options.output);
  const Model model = loadModelOrFail(options);
  const WrittenModel written = format.write(model);
  writeResult(options, written.text);
  writeBeside(model, options, format, written.losses);
  return 0;
}

} // namespace mpf::driver
