// Runs the queries of one command, and announces the time of the long ones together.
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
/// less than kSaidSeconds together. The first one that would take more waits, with all after it,
/// until every query is there: then the sum is announced. A query above a day is refused alone. The
/// others are refused together if their sum is above a day. With a time limit none waits, because
/// the limit includes planning; each long query is then announced alone.
class AnnouncedRuns {
public:
  /// `run` throws what running does; both references must outlive this.
  AnnouncedRuns(const Options &options, Refusals &refusals,
                std::function<void(const Program &)> run)
      : options_(options), refusals_(refusals), run_(std::move(run)) {}

  void add(const Program &program);
  /// Announces and runs the waiting queries; call it after the last query. Others may be added
  /// then, and finished too.
  void finish();

private:
  struct Waiting {
    Program program;
    WorkAhead work;
  };

  /// Announces the work; false: it is refused, and so are the queries of these programs.
  bool announce(const WorkAhead &work, std::span<const Waiting> programs);

  const Options &options_;
  Refusals &refusals_;
  const std::function<void(const Program &)> run_;
  double mostUs_ = 0;       ///< generous estimate for all queries so far
  double shortSeconds_ = 0; ///< predicted time of queries run since mostUs_ exceeded kSaidSeconds
  std::vector<Waiting> waiting_;
};

} // namespace mpf::driver
