#include "tools/mpfc/options/declare_case_options.h"

#include "dsl/formats/cases/csv_cells.h"
#include "dsl/support/check.h"
#include "tools/mpfc/options/option_values.h"

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf::driver {

namespace {

/// Calls take(name, isQuoted) for each name in the value of `option`; `names` says what they are.
template <class Take>
void forEachName(const std::string &option, const std::string &names, const std::string &text,
                 const Take &take) {
  constexpr size_t kReadableBytes = 8; // behind the line
  const std::string padded = text + std::string(kReadableBytes, '\0');
  CsvCells cells(std::string_view(padded).substr(0, text.size()));
  for (CsvCell cell; cells.next(cell);) {
    if (cell.isBroken || cell.raw.empty())
      fail(ErrorKind::Usage,
           "{} {}: expected {} with commas between them, in double quotes where they contain one",
           option, text.empty() ? "''" : text, names);
    take(std::string(cell.text), cell.raw.find('"') != std::string_view::npos);
  }
}

/// Declares --name A,B, which may be given several times; `names` as for forEachName.
template <class Take>
void addNames(CLI::App &command, const std::string &name, const std::string &names, Take take,
              const std::string &what) {
  command
      .add_option_function<std::vector<std::string>>(
          name,
          [name, names, take](const std::vector<std::string> &texts) {
            for (const std::string &text : texts)
              forEachName(name, names, text, take);
          },
          what)
      ->allow_extra_args(false);
}

} // namespace

void addCasesFile(CLI::App &command, Options &options) {
  command.add_option("--cases", options.cases,
                     "file of cases, one a row: CSV or .npy (-: standard input)");
  ColumnChoice &columns = options.columns;
  addNames(
      command, "--ignore-columns", "names of columns",
      [&columns](std::string name, bool) { columns.ignored.push_back(std::move(name)); },
      "columns of --cases that say nothing of the model, by their names: A,B (in double quotes "
      "where they contain a comma)");
  addNames(
      command, "--keep-columns", "names of columns",
      [&columns](std::string name, bool isQuoted) {
        if (name == "all" && !isQuoted)
          columns.keepsAll = true;
        else
          columns.kept.push_back(std::move(name));
      },
      "columns of --cases that are written in front of the answers as they stand, whether the "
      "model knows them or not: A,B, or all");
  addNames(
      command, "--missing", "marks of missing values",
      [&columns](std::string mark, bool) { columns.missing.push_back(std::move(mark)); },
      "texts in cells of --cases that say what empty cells say, not observed: NA,?");
  addWord<NumberReading>(
      command, "--states", options.columns.numbers,
      {{"labels", NumberReading::Label}, {"numbers", NumberReading::Place}},
      "what numbers of --cases and --evidence are where labels look like numbers: labels, or the "
      "numbers of states, from 0");
}

void addCaseEngine(CLI::App &command, Options &options) {
  addWord<std::optional<CaseEngineKind>>(
      command, "--engine", options.caseEngine,
      {{"auto", std::nullopt},
       {"lanes", CaseEngineKind::Lanes},
       {"tables", CaseEngineKind::Tables},
       {"single", CaseEngineKind::Single}},
      "how a list of cases is answered: side by side in lanes, by runs of a program with a case "
      "variable, one after the other, or as is predicted to be the fastest (default)");
}

} // namespace mpf::driver
