#include "runtime/library/network_state.h"

#include "dsl/formats/model_files.h"
#include "dsl/model/build/ask_model.h"
#include "dsl/source/suggest.h"
#include "dsl/source/text_error.h"
#include "dsl/support/cases/state_label.h"
#include "dsl/support/check.h"
#include "dsl/syntax/spelling.h"

#include <utility>

namespace mpf {

namespace {

constexpr std::string_view kNormaliseHint = "normalise divides each row by its sum";

/// Returns the errors as one text. There is no place to show.
std::string errorsOf(const Diagnostics &diagnostics) {
  std::string text;
  for (const Diagnostic &diagnostic : diagnostics.all()) {
    if (diagnostic.severity != Severity::Error)
      continue;
    text += (text.empty() ? "" : "\n") + diagnostic.message;
    if (!diagnostic.hint.empty())
      text += fmt::format(" ({})", diagnostic.hint);
  }
  return text;
}

} // namespace

NetworkBuilder &Network::State::builder() {
  if (builder_)
    return *builder_;
  diagnostics_.emplace();
  builder_ = std::make_unique<NetworkBuilder>(std::move(model_), *diagnostics_);
  builder_->rows().rule().hintForTaken = builder_->rows().rule().hintForRefused = kNormaliseHint;
  factors_.clear();
  for (size_t i = 0; i < model().factors.size(); ++i)
    factors_.emplace(model().factors[i].name, FactorId(i));
  return *builder_;
}

Model &Network::State::edited() {
  if (builder_)
    model_ = builder_->take();
  builder_.reset();
  return model_;
}

void Network::State::throwErrors() {
  builder_->rows().report();
  const Diagnostics seen = std::exchange(*diagnostics_, Diagnostics());
  if (seen.hasErrors())
    throw Error(ErrorKind::BadInput, errorsOf(seen));
  appendWarnings(seen, warnings);
}

VarId Network::State::variable(std::string_view name) {
  const std::optional<VarId> found = builder().findVariable({name, {}});
  throwErrors();
  return *found;
}

uint32_t Network::State::stateOf(VarId id, std::string_view label) {
  const Variable &variable = model().variable(id);
  if (const auto state = stateCalled(variable.labels, variable.extent, label))
    return *state;
  builder().findState(id, {label, {}});
  throwErrors();
  MPF_UNREACHABLE("{} has the state {}", variable.name, label);
}

FactorId Network::State::factor(std::string_view name) {
  builder();
  if (const auto found = factors_.find(name); found != factors_.end())
    return found->second;
  Suggestion suggestion(name);
  for (const Factor &factor : model().factors)
    suggestion.offer(factor.name);
  diagnostics_->report({Severity::Error,
                        {},
                        fmt::format("no factor is called '{}'", excerpt(name)),
                        suggestion.hint()});
  throwErrors();
  MPF_UNREACHABLE("there is no factor {}", name);
}

void Network::State::ask(const ModelQuestions &questions) {
  Model asked = model();
  Diagnostics diagnostics;
  if (!askModel(asked, questions, filesOnDisk(), diagnostics))
    throw Error(ErrorKind::BadInput, messageOf(diagnostics));
  edited() = std::move(asked);
}

ModelQuestions::Text questionText(const char *name, const std::string &text) {
  return std::make_shared<const SourceBuffer>(name, text);
}

void appendWarnings(const Diagnostics &diagnostics, std::vector<std::string> &warnings) {
  for (const Diagnostic &diagnostic : diagnostics.all())
    if (diagnostic.severity == Severity::Note && !warnings.empty())
      warnings.back() += renderDiagnostic(diagnostic);
    else
      warnings.push_back(renderDiagnostic(diagnostic));
}

} // namespace mpf
