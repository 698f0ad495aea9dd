#include "tools/mpfc/options/declare_model_options.h"

#include "dsl/formats/model_formats.h"
#include "dsl/support/files/file_input.h"
#include "tools/mpfc/options/option_values.h"

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <memory>
#include <string>
#include <vector>

namespace mpf::driver {

namespace {

/// "NAME.uai.evid or NAME.evid beside NAME.uai"
std::string evidenceBesideText() {
  std::string text;
  for (const ModelFormat &format : modelFormats())
    if (!format.evidenceEnding.empty())
      text += fmt::format("{0}NAME{1}{2} or NAME{2} beside NAME{1}", text.empty() ? "" : ", ",
                          format.endings[0], format.evidenceEnding);
  return text;
}

/// Declares --name TEXT, which may be given several times.
void addModelText(CLI::App &command, const std::string &name,
                  std::vector<ModelQuestions::Text> &texts, const std::string &what) {
  command
      .add_option_function<std::vector<std::string>>(
          name,
          [&texts, name](const std::vector<std::string> &given) {
            for (const std::string &text : given)
              texts.push_back(std::make_shared<const SourceBuffer>(name, text));
          },
          what)
      ->allow_extra_args(false);
}

} // namespace

void addInput(CLI::App &command, Options &options) {
  command
      .add_option("MODEL", options.input,
                  fmt::format("the model: {}, also {}; -: standard input", modelEndings(" or "),
                              fmt::join(kCompressionEndings, " ")))
      ->required();
  command.add_option_function<std::string>(
      "-x", [&options](const std::string &name) { options.startStage = startingStage(name); },
      "MODEL is the text of a later stage: " + startingStageNames());
  command.add_option_function<std::string>(
      "--evidence",
      [&options](const std::string &path) {
        if (path == "none")
          options.noEvidence = true;
        else
          options.evidence = path;
      },
      fmt::format("evidence file, or none (default: {})", evidenceBesideText()));
  addModelText(
      command, "--observe", options.questions.observe,
      "evidence in the words of a model: 'wet=yes, rain ~ [0.3, 0.7]'; it replaces what the "
      "model observes of these variables");
  addModelText(command, "--unobserve", options.questions.unobserve,
               "variables whose evidence is taken away: 'wet, x[3]'");
  command.add_option("--virtual-evid", options.virtualEvidence,
                     "likelihoods of single variables (merlin's virtual evidence)");
  command
      .add_option_function<std::vector<std::string>>(
          "-D",
          [&options](const std::vector<std::string> &texts) {
            for (const std::string &text : texts)
              setParam(options.params, text);
          },
          "NAME=NUMBER: value of a param of the .mpf model; NAME=SWEEP: a case for each value of "
          "linspace(FIRST, LAST, COUNT), FIRST..END or [A, B, ...]")
      ->allow_extra_args(false);
  command.add_flag("--normalise", options.reading.build.normalise,
                   "divide rows of conditional tables by their sums that do not sum to 1");
  addWord<std::optional<UaiTableOrder>>(command, "--uai-tables", options.reading.uaiTables,
                                        {{"format", UaiTableOrder::Format},
                                         {"agrum", UaiTableOrder::Agrum},
                                         {"pgmpy", UaiTableOrder::Pgmpy}},
                                        "the order of entries in BAYES .uai files: the format's, "
                                        "or as these programs write it");
}

void addAsked(CLI::App &command, Options &options) {
  addModelText(
      command, "--query", options.questions.queries,
      "instead of all queries of the model: one of them by its name, or one in the words of "
      "a model, such as evidence, marginals, best, 'P(a, b)', 'P(a | b = yes)'");
}

void addQuery(CLI::App &command, Options &options) {
  addWord<std::optional<UaiTask>>(command, "--task", options.task,
                                  {{"PR", UaiTask::Pr},
                                   {"MAR", UaiTask::Mar},
                                   {"MPE", UaiTask::Mpe},
                                   {"MAP", UaiTask::Mpe},
                                   {"MMAP", UaiTask::Mmap}},
                                  "instead of the queries of the model",
                                  "; --query takes the words of a model: --query marginals");
  addAsked(command, options);
  command.add_option("--uai-query", options.queryFile,
                     "file of query variables (q v1 .. vq): their joint posterior, or what --task "
                     "MMAP maximises over");
}

} // namespace mpf::driver
