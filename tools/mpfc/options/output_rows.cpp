// Options about files that are written.
#include "tools/mpfc/options/option_rows.h"
#include "tools/mpfc/options/value_readers.h"

namespace mpf::driver {

namespace {

using enum OptionGroup;

constexpr ValueWord<OutputFormat> kAnswerFormats[] = {
    {"text", OutputFormat::Text}, {"json", OutputFormat::Json}, {"csv", OutputFormat::Csv},
    {"npy", OutputFormat::Npy},   {"npz", OutputFormat::Npz},   {"uai", OutputFormat::Uai},
    {"sol", OutputFormat::Sol},   {"mc", OutputFormat::Mc},     {"wmc", OutputFormat::Wmc},
    {"pmc", OutputFormat::Pmc},   {"pwmc", OutputFormat::Pwmc}};
constexpr ValueWord<OutputFormat> kReportFormats[] = {
    {"text", OutputFormat::Text}, {"json", OutputFormat::Json}, {"html", OutputFormat::Html}};

constexpr ValueWord<OutputFormat> kListFormats[] = {{"text", OutputFormat::Text},
                                                    {"json", OutputFormat::Json}};
constexpr ValueWord<When> kWhen[] = {
    {"auto", When::Auto}, {"always", When::Always}, {"never", When::Never}};

constexpr OptionRow kOutputRows[] = {
    {.name = "-q",
     .commands = kOnModels,
     .group = Output,
     .brief = "print no notes and warnings, only errors",
     .value = flagIn<&Options::quiet>()},
    {.name = "--quiet",
     .commands = kOnModels,
     .group = Output,
     .brief = "the same as -q",
     .value = flagIn<&Options::quiet>()},
    {.name = "--color",
     .commands = kOnModels,
     .group = Output,
     .metavar = "WHEN",
     .brief = "colours of messages on stderr",
     .text = "auto: on a terminal, unless NO_COLOR is set or TERM is dumb.",
     .preset = "auto",
     .value = wordIn<kWhen, &Options::color>()},
    {.name = "--progress",
     .commands = {Command::Run},
     .group = Output,
     .metavar = "WHEN",
     .brief = "a line on stderr, once a second, about long work",
     .text = "It has the share of the work that is done, on a GPU that of the predicted time, of a "
             "list of cases the rows. auto: on a terminal.",
     .preset = "auto",
     .value = wordIn<kWhen, &Options::progress>(),
     .effects = {&effect::kRunning}},
    {.name = "-o",
     .commands = {Command::Show},
     .group = Output,
     .metavar = "FILE",
     .brief = "write the list to this file: .json, or text",
     .preset = "text to stdout",
     .value = textIn<&Options::output>(Completion::File)},
    {.name = "--format",
     .commands = {Command::Show},
     .group = Output,
     .metavar = "FORMAT",
     .brief = "the format of the list",
     .preset = "text",
     .value = wordIn<kListFormats, &Options::format>()},
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
     .brief = "all answers as a JSON list to this file, beside stdout or -o",
     .text =
         "Without a second output: -o FILE.json, or --format json for stdout. Rows of a list of "
         "cases are JSON Lines, and have no second output. --json -: as --format json.",
     .value = textIn<&Options::json>(Completion::File),
     .effects = {&effect::kRunning, &effect::kReporting}},
    {.name = "--json",
     .commands = {Command::Explain},
     .group = Output,
     .metavar = "FILE",
     .brief = "every figure as JSON to this file, beside the report; -: alone",
     .value = textIn<&Options::json>(Completion::File),
     .effects = {&effect::kRunning, &effect::kReporting}},
    {.name = "--html",
     .commands = {Command::Explain},
     .group = Output,
     .metavar = "FILE",
     .brief = "a page for the browser to this file, beside the report",
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
