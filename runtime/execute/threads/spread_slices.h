// Chooses the loops of a sliced program whose slices are computed side by side, and predicts their
// time. Threads that compute whole slices wait for each other only at sums; where slices are short,
// threads that share the operations of one slice would wait all the time.
#pragma once

#include "codegen/bundle/slice_arenas.h"
#include "runtime/execute/threads/spread_plan.h"

#include <vector>

namespace mpf {

/// A loop whose slices are computed side by side.
struct SpreadLoop {
  SliceArenas arenas;
  double runNs = 0; ///< predicted time of all slices, in one run of the loops around it
  double oneNs = 0; ///< the same on one thread
};

/// Returns the time in which all threads run operations together, in the same order as their time
/// on one thread allows. `operations`: of one loop, ascending, none a sum over slices.
double togetherNs(const Bundle &bundle, const std::vector<uint32_t> &operations,
                  const OperationNs &operationNs, size_t threads, const SpreadOptions &spread);

/// Returns the loops of sliceArenas whose slices are predicted to take no longer side by side than
/// one after the other with their operations shared. Takes as long as togetherNs of the operations
/// in loops where the answer is not clear.
std::vector<SpreadLoop> spreadSlices(const Bundle &bundle, const OperationNs &operationNs,
                                     size_t threads, const SpreadOptions &spread);

} // namespace mpf
