// Says before a long list of cases how long it is predicted to take.
#pragma once

#include "dsl/support/cases/case_source.h"
#include "runtime/engine/case_settings.h"
#include "tools/mpfc/compile/announce_work.h"
#include "tools/mpfc/options/options.h"

#include <map>
#include <string>

namespace mpf::driver {

/// The queries of a list are planned one after the other, and each engine computes what all cases
/// share when it is opened. That is announced where it is long by itself; the cases of all queries
/// are announced together before the first one. Work above a day is refused as soon as it is known.
class AnnouncedList {
public:
  /// `options` must outlive it.
  explicit AnnouncedList(const Options &options) : options_(options) {}

  /// For CaseSettings::opening of this query; throws as announceWork. A list of unknown length
  /// counts as one case.
  EngineOpening openingOf(const std::string &query, const CaseSource &cases);
  /// Before the first case; throws as announceWork.
  void begin() const;

private:
  WorkAhead ofCases() const;

  const Options &options_;
  std::map<std::string, WorkAhead> works_; ///< by query: of its cases, by the engine opened last
};

} // namespace mpf::driver
