// Which engine answers the cases of a query, for host programs and for mpfc.
//
// 1. Lanes (lane_engine.h): sums and maxima of products in f32 and f64, in linear arithmetic. Every
//    case is computed beside others, in a lane of a vector register or a thread of a GPU. Parts
//    that no case changes are computed once. If the device is left open, lanes of the CPU come
//    first. Lanes of the machine's GPU are planned only if those of the CPU are predicted to take
//    clearly longer than starting the GPU.
// 2. Tables (table_engine.h): the same queries, also in whole numbers (u64, u128), in forced
//    logarithms and with verifySamples. The cases are the values of an additional variable, so that
//    a run of an ordinary program answers many.
// 3. Single runs (single_engine.h): every query. They remain for minima, sums of costs and logsum,
//    and if the tables of 1 and 2 exceed the memory bound.
// 4. Enumeration (enumerate_engine.h): tiny models, and only if the user asks for it.
//
// Engines are planned in the order of their forms (answer_form.h), but for few cases of a large
// model, and short sweeps of its params, tables are planned first. The next engine is planned too
// if that costs less than it can save of the time predicted so far (planning_price.h). Where a
// search for orders may take its share of the list, it is planned without one first, and with one
// if that can make it the fastest. The time for searches (CompileSettings::searchTime) ends
// planning. The answer plan then chooses among those that were worth planning
// (runtime/choose/answer/choose_for_list.h).
#pragma once

#include "runtime/engine/list/planned_list.h"

#include <optional>

namespace mpf {

/// Returns the GPU that runs cases. None unless the request requires a GPU. If the machine has no
/// GPU that the planner knows, the target is empty, and opening the engine reports the error.
std::optional<Target> gpuForCases(const DeviceRequest &devices);

/// Plans the engines that are worth it, or every engine if `all`: the choice is the same. Throws as
/// planning does, except refusals. If a run has too little memory to plan an engine, that is a
/// refusal too; with `all`, it is an error. `problem` must outlive the result.
PlannedList planList(const CaseProblem &problem, bool all);

/// Plans the list and opens the engine that it chooses (PlannedList::open). Throws Error(BadInput)
/// for factors without values, unless settings.mayBind.
OpenedEngine openCaseEngine(const CaseProblem &problem);

} // namespace mpf
