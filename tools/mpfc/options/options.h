// The parsed command line as plain data. Commands know the command line only through it.
//
// There is one struct for all commands, because they share most options (model, evidence, -D,
// device); an option that a command does not offer keeps its default.
#pragma once

#include "codegen/pipeline/compile_settings.h"
#include "dsl/formats/cases/columns/column_choice.h"
#include "dsl/formats/network/model_read_options.h"
#include "dsl/model/build/ask_model.h"
#include "dsl/model/resolve/build_options.h"
#include "dsl/support/cases/case_source.h"
#include "dsl/support/query_traits.h"
#include "runtime/choose/answer/answer_form.h"
#include "tools/mpfc/options/stages.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpf::driver {

/// The format of answers and reports that are written.
enum class OutputFormat { Text, Json, Csv, Npy, Npz, Uai, Sol, Mc, Wmc, Pmc, Pwmc, Html };

/// The help that is printed in place of a run.
enum class HelpKind { None, Brief, Full };

/// Whether something is shown: auto asks the terminal.
enum class When { Auto, Always, Never };

/// Options of compilation are members of CompileSettings, which host programs use too.
struct Options : CompileSettings {
  std::string command;             ///< "run"
  StageSet starts{};               ///< what MODEL may be for this command
  Stage lastStage = Stage::Result; ///< the last stage that this command line makes
  std::vector<std::string> given;  ///< the options on the command line, by name, each once
  HelpKind help = HelpKind::None;  ///< -h, --help

  std::string input;  ///< the model file, or the artefact named by `startStage`
  std::string output; ///< -o; empty or "-": stdout

  bool quiet = false;         ///< -q: no notes and warnings
  When color = When::Auto;    ///< --color: of messages
  When progress = When::Auto; ///< --progress: of long work

  double timeLimitSeconds = 0; ///< --time-limit, for the whole command; 0: none
  /// The end of the time limit. Check it before work that may take long.
  std::chrono::steady_clock::time_point ends = std::chrono::steady_clock::time_point::max();

  std::optional<UaiTask> task;
  std::string queryFile;    ///< --uai-query: a UAI query file; empty: none
  ModelQuestions questions; ///< --observe, --unobserve, --query

  std::string orderFile; ///< --order; empty: none
  std::vector<std::string> printAfter;
  bool printChanged = false;
  bool timePasses = false;

  std::string machineFile;        ///< emit --machine: plan for this machine; empty: this one
  std::string plan;               ///< --plan: a plan text to run instead of planning; empty: none
  std::vector<std::string> archs; ///< build --arch: machine code to put into the bundle; cache fill
  /// --autotune: candidates of each kernel to be measured, 0: take no earlier choice either.
  std::optional<uint32_t> autotune;
  std::string operation;         ///< emit --operation: only its kernel; empty: all
  std::string launches;          ///< emit --launches: a launch plan's text; empty: none
  bool forbidCompiling = false;  ///< --forbid-compiling
  std::string dumpKernels;       ///< --dump-kernels; empty: no
  std::string overrideKernels;   ///< --override-kernels; empty: none
  bool trust = false;            ///< --trust: a bundle's kernels are run unchecked
  std::string resident = "auto"; ///< --resident: joinLevelsNamed
  bool acceptsLongRuns = false;  ///< --yes
  bool verify = false;           ///< --verify: recompute sampled entries
  bool profile = false;          ///< --profile
  /// --format, or by the ending of -o; none: text on stdout, or the usual format of the command.
  std::optional<OutputFormat> format;
  std::string json; ///< --json: file for the complete result; empty: none
  std::string html; ///< explain --html: file for the page; empty: none

  bool inPlace = false;             ///< fmt -i
  bool checkOnly = false;           ///< fmt --check
  bool strict = false;              ///< check --strict
  bool showMachine = false;         ///< calibrate --show
  std::string cacheAction = "info"; ///< "info", "list", "clear", "fill"
  std::string cacheFolder;          ///< empty: the user's cache
  std::string shell;                ///< completion: "bash", "zsh" or "fish"

  Stage startStage = Stage::Source;     ///< -x: what `input` holds
  std::optional<Stage> emitStage;       ///< --emit
  bool verifyDiagnostics = false;       ///< --verify-diagnostics
  std::optional<std::string> evidence;  ///< --evidence; none: the file beside the model
  std::string cases;                    ///< --cases: a file of cases; empty: none
  ColumnChoice columns;                 ///< --ignore-columns, --keep-columns: of that file
  OnBadRow onBadRow = OnBadRow::Stop;   ///< --on-error
  std::optional<AnswerForm> caseEngine; ///< --engine; none: the fastest, as predicted
  bool totals = false;                  ///< --totals: sums over all cases instead of rows
  /// Memory for rows of a list of cases on their way (cases/stream_memory.h); 0: there is no list.
  uint64_t streamedBytes = 0;
  std::string virtualEvidence; ///< --likelihoods; empty: none
  bool noEvidence = false;     ///< --evidence none: no evidence file is looked for
  ModelReadOptions reading;    ///< --normalise, --uai-tables; without params and files
  ParamSettings params;        ///< -D NAME=VALUE, NAME=SWEEP
  ParamSettings lod;           ///< --lod NAME=VALUE: the reference of log-odds
};

/// Runs a command. Returns the exit code; failures are thrown as mpf::Error.
using CommandFunction = int (*)(const Options &);

} // namespace mpf::driver
