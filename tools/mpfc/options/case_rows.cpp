// Lists of cases: their file, its columns and cells, how they are answered.
#include "dsl/formats/cases/csv_cells.h"
#include "tools/mpfc/options/option_rows.h"
#include "tools/mpfc/options/value_readers.h"

#include <array>
#include <utility>

namespace mpf::driver {

namespace {

using enum OptionGroup;

constexpr CommandSet kOnCases{Command::Run, Command::Check, Command::Explain, Command::Build,
                              Command::Emit};

constexpr ValueWord<NumberReading> kNumberReadings[] = {{"labels", NumberReading::Label},
                                                        {"numbers", NumberReading::Place}};
constexpr ValueWord<OnBadRow> kOnBadRow[] = {{"stop", OnBadRow::Stop}, {"skip", OnBadRow::Skip}};
using EngineWord = ValueWord<std::optional<AnswerForm>>;
constexpr auto kEngines = [] {
  std::array<EngineWord, kAnswerForms.size() + 1> words{{{"auto", std::nullopt}}};
  for (size_t i = 0; i < kAnswerForms.size(); ++i)
    words[i + 1] = {kAnswerForms[i].option, kAnswerForms[i].form};
  return words;
}();

/// Calls take(name, isQuoted) for each name in `text`, which is a line of CSV.
template <class Take>
void forEachName(const OptionRow &row, std::string_view names, const std::string &text, Take take) {
  constexpr size_t kReadableBytes = 8; // behind the line
  const std::string padded = text + std::string(kReadableBytes, '\0');
  CsvCells cells(std::string_view(padded).substr(0, text.size()));
  for (CsvCell cell; cells.next(cell);) {
    if (cell.isBroken || cell.raw.empty())
      fail(ErrorKind::Usage,
           "{} {}: expected {} with commas between them, in double quotes where they contain one",
           row.name, text.empty() ? "''" : text, names);
    take(std::string(cell.text), cell.raw.find('"') != std::string_view::npos);
  }
}

void readIgnored(Options &options, const OptionRow &row, const std::string &text) {
  forEachName(row, "names of columns", text,
              [&](std::string name, bool) { options.columns.ignored.push_back(std::move(name)); });
}

void readKept(Options &options, const OptionRow &row, const std::string &text) {
  forEachName(row, "names of columns", text, [&](std::string name, bool isQuoted) {
    if (name == "all" && !isQuoted)
      options.columns.keepsAll = true;
    else
      options.columns.kept.push_back(std::move(name));
  });
}

void readMissing(Options &options, const OptionRow &row, const std::string &text) {
  forEachName(row, "marks of missing values", text, [&](std::string mark, bool) {
    if (mark.empty())
      fail(ErrorKind::Usage, "--missing '\"\"': an empty cell means not observed without it");
    options.columns.missing.push_back(std::move(mark));
  });
}

void readStates(Options &options, const OptionRow &row, const std::string &text) {
  options.columns.numbers = valueOfWord<kNumberReadings>(row, text);
}

constexpr OptionRow kCaseRows[] = {
    {.name = "--cases",
     .commands = kOnCases,
     .group = Cases,
     .metavar = "FILE",
     .brief = "a list of cases, one a row: CSV or .npy; -: standard input",
     .text = "mpfc help cases says what rows and columns mean.",
     .value = textIn<&Options::cases>(Completion::File),
     .effects = {&effect::kEvidence, &effect::kRunning}},
    {.name = "--keep-columns",
     .commands = kOnCases,
     .group = Cases,
     .metavar = "NAMES",
     .brief = "columns to write in front of the answers: A,B, or all",
     .text = "They stand there unchanged, whether the model knows them or not. A name with a comma "
             "is in double quotes.",
     .value = {readKept},
     .count = OptionCount::Any,
     .effects = {&effect::kEvidence, &effect::kRunning}},
    {.name = "--ignore-columns",
     .commands = kOnCases,
     .group = Cases,
     .metavar = "NAMES",
     .brief = "columns to leave out: A,B",
     .value = {readIgnored},
     .count = OptionCount::Any,
     .effects = {&effect::kEvidence, &effect::kRunning}},
    {.name = "--missing",
     .commands = kOnCases,
     .group = Cases,
     .metavar = "MARKS",
     .brief = "texts of cells that mean not observed: NA,?",
     .value = {readMissing},
     .count = OptionCount::Any,
     .effects = {&effect::kEvidence, &effect::kRunning}},
    {.name = "--states",
     .commands = kOnCases,
     .group = Cases,
     .metavar = "READING",
     .brief = "numbers in lists and in --evidence where labels look like numbers",
     .text = "labels: they are labels. numbers: they are numbers of states, from 0.",
     .value = {readStates, Completion::Choices, wordsOf<kNumberReadings>},
     .effects = {&effect::kEvidence, &effect::kRunning}},
    {.name = "--on-error",
     .commands = {Command::Run},
     .group = Cases,
     .metavar = "ACTION",
     .brief = "what to do at a row that cannot be understood",
     .text = "A row that is skipped has empty answers.",
     .preset = "stop",
     .value = wordIn<kOnBadRow, &Options::onBadRow>(),
     .effects = {&effect::kEvidence, &effect::kRunning}},
    {.name = "--totals",
     .commands = {Command::Run},
     .group = Cases,
     .brief = "only the number of cases and the sum of their logarithms",
     .value = flagIn<&Options::totals>(),
     .effects = {&effect::kRunning}},
    {.name = "--engine",
     .commands = {Command::Run, Command::Explain, Command::Emit},
     .group = Developers,
     .metavar = "ENGINE",
     .brief = "how a list of cases is answered",
     .text = "lanes: side by side. tables: by a program with a case variable. single: one by one. "
             "enumerate: by the definition. auto: as predicted to be the fastest.",
     .preset = "auto",
     .value = wordIn<kEngines, &Options::caseEngine>(),
     .effects = {&effect::kEvidence}},
};

} // namespace

std::span<const OptionRow> caseRows() { return kCaseRows; }

} // namespace mpf::driver
