// NETWORK STATE: the model of a Network, and the builder that adds to it.
#pragma once

#include "dsl/formats/network/network_builder.h"
#include "dsl/model/build/ask_model.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"
#include "runtime/api/network.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

struct ModelFormat;

struct Network::State {
  explicit State(Model model) : model_(std::move(model)) {}
  State(const State &other)
      : warnings(other.warnings), isBuilt(other.isBuilt), model_(other.model()) {}

  /// `load` returns the text. `format`: null: its name says it.
  template <class Load>
  static Network read(const ReadOptions &options, const ModelFormat *format, const Load &load);

  const Model &model() const { return builder_ ? builder_->model() : model_; }
  /// Returns the builder that continues the model. It is made at the first call after edits of the
  /// model by other functions, in linear time.
  NetworkBuilder &builder();
  /// Returns the model for such edits.
  Model &edited();
  /// Throws Error(BadInput) with the errors that the builder has reported since the last call.
  /// Keeps its warnings and notes.
  void throwErrors();
  /// The variable of this name. Throws Error(BadInput).
  VarId variable(std::string_view name);
  uint32_t stateOf(VarId variable, std::string_view label);
  FactorId factor(std::string_view name);
  bool hasFactor(std::string_view name) { return builder(), factors_.contains(name); }
  /// The distinct variables of a factor that is to be added. Throws Error(BadInput), also for a
  /// table beyond the limits.
  std::vector<VarId> scopeOf(std::string_view factor, const std::vector<std::string> &names);
  void requireFreeName(std::string_view factor);
  /// Notes that the builder has added a factor.
  void added(FactorId factor);
  NamedVariable startVariable(std::string_view name);
  /// Asks the model by texts; on errors the network stays as it was.
  void ask(const ModelQuestions &questions);

  std::vector<std::string> warnings;
  bool isBuilt = false; ///< a variable or a factor was added

private:
  Model model_; ///< the model, while there is no builder
  std::optional<Diagnostics> diagnostics_;
  std::unique_ptr<NetworkBuilder> builder_;
  TextMap<FactorId> factors_; ///< by name, while there is a builder
};

/// Returns a text for ModelQuestions; messages call it `name`.
ModelQuestions::Text questionText(const char *name, const std::string &text);

/// Appends the warnings among `diagnostics`, each with its notes, as one text.
void appendWarnings(const Diagnostics &diagnostics, std::vector<std::string> &warnings);

} // namespace mpf
