// `mpfc run` of a model with a list of cases.
#pragma once

#include "dsl/model/model.h"
#include "runtime/engine/case_engine.h"
#include "tools/mpfc/cases/case_list.h"
#include "tools/mpfc/cases/lod_columns.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/process/refusals.h"

#include <functional>
#include <mutex>
#include <vector>

namespace mpf::driver {

/// Completes the rows or the totals so far, and prints their number. The threads of a time limit
/// and of signals call it while the run goes on.
class CaseFinish {
public:
  /// Sets the function that finishes; empty: there are no rows (yet).
  void set(std::function<void()> finish);
  /// Finishes; false: there was nothing to finish.
  bool operator()() const;

private:
  mutable std::mutex mutex_;
  std::function<void()> finish_;
};

/// Makes the engine that answers a query. `model` has no list of cases; the schema of `cases` says
/// what they set. No case is read.
using EngineMaker =
    std::function<CaseEngine(const Model &model, const CaseSource &cases, const Query &query)>;

/// The functions that make the engines for the cases of a list.
struct CaseAnswerers {
  std::vector<LodReference> references; ///< of the columns of log-odds
  EngineMaker make;
  /// Called when all engines are made, before the first case; it may throw.
  std::function<void()> areMade;
};

/// Answers `queries`, some of which may be joined, for every case of the list in one pass over its
/// rows. Members of a joined query that no engine answers are answered apart. Writes one table to
/// -o FILE (CSV, or .npy by its name) or stdout; with --totals, sums over all cases. A query that
/// is refused when its engine is made has no columns. Rows on their way take the memory of
/// options.streamedBytes. Returns the exit code. Throws as reading and running do; the rows before
/// the error, or their totals, stay written.
int runCases(CaseList list, const std::vector<Query> &queries, const CaseAnswerers &answerers,
             const Options &options, Refusals &refusals, CaseFinish &finish);

} // namespace mpf::driver
