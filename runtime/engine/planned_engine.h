// A way to answer the cases of a query that is planned, but not opened: what it would take is known
// before it takes memory or a device.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/form/target.h"
#include "dsl/model/model.h"
#include "runtime/choose/engine_facts.h"
#include "runtime/choose/engine_speed.h"
#include "runtime/engine/case_engine.h"
#include "runtime/engine/case_settings.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace mpf {

/// What is asked, of whom. What it refers to must outlive every engine's plan.
struct CaseProblem {
  const Model &model; ///< without a list
  const CaseSchema &schema;
  const Query &query;
  CaseSettings settings;
  std::optional<uint64_t> rows; ///< of the list, about; none: not known before it is read
  std::optional<Target> gpu;    ///< where the cases run on one
  /// Of each code of a row that would go to a GPU unread (sent_rows.h); none: rows are read.
  std::optional<uint32_t> sentCodeBits = {};
};

/// How much there is to answer. What takes its time before the first case must pay over it.
struct CaseLoad {
  /// Where nothing is said, and nothing known of the list.
  static constexpr double kUnknownCases = 1e4;

  std::optional<uint64_t> rows;   ///< as CaseProblem
  std::optional<double> expected; ///< cases that the user expects, of this list and others
  std::optional<uint32_t> sentCodeBits = {}; ///< as CaseProblem

  double cases() const {
    return expected.value_or(rows ? static_cast<double>(*rows) : kUnknownCases);
  }
  bool isKnown() const { return rows || expected; }
};

CaseLoad loadOf(const CaseProblem &problem);

struct PlannedEngine {
  EngineSpeed speed;
  /// More than one where the device may refuse the first. Without `why`.
  std::function<std::vector<EngineFacts>()> facts;
  /// Once. Throws as making a session does, Error(MemoryBound) and Error(Device) among others.
  std::function<CaseEngine()> open;
};

/// Of a program that answers `cases` cases in one run, in which new values are bound to all inputs
/// that the bundle has none of.
EngineSpeed speedOfRuns(const CaseProblem &problem, const Bundle &bundle, uint64_t cases);

/// The facts of such a program, which is predicted to be so fast.
EngineFacts factsOfRuns(const CaseProblem &problem, CaseEngineKind kind, const Bundle &bundle,
                        const EngineSpeed &speed);

/// The settings of a program that answers so many cases in each run: compiling its kernels, and the
/// search for its order, pay over the runs that the expected cases take.
CompileSettings forRunsOf(const CaseProblem &problem, uint64_t cases);

} // namespace mpf
