// Options about files that are written.
#include "tools/mpfc/options/option_rows.h"
#include "tools/mpfc/options/value_readers.h"

namespace mpf::driver {

namespace {

using enum OptionGroup;

constexpr ValueWord<OutputFormat> kAnswerFormats[] = {
    {"text", OutputFormat::Text}, {"json", OutputFormat::Json}, {"csv", OutputFormat::Csv},
    {"npy", OutputFormat::Npy},   {"npz", OutputFormat::Npz},   {"uai", OutputFormat::Uai}};
constexpr ValueWord<OutputFormat> kReportFormats[] = {
    {"text", OutputFormat::Text}, {"json", OutputFormat::Json}, {"html", OutputFormat::Html}};

constexpr OptionRow kOutputRows[] = {
    {.name = "-o",
     .commands = {Command::Run},
     .group = Output,
     .metavar = "FILE",
     .brief = "write the answers to this file: .json, .csv, .npy, .npz; -: stdout",
     .text = "Other names have a result in the format of the UAI competitions, or for a list of "
             "cases CSV. Nothing is written to stdout then.",
     .value = textIn<&Options::output>(Completion::File)},
    {.name = "-o",
     .commands = {Command::Explain},
     .group = Output,
     .metavar = "FILE",
     .brief = "write the report to this file: .json, .html, or text",
     .preset = "text to stdout",
     .value = textIn<&Options::output>(Completion::File)},
    {.name = "--format",
     .commands = {Command::Run},
     .group = Output,
     .metavar = "FORMAT",
     .brief = "the format of the answers, in place of the ending of -o",
     .text = "mpfc help output says what each holds.",
     .value = wordIn<kAnswerFormats, &Options::format>(),
     .effects = {&effect::kRunning}},
    {.name = "--format",
     .commands = {Command::Explain},
     .group = Output,
     .metavar = "FORMAT",
     .brief = "the format of the report, in place of the ending of -o",
     .value = wordIn<kReportFormats, &Options::format>(),
     .effects = {&effect::kReporting}},
    {.name = "-o",
     .commands = {Command::Emit, Command::Fmt},
     .group = Output,
     .metavar = "FILE",
     .brief = "write the text to this file",
     .preset = "stdout",
     .value = textIn<&Options::output>(Completion::File)},
    {.name = "-o",
     .commands = {Command::Import},
     .group = Output,
     .metavar = "FILE",
     .brief = "the file to write; its ending names the format",
     .preset = ".mpf to stdout",
     .value = textIn<&Options::output>(Completion::File)},
    {.name = "-o",
     .commands = {Command::Build},
     .group = Output,
     .metavar = "FILE",
     .brief = "the bundle to write (.mpfb)",
     .value = textIn<&Options::output>(Completion::File),
     .count = OptionCount::Required},
    {.name = "--json",
     .commands = {Command::Run},
     .group = Output,
     .metavar = "FILE",
     .brief = "all answers as a JSON list; -: stdout",
     .text = "A line with an object for each row of a list of cases.",
     .value = textIn<&Options::json>(Completion::File),
     .effects = {&effect::kRunning, &effect::kReporting}},
    {.name = "--json",
     .commands = {Command::Explain},
     .group = Output,
     .metavar = "FILE",
     .brief = "every figure as JSON to this file; -: stdout",
     .value = textIn<&Options::json>(Completion::File),
     .effects = {&effect::kRunning, &effect::kReporting}},
    {.name = "--html",
     .commands = {Command::Explain},
     .group = Output,
     .metavar = "FILE",
     .brief = "a page for the browser to this file",
     .value = textIn<&Options::html>(Completion::File),
     .effects = {&effect::kReporting}},
    {.name = "--profile",
     .commands = {Command::Run},
     .group = Output,
     .brief = "print times of phases and operations",
     .value = flagIn<&Options::profile>(),
     .effects = {&effect::kRunning}},
};

} // namespace

std::span<const OptionRow> outputRows() { return kOutputRows; }

} // namespace mpf::driver
