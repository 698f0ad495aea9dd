#include "tools/mpfc/compile/bundle_changes.h"

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/head/answered_queries.h"
#include "dsl/formats/model_files.h"
#include "dsl/model/build/ask_model.h"
#include "dsl/model/build/build_model.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"
#include "dsl/support/wide_table.h"
#include "dsl/syntax/parser.h"
#include "dsl/syntax/spelling.h"
#include "runtime/engine/head_model.h"
#include "runtime/engine/missing_values.h"
#include "tools/mpfc/options/check_options.h"
#include "tools/mpfc/process/output.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

namespace mpf::driver {

namespace {

using Text = ModelQuestions::Text;

/// The tables of a program are final, and do() cuts one of them off. Errors of the text are left to
/// askModel.
void refuseCuts(const Text &text, const Options &options) {
  Diagnostics unheard;
  for (const ast::ObserveItem &item :
       parseObservations(text, unheard).value_or(std::vector<ast::ObserveItem>()))
    if (item.kind == ast::ObserveKind::Do)
      failAt(ErrorKind::Usage, {text, item.range},
             "do() cuts a table off, and the tables of {} are final: mpfc build with --observe "
             "makes a bundle with this do()",
             options.input);
}

void readStates(const Bundle &bundle, const Options &options, BundleChanges &changes) {
  if (options.questions.observe.empty())
    return;
  for (const Text &text : options.questions.observe)
    refuseCuts(text, options);
  const Evidence &given = bundle.declaredEvidence();
  Model model = modelOfHead(bundle, given);
  Diagnostics diagnostics;
  const bool isSound =
      askModel(model, {{}, options.questions.observe, {}}, filesOnDisk(), diagnostics);
  printDiagnostics(diagnostics);
  MPF_CHECK(isSound, "evidence for {} without an error", options.input);
  if (!model.evidence.likelihoods.empty())
    fail(ErrorKind::Usage, "--observe: {} takes states of what it observes, no soft evidence",
         options.input);
  for (const auto &[variable, state] : model.evidence.observations()) {
    const std::string &name = bundle.variables[variable.index()].name;
    const Finding *const finding = given.find(variable);
    if (finding == nullptr)
      fail(ErrorKind::Usage,
           "--observe: {} does not observe {}: mpfc build with --observe makes a bundle that does",
           options.input, spellName(name));
    if (given.state(variable) == state)
      continue;
    if (finding->fixed)
      fail(ErrorKind::Usage, "--observe: the state of {} was final when {} was built",
           spellName(name), options.input);
    changes.states.emplace_back(name, state);
  }
}

/// A model whose only factor has the entries that options give for an input of the program.
std::string modelOfEntries(const InputInfo &input, const std::vector<uint32_t> &extents) {
  std::string variables, axes, scope;
  for (size_t i = 0; i < extents.size(); ++i) {
    const std::string axis = spellName(fmt::format("axis {} of {}", i, input.factor));
    variables += fmt::format("var {} : {}\n", axis, extents[i]);
    axes += fmt::format("[{}]", extents[i]);
    scope += (i == 0 ? "" : ", ") + axis;
  }
  const std::string name = spellName(input.factor);
  return fmt::format("{}param {}{}\nfactor {}({}) = {}\n", variables, name, axes,
                     spellName("entries of " + input.factor), scope, name);
}

std::vector<ScaledNumber> entriesOf(const InputInfo &input, const std::vector<uint32_t> &extents,
                                    const OutsideValue &value) {
  BuildOptions options{.files = filesOnDisk()};
  options.params.values.emplace(input.factor, value);
  Diagnostics diagnostics;
  const auto text =
      std::make_shared<const SourceBuffer>(input.factor, modelOfEntries(input, extents));
  const std::optional<Model> model = readMpf(text, diagnostics, options);
  printDiagnostics(diagnostics);
  MPF_CHECK(model, "no entries of {} and no error reported", input.factor);
  if (!model->sweeps.empty())
    fail(ErrorKind::Usage, "{}: a bundle of a single result takes one value, no sweep",
         value.source()->name());
  const StoredValues stored(*storedValues(model->factors.front()), input.sizeElems);
  std::vector<ScaledNumber> entries;
  for (uint64_t i = 0; i < stored.size(); ++i)
    entries.push_back(stored.at(i));
  return entries;
}

void readEntries(const Program &program, const Options &options, BundleChanges &changes) {
  if (options.params.values.empty())
    return;
  std::map<std::string, uint32_t> extents;
  for (const HeadVariable &variable : program.bundle().variables)
    extents.emplace(variable.name, variable.extent);
  const std::vector<InputInfo> inputs = program.inputs();
  for (const auto &[name, value] : options.params.values) {
    const auto input = std::ranges::find(inputs, name, &InputInfo::factor);
    if (input == inputs.end()) {
      std::vector<std::string> names;
      for (const InputInfo &one : inputs)
        names.push_back(spellName(one.factor));
      fail(ErrorKind::Usage,
           "{}: {} has no factor '{}' whose values can be set; {}. Params have the values that "
           "mpfc build gave them",
           value.source()->name(), options.input, excerpt(name),
           names.empty() ? "all are final" : "there are " + excerptList(names));
    }
    std::vector<uint32_t> own;
    for (const std::string &variable : input->variables)
      own.push_back(extents.at(variable));
    changes.entries.emplace_back(name, entriesOf(*input, own, value));
  }
}

/// The name of a query without blanks and without the backquotes around it.
std::string bareName(std::string_view text) {
  std::string name(text);
  std::erase(name, ' ');
  return name.size() > 1 && name.front() == '`' && name.back() == '`'
             ? name.substr(1, name.size() - 2)
             : name;
}

std::vector<std::string> askedQueries(const Bundle &bundle, const Options &options) {
  std::vector<std::string> answered = answeredQueries(bundle);
  if (options.questions.queries.empty())
    return answered;
  std::vector<std::string> asked;
  for (const Text &text : options.questions.queries) {
    const auto at = std::ranges::find(answered, bareName(text->text()), bareName);
    if (at == answered.end())
      fail(ErrorKind::Usage,
           "--query {}: {} answers {}: mpfc build with --query makes a bundle for another query",
           excerpt(text->text()), options.input, excerptList(answered));
    asked.push_back(*at);
  }
  return asked;
}

} // namespace

void BundleChanges::requireValues(const Bundle &bundle) const {
  for (const BundleInput &input : bundle.inputs)
    if (!input.table &&
        std::ranges::none_of(entries, [&](const auto &one) { return one.first == input.factor; }))
      failWithoutValues(input.factor, bundle.name);
}

bool BundleChanges::answers(const std::string &query) const {
  return std::ranges::find(queries, query) != queries.end();
}

void BundleChanges::apply(Session &session) const {
  for (const auto &[variable, state] : states)
    session.observe(variable, state);
  for (const auto &[factor, values] : entries)
    session.bind(factor, values);
}

BundleChanges bundleChanges(const Program &program, const Options &options) {
  const Bundle &bundle = program.bundle();
  if (!options.questions.unobserve.empty())
    fail(ErrorKind::Usage,
         "--unobserve: {} observes the same variables in every run: mpfc build with --unobserve "
         "makes a bundle for fewer",
         options.input);
  BundleChanges changes;
  changes.queries = askedQueries(bundle, options);
  readStates(bundle, options, changes);
  readEntries(program, options, changes);
  return changes;
}

void checkListOptions(const Options &options) {
  for (const char *name : {"--query", "--observe", "--unobserve", "-D", "--data"})
    if (isGiven(options, name))
      fail(ErrorKind::Usage,
           "{} is for bundles of a single result: {} answers one question about the rows of "
           "--cases, which set what it observes, its params and its inputs",
           name, options.input);
  if (options.caseEngine && *options.caseEngine != AnswerForm::Lanes)
    fail(ErrorKind::Usage, "--engine: {} holds lanes and nothing else", options.input);
  if (!options.lod.empty())
    fail(ErrorKind::Usage, "--lod: the params of a bundle's reference cannot be set");
  if (options.verify)
    say("mpfc: warning: --verify recomputes nothing: {} holds lanes, which compute no entry a "
        "second time; mpfc run MODEL --verify takes tables\n",
        options.input);
}

} // namespace mpf::driver
