#include "tools/mpf-bench/cases/case_campaign.h"

#include "dsl/support/error.h"
#include "runtime/engine/refusal.h"
#include "tools/mpf-bench/cases/case_peers.h"
#include "tools/mpf-bench/cases/measure_lanes.h"
#include "tools/mpf-bench/measure/clock_seconds.h"
#include "tools/mpf-bench/networks/scratch_folder.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf::bench {

namespace {

constexpr uint32_t kKeptAnswers = 200; ///< number of rows whose answers are compared

RunStatus statusOf(const Error &error) {
  return error.kind() == ErrorKind::Device ? RunStatus::NotRun
         : isRefusal(error)                ? RunStatus::Refused
                                           : RunStatus::Failed;
}

CaseRate lanesOf(const MeasuredCases &cases, const CaseBenchOptions &options, PeerAnswers &right) {
  CaseRate rate;
  CaseAnswers answers;
  try {
    rate = measureLanes(cases, options, answers);
    if (right.empty() && options.task != "MPE")
      right = peerAnswersOf(answers, kKeptAnswers);
  } catch (const Error &error) {
    rate.status = statusOf(error);
    const std::string text = error.what();
    (error.kind() == ErrorKind::Verification ? rate.difference : rate.why) =
        text.substr(0, text.find('\n'));
  }
  rate.solver = fmt::format("mpf {} {}", options.device, options.type);
  return rate;
}

void addPeers(const MeasuredCases &cases, const CaseBenchOptions &options, const PeerAnswers &right,
              CaseList &list) {
  if (options.peers.empty())
    return;
  const auto refuse = [&](const std::string &why) {
    for (const std::string &peer : options.peers) {
      list.rates.emplace_back().solver = peer;
      list.rates.back().isPeer = true;
      list.rates.back().status = RunStatus::Refused;
      list.rates.back().why = why;
    }
  };
  if (cases.source == RowSource::Sweep)
    return refuse("is given rows of evidence only");
  try {
    const ScratchFolder scratch;
    const CasePeers peers(cases.model, cases.schema, cases.block, options, scratch.file(""));
    for (const std::string &peer : options.peers)
      list.rates.push_back(peers.run(peer, list.task, right));
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::Unsupported)
      throw;
    refuse(error.what());
  }
}

CaseList listOf(const std::string &path, const CaseBenchOptions &options) {
  CaseList list{path.substr(path.find_last_of('/') + 1), options.task, 0, 0, {}, 0, {}};
  const double began = clockSeconds(false);
  const MeasuredCases cases = measuredCases(path, options.rows, options.observed, options.threads);
  list.drawSeconds = clockSeconds(false) - began;
  list.rows = cases.block.count;
  list.columns = cases.schema.observed.size() + cases.schema.params.size();
  list.source = rowSourceText(cases.source);
  PeerAnswers right; // of the first that answered, in f64 where that is asked for
  std::vector<std::string> types = options.types;
  std::ranges::sort(types, std::greater());
  for (const std::string &device : options.devices)
    for (const std::string &type : types) {
      CaseBenchOptions one = options;
      one.device = device;
      one.type = type;
      list.rates.push_back(lanesOf(cases, one, right));
    }
  addPeers(cases, options, right, list);
  return list;
}

} // namespace

std::vector<CaseList> runCaseCampaign(const CaseBenchOptions &options,
                                      const std::function<void(const CaseList &)> &done) {
  std::vector<CaseList> lists;
  for (const std::string &model : options.models)
    for (const std::string &task : options.tasks) {
      CaseBenchOptions one = options;
      one.task = task;
      lists.push_back(listOf(model, one));
      done(lists.back());
    }
  return lists;
}

} // namespace mpf::bench
