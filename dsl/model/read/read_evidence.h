// Reads the lines of a printed model with its evidence and its list of cases (print_model.h).
#pragma once

#include "dsl/model/model_limits.h"
#include "dsl/model/read/read_names.h"
#include "dsl/model/resolve/build_options.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// Fills the evidence of a model. It reports the faults of its lines. All arguments must outlive
/// the object.
class EvidenceLines {
public:
  EvidenceLines(LineReader &lines, const ModelLimits &limits, const ModelFiles &files,
                NamesSoFar &names, Model &model)
      : lines_(lines), limits_(limits), files_(files), names_(names), model_(model) {}

  /// Reads the current line if it is one of evidence.
  bool readLine();
  /// Moves the evidence into the model. Reports a variable that is observed twice.
  void finish();

private:
  struct Cases {
    std::vector<VarId> variables; ///< in the order of the text
    std::vector<uint32_t> states; ///< count x variables, row-major
    uint64_t count = 0;
  };

  void readObserve();
  void readCases();
  void readCasesFile();
  void readCase();

  LineReader &lines_;
  const ModelLimits &limits_;
  const ModelFiles &files_;
  NamesSoFar &names_;
  Model &model_;
  std::optional<Cases> cases_;
  std::optional<std::string> casesFile_;
  std::vector<Observation> observations_; ///< that hold in every case
};

} // namespace mpf
