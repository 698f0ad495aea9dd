#include "tools/mpfc/options/declare_case_options.h"

#include "tools/mpfc/options/option_values.h"

#include <CLI/CLI.hpp>

namespace mpf::driver {

void addCasesFile(CLI::App &command, Options &options) {
  command.add_option("--cases", options.cases,
                     "file of cases, one a row: CSV or .npy (-: standard input)");
  command
      .add_option("--ignore-columns", options.ignoredColumns,
                  "columns of --cases that say nothing of the model, by their names: A,B")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void addShownEngine(CLI::App &command, Options &options) {
  addWord<ShownEngine>(command, "--engine", options.caseEngine,
                       {{"lanes", ShownEngine::Lanes}, {"tables", ShownEngine::Tables}},
                       "of a list of cases: how it is answered side by side (default), or by runs "
                       "of a program with a case variable");
}

} // namespace mpf::driver
