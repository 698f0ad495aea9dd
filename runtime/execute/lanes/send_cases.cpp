// Blocks that a device answers while their threads do other work.
#include "dsl/support/check.h"
#include "runtime/execute/host/gpu_or_cpu.h"
#include "runtime/execute/lanes/case_runner.h"

#include <optional>
#include <utility>

namespace mpf {

namespace {

/// Reads the cases `which` of an unread block, whose rows are all valid. Returns none if the rows
/// are no longer available.
std::optional<CaseBlock> fetchCases(const LaneProgram &program, const ByteRows &rows,
                                    uint64_t first, const std::vector<uint32_t> &which) {
  CaseBlock fetched(program.schema, static_cast<uint32_t>(which.size()));
  fetched.first = first;
  fetched.count = static_cast<uint32_t>(which.size());
  std::vector<std::byte> row(rows.rowBytes());
  for (uint32_t i = 0; i < which.size(); ++i) {
    if (!rows.fetch(first + which[i], 1, row.data()))
      return std::nullopt;
    for (size_t column = 0; column < rows.bytes().size(); ++column) {
      const RowByte &byte = rows.bytes()[column];
      fetched.setCode(column, i, byte.code(static_cast<uint8_t>(row[byte.place])));
    }
  }
  return fetched;
}

} // namespace

class CaseRunner::Sent final : public SentBlock {
public:
  Sent(CaseRunner &runner, std::shared_ptr<LaneExecutor> device, const ByteRows *rows,
       const CaseBlock &block, CaseAnswers &answers, std::unique_ptr<SentLanes> lanes)
      : runner_(runner), device_(std::move(device)), rows_(rows), block_(block), answers_(answers),
        lanes_(std::move(lanes)) {}

  bool finish() override {
    std::vector<uint32_t> left;
    const auto onGpu = [&] { return lanes_->finish(left); };
    const auto leave = [&](std::string fault) {
      runner_.levels_.leaveDevice(device_.get(), std::move(fault));
      return false;
    };
    const bool isAnswered = onGpuOrCpu(runner_.mayLeaveDevice_, onGpu, leave);
    if (!(rows_ != nullptr ? finishRows(isAnswered, left) : finishBlock(isAnswered, left)))
      return false;
    {
      const std::lock_guard lock(runner_.mutex_);
      runner_.counts_.cases += block_.count;
    }
    runner_.clearImpossible(answers_);
    return true;
  }

private:
  bool finishBlock(bool isAnswered, const std::vector<uint32_t> &left) {
    if (isAnswered)
      runner_.answerLeft(0, block_, left, answers_);
    else
      runner_.runLevel(0, block_, answers_);
    return true;
  }
  bool finishRows(bool isAnswered, const std::vector<uint32_t> &left) {
    if (!isAnswered || left.empty())
      return isAnswered;
    const std::optional<CaseBlock> rest = fetchCases(runner_.program_, *rows_, block_.first, left);
    if (rest)
      runner_.answerRest(0, *rest, left, answers_);
    return rest.has_value();
  }

  CaseRunner &runner_;
  const std::shared_ptr<LaneExecutor> device_; ///< must outlive lanes_
  const ByteRows *const rows_;
  const CaseBlock &block_;
  CaseAnswers &answers_;
  std::unique_ptr<SentLanes> lanes_;
};

std::unique_ptr<SentBlock> CaseRunner::send(const CaseBlock &block, const ByteRows *rows,
                                            CaseAnswers &answers) {
  levels_.prepare();
  shapeAnswers(program_, block.count, answers);
  std::shared_ptr<LaneExecutor> executor;
  const auto onGpu = [&]() -> std::unique_ptr<SentBlock> {
    executor = levels_.device();
    if (executor == nullptr)
      return nullptr;
    std::unique_ptr<SentLanes> lanes = executor->send(block, rows, answers);
    if (lanes == nullptr)
      return nullptr;
    return std::make_unique<Sent>(*this, executor, rows, block, answers, std::move(lanes));
  };
  const auto leave = [&](std::string fault) -> std::unique_ptr<SentBlock> {
    levels_.leaveDevice(executor.get(), std::move(fault));
    return nullptr;
  };
  return onGpuOrCpu(mayLeaveDevice_, onGpu, leave);
}

} // namespace mpf
