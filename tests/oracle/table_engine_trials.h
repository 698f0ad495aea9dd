// Compares two engines with the definition on random models with random lists of cases: tables over
// a case variable, and single runs. They run on the CPU, and on a GPU
// (gpu/gpu_table_engine_test.cpp).
#pragma once

#include "runtime/engine/case_settings.h"
#include "runtime/engine/planned_engine.h"
#include "tests/oracle/lane_trials.h"

#include <cstddef>
#include <random>
#include <string>

namespace mpf::oracle {

struct EngineRun {
  const char *name;
  PlannedEngine (*plan)(const CaseProblem &);
  const char *device = "cpu";
  ElementType type = ElementType::F64;
  bool forcedLog = false;
};

struct EngineCounts {
  size_t models = 0, cases = 0, impossible = 0, observed = 0, unsupported = 0;
};

/// The settings of a session that makes programs of at most one round of planning.
CaseSettings settingsOf(const EngineRun &run);

/// Judges `models` trials; failures are fatal failures of GoogleTest. Every trial has runs of a few
/// cases, so that blocks take several of them.
EngineCounts judgeEngine(const EngineRun &run, std::mt19937_64 &random,
                         const LaneTrialOptions &options, int models);

} // namespace mpf::oracle
