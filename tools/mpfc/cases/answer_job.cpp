#include "tools/mpfc/cases/answer_job.h"

#include "runtime/execute/lanes/sent/sent_rows.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace mpf::driver {

namespace {

/// Waits for all devices that have the block, so that it may be read. Returns the engines that
/// still have to answer it.
std::vector<const CaseEngine *> finishSent(std::span<const CaseEngine> engines, CaseJob &job) {
  std::vector<const CaseEngine *> open;
  for (size_t i = 0; i < engines.size(); ++i)
    if (job.sent.empty() || !job.sent[i]->finish())
      open.push_back(&engines[i]);
  return open;
}

} // namespace

bool canSend(std::span<const CaseEngine> engines) {
  return std::ranges::all_of(
      engines, [](const CaseEngine &engine) { return static_cast<bool>(engine.send); });
}

bool sendJob(const CaseSource &source, std::span<const CaseEngine> engines, CaseJob &job) {
  job.answers.resize(engines.size());
  const ByteRows *const rows = job.isRead ? nullptr : rowsToSend(source);
  std::vector<std::unique_ptr<SentBlock>> sent;
  for (size_t i = 0; i < engines.size(); ++i) {
    sent.push_back(engines[i].send(job.block, rows, job.answers[i]));
    if (sent.back() == nullptr)
      return false;
  }
  job.sent = std::move(sent);
  return true;
}

void answerJob(const CaseSource &source, std::span<const CaseEngine> engines, CaseJob &job) {
  job.answers.resize(engines.size());
  const std::vector<const CaseEngine *> open = finishSent(engines, job);
  if (open.empty())
    return;
  if (!job.isRead)
    source.readAt(job.block.first, job.block, job.report);
  job.isRead = true;
  for (const CaseEngine *engine : open)
    if (job.block.count != 0)
      engine->answer(job.block, job.answers[static_cast<size_t>(engine - engines.data())]);
}

} // namespace mpf::driver
