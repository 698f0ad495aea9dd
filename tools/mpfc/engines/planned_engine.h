// A way to answer the cases of a query that is planned, but not opened: what it would take is known
// before it takes memory or a device.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/form/target.h"
#include "dsl/model/model.h"
#include "tools/mpfc/cases/case_engine.h"
#include "tools/mpfc/explain/facts/case_facts.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/predict/engine_speed.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace mpf::driver {

/// What is asked, of whom. What it refers to must outlive every engine's plan.
struct CaseProblem {
  const Model &model; ///< without a list
  const CaseSchema &schema;
  const Query &query;
  const Options &options;       ///< with a memory bound
  std::optional<uint64_t> rows; ///< of the list; none: not known before it is read
  std::optional<Target> gpu;    ///< where the cases run on one
};

enum class CaseEngineKind { Lanes, Tables, Single };

std::string_view engineName(CaseEngineKind kind); ///< "lanes", "tables", "single runs"

struct PlannedEngine {
  EngineSpeed speed;
  /// More than one where the device may refuse the first. Without `why`.
  std::function<std::vector<EngineFacts>()> facts;
  /// Once. Throws as making a session does, Error(MemoryBound) and Error(Device) among others.
  std::function<CaseEngine()> open;
};

/// Of a program that answers `cases` cases in one run, in which new values are bound to all inputs
/// that the bundle has none of.
EngineSpeed speedOfRuns(const Bundle &bundle, uint64_t cases, bool onGpu);

/// The facts of such a program, which is predicted to be so fast.
EngineFacts factsOfRuns(const CaseProblem &problem, CaseEngineKind kind, const Bundle &bundle,
                        const EngineSpeed &speed);

/// `options` for a program that answers so many cases in each run: compiling its kernels pays over
/// the runs of the list.
Options forRunsOf(const CaseProblem &problem, uint64_t cases, Options options);

} // namespace mpf::driver
