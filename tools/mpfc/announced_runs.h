// Runs the queries of one command, and says before the long ones how long they take together.
#pragma once

#include "runtime/api/session.h"
#include "tools/mpfc/compile/announce_work.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/process/refusals.h"

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace mpf::driver {

/// Queries come one by one, as they are compiled. They run at once while they are predicted to take
/// less than kSaidSeconds together. The first one that would take more waits, with all behind it,
/// until every query is there: then the sum is said. A query above a day is refused alone, those
/// that are left are refused together where their sum is above a day. With a time limit none waits,
/// for the limit is of planning too, and a query that is long is announced alone.
class AnnouncedRuns {
public:
  /// `run` throws what running does; both references must outlive this.
  AnnouncedRuns(const Options &options, Refusals &refusals,
                std::function<void(const Program &)> run)
      : options_(options), refusals_(refusals), run_(std::move(run)) {}

  void add(const Program &program);
  /// After the last query: announces and runs those that wait.
  void finish();

private:
  struct Waiting {
    Program program;
    WorkAhead work;
  };

  /// False: the work is refused, and so are these queries.
  bool announce(const WorkAhead &work, std::span<const Waiting> queries);

  const Options &options_;
  Refusals &refusals_;
  const std::function<void(const Program &)> run_;
  double mostUs_ = 0;       ///< by a generous price, of all so far
  double shortSeconds_ = 0; ///< predicted, of those that ran since that was above kSaidSeconds
  std::vector<Waiting> waiting_;
};

} // namespace mpf::driver
