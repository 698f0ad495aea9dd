#include "dsl/formats/cases/placed_cases.h"

#include "dsl/source/text_error.h"

#include <algorithm>
#include <utility>

namespace mpf {

void PlacedCases::failAtParam(size_t param, ErrorKind kind, const std::string &message) const {
  const SourcePlace &place = paramPlaces_[param];
  if (!place.buffer)
    CaseSource::failAtParam(param, kind, message);
  failAt(kind, place, "param {}: {}", schema().params[param], message);
}

/// Reads `count` rows, from number `row` on, into the block.
void PlacedCases::readPart(uint64_t row, uint32_t count, CaseBlock &block, BlockReport &report,
                           ChunkBytes &bytes) const {
  const uint32_t at = block.count;
  RowProblems problems = reader_->read(row, count, block, at, bytes);
  block.count += settleProblems(problems, onBadRow_, schema(), block, at, count);
  const bool isEnd = block.count < at + count;
  for (const auto &[place, message] : problems) {
    const std::string text = fmt::format("{}: row {}: {}", name(), row + place, message);
    if (isEnd) {
      report.end = std::make_exception_ptr(Error(ErrorKind::BadInput, text));
      return;
    }
    block.skipped.push_back(at + place);
    report.skipped.add(row + place, [&] {
      return renderDiagnostic({Severity::Error, {}, text, {}});
    });
  }
}

void PlacedCases::readAt(uint64_t first, CaseBlock &block, BlockReport &report) const {
  block.startAt(first);
  report = {};
  const uint64_t rows = reader_->rowCount();
  const uint64_t count = std::min<uint64_t>(rows - std::min(first, rows), block.pitch());
  try {
    spareBytes_.with([&](ChunkBytes &bytes) {
      while (block.count < count && !report.end)
        readPart(
            first + block.count,
            static_cast<uint32_t>(std::min<uint64_t>(count - block.count, reader_->partRows())),
            block, report, bytes);
    });
  } catch (...) {
    report.end = std::current_exception();
  }
}

bool PlacedCases::next(CaseBlock &block) {
  if (failure_)
    std::rethrow_exception(std::exchange(failure_, nullptr));
  block.startAt(casesGiven_);
  if (isEnd_ || isCancelled_)
    return false;
  BlockReport report;
  readAt(casesGiven_, block, report);
  addSkipped(report.skipped);
  isEnd_ = report.end != nullptr;
  failure_ = std::move(report.end);
  casesGiven_ += block.count;
  if (block.count == 0 && failure_)
    std::rethrow_exception(std::exchange(failure_, nullptr));
  return block.count != 0;
}

} // namespace mpf
