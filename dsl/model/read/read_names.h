// The names of a printed model that were read so far (print_model.h).
#pragma once

#include "dsl/model/model.h"
#include "dsl/source/line_reader.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace mpf {

/// Finds variables and factors by the names in lines. Reports names that it does not know.
class NamesSoFar {
public:
  explicit NamesSoFar(LineReader &lines) : lines_(lines) {}

  /// Note the next variable or factor of the model. The first one of a name keeps it.
  void addVariable(const std::string &name) { variables_.try_emplace(name, variablesRead_++); }
  void addFactor(const std::string &name) { factors_.try_emplace(name, factorsRead_++); }

  /// Reads the names of variables up to the end of the line.
  std::vector<VarId> takeVariables();
  /// Reads the names of factors up to the end of the line, and appends the factors to `ids`.
  void takeFactors(std::vector<FactorId> &ids);
  /// Reads a variable and its state.
  std::optional<Observation> takeObservation();

private:
  using Places = std::unordered_map<std::string, size_t>;

  std::optional<size_t> find(const Places &places, const std::string &name, const char *kind);

  LineReader &lines_;
  Places variables_, factors_;
  size_t variablesRead_ = 0, factorsRead_ = 0;
};

} // namespace mpf
