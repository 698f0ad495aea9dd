// Announces the predicted time of a long list of cases before it begins.
#pragma once

#include "dsl/support/cases/case_source.h"
#include "runtime/engine/case_settings.h"
#include "tools/mpfc/compile/announce_work.h"
#include "tools/mpfc/options/options.h"

#include <map>
#include <string>

namespace mpf::driver {

/// The queries of a list are planned one after the other. Each engine computes the work that all
/// cases share when it is opened; that is announced if it is long by itself. The cases of all
/// queries are announced together before the first one. Work above a day is refused as soon as it
/// is known.
class AnnouncedList {
public:
  /// `options` must outlive it.
  explicit AnnouncedList(const Options &options) : options_(options) {}

  /// Returns the function for CaseSettings::opening of this query; that throws as announceWork. A
  /// list of unknown length counts as one case.
  EngineOpening openingOf(const std::string &query, const CaseSource &cases);
  /// Announces the cases; call it before the first one. Throws as announceWork.
  void begin() const;

private:
  WorkAhead ofCases() const;

  const Options &options_;
  std::map<std::string, WorkAhead> works_; ///< by query: its cases, with the engine opened last
};

} // namespace mpf::driver
