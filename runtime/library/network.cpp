// Network: reads, lists and writes models. What changes them is network_edit.cpp.
#include "runtime/api/network.h"

#include "dsl/formats/cases/host/state_reader.h"
#include "dsl/formats/load_text.h"
#include "dsl/formats/model_files.h"
#include "dsl/formats/model_formats.h"
#include "dsl/formats/network/format_options.h"
#include "dsl/formats/read_model_file.h"
#include "dsl/formats/uai/uai_evidence.h"
#include "dsl/formats/used_formats.h"
#include "dsl/formats/write_model_file.h"
#include "dsl/source/suggest.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/file_output.h"
#include "dsl/support/system/memory_error.h"
#include "dsl/support/system/watched_call.h"
#include "dsl/syntax/spelling.h"
#include "runtime/library/network_model.h"
#include "runtime/library/network_state.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

const ModelFormat &formatToRead(std::string_view ending, std::string_view text) {
  if (const ModelFormat *format = modelFormatOf(fmt::format("text{}", ending), text))
    return *format;
  fail(ErrorKind::Usage, "no format has the ending '{}'; known are {}", ending, modelEndings());
}

const ModelFormat &formatToWrite(const std::string &path) {
  if (const ModelFormat *format = writtenFormatByEnding(path))
    return *format;
  fail(ErrorKind::Usage, "{}: no format with this ending is written; written are {}", path,
       modelEndings(" and ", [](const ModelFormat &row) { return row.write != nullptr; }));
}

void setFormatOption(ModelReadOptions &reading, const std::string &name, const std::string &text) {
  if (const FormatOption *option = formatOptionNamed("--" + name))
    return option->set(reading, text);
  Suggestion near(name);
  for (const FormatOption &option : formatOptions())
    near.offer(hostName(option));
  const std::string hint = near.hint();
  fail(ErrorKind::Usage, "reading a network has no option '{}'{}{}", name, hint.empty() ? "" : "; ",
       hint);
}

ModelReadOptions readingOf(const ReadOptions &options) {
  if (!options.states.empty() && !options.evidence)
    fail(ErrorKind::Usage, "states is for numbers of an evidence file: evidence names none");
  ModelReadOptions reading;
  reading.build.normalise = options.normalise;
  for (const auto &[name, text] : options.formatOptions)
    setFormatOption(reading, name, text);
  reading.build.files = filesOnDisk({}, reading);
  for (const auto &[name, value] : options.params)
    reading.build.params.values.try_emplace(name, value);
  reading.build.params.varying = {options.caseParams.begin(), options.caseParams.end()};
  return reading;
}

/// Warns of what readers of files warn of: cycles, and variables without a table.
void warnOfBuilt(const Model &model, std::vector<std::string> &warnings) {
  std::vector<VarId> children;
  for (const Factor &factor : model.factors)
    children.push_back(factor.conditional ? factor.scope.back() : VarId());
  Diagnostics diagnostics;
  warnOfNetwork(model, children,
                {[](FactorId) { return SourcePlace(); }, [](VarId) { return SourcePlace(); }},
                diagnostics);
  appendWarnings(diagnostics, warnings);
}

} // namespace

template <class Load>
Network Network::State::read(const ReadOptions &options, const ModelFormat *format,
                             const Load &load) {
  Diagnostics diagnostics;
  ModelReadOptions reading = readingOf(options);
  const UsedFormats used(reading.build.files);
  std::optional<Model> model;
  watchedCall(options.watch, "reading", [&] {
    const std::shared_ptr<const SourceBuffer> text = load();
    const ModelFormat *const known =
        format != nullptr ? format : modelFormatOf(text->name(), text->text());
    model = known != nullptr ? readModelAs(*known, text, diagnostics, reading)
                             : readModelFile(text, diagnostics, reading); // says what is known
    used.requireUse(reading, known, text->name());
    if (model && options.evidence &&
        !readEvidence(loadText(*options.evidence), *model, diagnostics,
                      numberReadingNamed(options.states)))
      model.reset();
  });
  if (!model)
    throw Error(ErrorKind::BadInput, messageOf(diagnostics));
  auto state = std::make_unique<State>(std::move(*model));
  appendWarnings(diagnostics, state->warnings);
  return Network(std::move(state));
}

