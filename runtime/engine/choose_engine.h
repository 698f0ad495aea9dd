// Which engine answers the cases of a query, for host programs and for mpfc.
//
// 1. Lanes (lane_engine.h): sums and maxima of products in f32 and f64, in linear arithmetic. Every
//    case is computed by itself, beside others, in a lane of a vector register or a thread of a
//    GPU; what no case changes is computed once. Where the device is left open, the CPU's come
//    first; those of the machine's GPU, which has to be brought up, are planned where the CPU's are
//    predicted to take clearly longer than that.
// 2. Tables (table_engine.h): the same queries, also in whole numbers (u64, u128), in forced
//    logarithms and with verifySamples. The cases are the values of one variable more, so that a
//    run of an ordinary program answers many.
// 3. Single runs (single_engine.h): every query. They are left for minima, sums of costs and
//    logsum, and where the tables of 1 and 2 exceed the memory bound.
//
// They are planned in this order; of few cases by a large model tables come first. The next one is
// planned too where that costs less than it can save of what is predicted so far
// (planning_price.h), and the time for searches (CompileSettings::searchDeadline) is not over; a
// later one in the order above is taken where it is predicted to be clearly faster (kClearly), or
// where those before it were not worth asking: few cases with large messages leave most lanes of a
// GPU empty.
#pragma once

#include "runtime/engine/planned_engine.h"

#include <exception>
#include <memory>
#include <optional>
#include <vector>

namespace mpf {

/// How many times as fast as one before it an engine is predicted to be before it is taken: the
/// predictions are that far off.
inline constexpr double kClearly = 2;

/// One of the engines in the order above.
struct AskedEngine {
  CaseEngineKind kind = CaseEngineKind::Lanes;
  std::optional<PlannedEngine> plan;
  std::exception_ptr refusal; ///< no plan: why (first_engine.h)
  bool isAsked = true;        ///< by a run, before it opens one
};

/// The GPU that runs cases on `device`, as SessionOptions names it. None where that is not "gpu";
/// where the machine has none, one that opening the engine complains of.
std::optional<Target> gpuForCases(const std::string &device);

/// Throws as planning that engine does; Error(Unsupported) for GpuLanes without a GPU.
PlannedEngine planEngine(const CaseProblem &problem, CaseEngineKind kind);

/// Plans those engines that a run asks before it opens one, or, if `all`, every one. Throws as
/// planning does, but for refusals; memory that ends while one is planned is a refusal for a run.
std::vector<AskedEngine> planEngines(const CaseProblem &problem, bool all);

/// The places of the list in the order in which a run tries to open them.
std::vector<size_t> openingOrder(const CaseLoad &load, const std::vector<AskedEngine> &engines);

/// Throws what a run throws when every one of these refuses.
[[noreturn]] void rethrowRefusal(const std::vector<AskedEngine> &engines);

struct OpenedEngine {
  CaseEngine engine;
  CaseEngineKind kind = CaseEngineKind::Lanes;
  /// One case is answered after the other, for the tables of several exceed the memory bound.
  bool wasTooLarge = false;
};

/// The engine that is predicted to be the fastest, or the next that does not refuse. Throws as
/// planning does; Error(BadInput) for factors without values, unless settings.mayBind.
OpenedEngine openCaseEngine(const CaseProblem &problem);

/// The same for a program that was planned before: lanes, on the CPU or the GPU.
OpenedEngine openGivenLanes(const std::shared_ptr<const LaneProgram> &program,
                            const CaseSettings &settings, const CaseLoad &load);

} // namespace mpf
