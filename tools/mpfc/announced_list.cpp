#include "tools/mpfc/announced_list.h"

namespace mpf::driver {

EngineOpening AnnouncedList::openingOf(const std::string &query, const CaseSource &cases) {
  const auto count = static_cast<double>(cases.likelyCount().value_or(1));
  return [this, query, count](const EngineSpeed &speed, bool usesGpu) {
    WorkAhead &work = works_[query];
    work.seconds = speed.secondsOf(count) - speed.sharedSeconds;
    work.usesGpu = usesGpu;
    WorkAhead shared = work;
    shared.what = "query " + query + ", the tables that all cases share";
    shared.seconds = speed.sharedSeconds;
    announceWork(shared, options_);
    if (const WorkAhead all = ofCases(); all.seconds > kAgreedSeconds && !isAgreed(options_))
      announceWork(all, options_);
  };
}

void AnnouncedList::begin() const { announceWork(ofCases(), options_); }

WorkAhead AnnouncedList::ofCases() const {
  WorkAhead all;
  for (const auto &[query, work] : works_)
    all.add(work);
  all.what = "all cases of the list";
  return all;
}

} // namespace mpf::driver
