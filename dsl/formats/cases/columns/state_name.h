// Reads states in the names of columns.
#pragma once

#include "dsl/model/model.h"
#include "dsl/model/state_numbers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace mpf {

/// The states of a model's variables by the names that columns give them. A variable of n states
/// may have n columns, so its labels are looked at once. The model must outlive the names. Not
/// thread-safe.
class StateNames {
public:
  /// `reading`: how numbers are read where labels look like numbers.
  StateNames(const Model &model, NumberReading reading) : model_(model), reading_(reading) {}

  /// The state that `spelled` names: in backquotes a label, else a label or a number. Nothing, and
  /// the reason in `problem`: the variable has no such state, or the readings of the number differ.
  std::optional<uint32_t> find(VarId variable, std::string_view spelled, std::string &problem);

private:
  struct Labels {
    StateNumbers numbers;
    std::unordered_map<std::string_view, uint32_t> stateOf;
  };
  const Labels &labelsOf(VarId id);

  const Model &model_;
  const NumberReading reading_;
  std::unordered_map<uint32_t, Labels> labels_; ///< by variable; looked up only
};

} // namespace mpf
