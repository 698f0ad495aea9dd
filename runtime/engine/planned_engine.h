// A way to answer the cases of a query that is planned but not opened: its costs are known before
// it takes memory or a device.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/form/target.h"
#include "codegen/predict/engine_speed.h"
#include "dsl/model/model.h"
#include "runtime/choose/engine_facts.h"
#include "runtime/engine/case_engine.h"
#include "runtime/engine/case_settings.h"
#include "runtime/machine/stored_speed.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace mpf {

/// A query with its cases and settings. Its references must outlive every engine's plan.
struct CaseProblem {
  const Model &model; ///< without a list of cases
  const CaseSchema &schema;
  const Query &query;
  CaseSettings settings;
  std::optional<uint64_t> rows; ///< approximate rows of the list; none: unknown before it is read
  std::optional<Target> gpu;    ///< the GPU that runs the cases; none: the CPU
  /// Bits of each code in a row that would go to a GPU unread (sent_rows.h); none: rows are read.
  std::optional<uint32_t> sentCodeBits = {};
  MachineSpeed speed = storedSpeed(); ///< of the machine that answers
};

/// The number of cases. Time before the first case must pay over all of them.
struct CaseLoad {
  /// Default if neither the user nor the list gives a number.
  static constexpr double kUnknownCases = 1e4;

  std::optional<uint64_t> rows;   ///< as CaseProblem
  std::optional<double> expected; ///< cases that the user expects, of this and other lists
  std::optional<uint32_t> sentCodeBits = {}; ///< as CaseProblem

  double cases() const {
    return expected.value_or(rows ? static_cast<double>(*rows) : kUnknownCases);
  }
  bool isKnown() const { return rows || expected; }
};

CaseLoad loadOf(const CaseProblem &problem);

struct PlannedEngine {
  EngineSpeed speed;
  double leftShare = 1; ///< leftShare of its program
  /// Returns the facts, without `why`; several if the device may refuse the first.
  std::function<std::vector<EngineFacts>()> facts;
  /// Opens the engine; call it once. Throws as making a session does, with Error(MemoryBound) and
  /// Error(Device) among others.
  std::function<CaseEngine()> open;
};

/// Returns the time of planning one program, in microseconds of a core, without the search for an
/// order. It is counted by the factors of the model.
double programPlanningUs(const CaseProblem &problem);

/// Returns the share of the model's factors that simplification leaves, at most 1, as far as the
/// operations of one program tell. Planning another program takes this share of programPlanningUs.
double leftShare(const CaseProblem &problem, size_t operations);

/// Returns the speed of a program that answers `cases` cases in one run. Each run binds new values
/// to all inputs that have none in the bundle. On a host, what all cases share includes the first
/// use of the memory.
EngineSpeed speedOfRuns(const CaseProblem &problem, const Bundle &bundle, uint64_t cases);

/// Returns the facts of such a program with the predicted speed.
EngineFacts factsOfRuns(const CaseProblem &problem, AnswerForm form, const Bundle &bundle,
                        const EngineSpeed &speed);

/// Returns the settings of a program that answers `cases` cases in each run. Compiling its kernels
/// and searching for its order pay over the runs that the expected cases take.
CompileSettings forRunsOf(const CaseProblem &problem, uint64_t cases);

} // namespace mpf