Network::Network(std::string_view name) {
  Model model;
  model.name = name;
  state_ = std::make_unique<State>(std::move(model));
}
Network::Network(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Network::Network(const Network &other) : state_(std::make_unique<State>(*other.state_)) {}
Network::Network(Network &&) noexcept = default;
Network &Network::operator=(Network other) noexcept {
  state_ = std::move(other.state_);
  return *this;
}
Network::~Network() = default;

Network Network::parse(std::string_view text, const ReadOptions &options) {
  const ModelFormat &format = formatToRead(options.format, text);
  return namingMemory([] { return "reading a text"; },
                      [&] {
                        return State::read(options, &format, [&] {
                          return std::make_shared<const SourceBuffer>("<text>", std::string(text));
                        });
                      });
}

Network Network::read(const std::string &path, const ReadOptions &options) {
  return namingMemory(
      [&] { return "reading " + path; },
      [&] { return State::read(options, nullptr, [&] { return loadText(path); }); });
}

const std::vector<std::string> &Network::warnings() const { return state_->warnings; }

const std::string &Network::name() const { return state_->model().name; }

std::vector<VariableInfo> Network::variables() const {
  const Model &model = state_->model();
  std::vector<VariableInfo> list;
  for (size_t v = 0; v < ownVariableCount(model); ++v) {
    const Variable &variable = model.variables[v];
    list.push_back(
        {variable.name, variable.labels, variable.extent, model.evidence.observes(VarId(v))});
  }
  return list;
}

std::vector<FactorInfo> Network::factors() const {
  const Model &model = state_->model();
  std::vector<FactorInfo> list;
  for (size_t i = 0; i < model.factors.size(); ++i) {
    const Factor &factor = model.factors[i];
    FactorInfo &info = list.emplace_back();
    info.name = factor.name;
    for (const VarId id : factor.scope)
      info.variables.push_back(model.variable(id).name);
    info.sizeElems = scopeElems(model, factor.scope);
    info.isConditional = factor.conditional;
    info.isInput = isInput(factor);
    info.isLikelihood = model.evidence.isLikelihood(FactorId(i));
  }
  return list;
}

std::vector<ParamInfo> Network::params() const {
  std::vector<ParamInfo> list;
  for (const Param &param : state_->model().params)
    list.push_back({param.name, param.value, param.varies, param.isSwept});
  for (const SweptParam &sweep : state_->model().sweeps)
    std::ranges::find(list, sweep.name, &ParamInfo::name)->swept = sweep.values;
  return list;
}

std::vector<std::string> Network::queries() const {
  std::vector<std::string> names;
  for (const Query &query : state_->model().queries)
    names.push_back(query.name);
  return names;
}

std::optional<std::span<const double>> Network::values(std::string_view factor) const {
  const std::vector<Factor> &factors = state_->model().factors;
  const auto found = std::ranges::find(factors, factor, &Factor::name);
  if (found == factors.end())
    fail(ErrorKind::Usage, "no factor is called '{}'", excerpt(factor));
  const TableValues &values = statedValues(*found);
  return values == nullptr ? std::nullopt : std::optional(std::span<const double>(*values));
}

std::vector<std::pair<std::string, uint32_t>> Network::observations() const {
  const Model &model = state_->model();
  if (listsCases(model))
    fail(ErrorKind::Usage, "the model lists cases, which observe different states");
  std::vector<std::pair<std::string, uint32_t>> list;
  for (const auto &[id, state] : model.evidence.observations())
    list.emplace_back(model.variable(id).name, state);
  return list;
}

std::string Network::text(std::string_view ending) const {
  return formatToWrite(fmt::format("text{}", ending)).write(state_->model()).text;
}

std::vector<std::string> Network::write(const std::string &path) const {
  const ModelFormat &format = formatToWrite(path);
  const Model &model = state_->model();
  if (withoutCompressionSuffix(path) != path)
    fail(ErrorKind::Usage, "{}: models are written without compression", path);
  WrittenModel written = format.write(model);
  writeFile(path, written.text);
  writeEvidenceBeside(model, format, path);
  return std::move(written.losses);
}

Model NetworkModel::asked(Network network, const AskedNetwork &how) {
  ModelQuestions questions;
  const auto add = [](std::vector<ModelQuestions::Text> &texts, const char *name,
                      const std::string &text) {
    if (!text.empty())
      texts = {questionText(name, text)};
  };
  add(questions.unobserve, "unobserve", how.unobserve);
  add(questions.observe, "observe", how.observe);
  add(questions.queries, "query", how.query);
  std::vector<std::string> &warnings = network.state_->warnings;
  if (network.state_->isBuilt)
    warnOfBuilt(network.state_->model(), warnings);
  Model model = std::move(network.state_->edited());
  Diagnostics diagnostics;
  if (!questions.empty() && !askModel(model, questions, filesOnDisk(), diagnostics))
    throw Error(ErrorKind::Usage, messageOf(diagnostics));
  appendWarnings(diagnostics, warnings);
  if (how.warnings != nullptr)
    how.warnings->insert(how.warnings->end(), warnings.begin(), warnings.end());
  return model;
}

std::string spelled(std::string_view name) { return spellName(name); }

} // namespace mpf
