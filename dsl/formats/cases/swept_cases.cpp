#include "dsl/formats/cases/swept_cases.h"

#include "dsl/source/text_error.h"
#include "dsl/support/cases/copy_cases.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace mpf {

namespace {

/// A list of one case that sets nothing.
class OneCase final : public CaseSource {
public:
  const std::string &name() const override { return name_; }
  const CaseSchema &schema() const override { return schema_; }
  std::optional<uint64_t> caseCount() const override { return 1; }
  bool next(CaseBlock &block) override {
    block.startAt(0);
    block.count = std::exchange(isGiven_, true) ? 0 : 1;
    return block.count != 0;
  }

private:
  const std::string name_ = "the swept params";
  const CaseSchema schema_;
  bool isGiven_ = false;
};

/// The number of rows read at once.
constexpr uint32_t kRowBlock = 256;

class SweptCases final : public CaseSource {
public:
  SweptCases(std::shared_ptr<CaseSource> rows, const std::vector<SweptParam> &sweeps,
             uint64_t combinations)
      : rows_(std::move(rows)), combinations_(combinations), schema_(rows_->schema()),
        block_(rows_->schema(), kRowBlock) {
    for (const SweptParam &sweep : sweeps) {
      schema_.params.push_back(sweep.name);
      values_.push_back(sweep.values);
    }
  }

  const std::string &name() const override { return rows_->name(); }
  const CaseSchema &schema() const override { return schema_; }
  std::optional<uint64_t> caseCount() const override { return swept(rows_->caseCount()); }
  std::optional<uint64_t> likelyCount() const override { return swept(rows_->likelyCount()); }
  void begin(const CaseReading &reading) override { rows_->begin(reading); }
  /// Counts all cases of a bad row; the message names the first one.
  const BadRows &badRows() const override {
    all_ = rows_->badRows();
    all_.count = saturatingMul(all_.count, combinations_);
    for (uint64_t &number : all_.cases)
      number = saturatingMul(number, combinations_);
    return all_;
  }
  void cancel() override { rows_->cancel(); }
  /// Returns the place of the row from which the case comes.
  CasePlace placeOf(uint64_t number, const CaseField &field) const override {
    if (dynamic_cast<const OneCase *>(rows_.get()) != nullptr)
      return CaseSource::placeOf(number, field);
    const bool isSwept =
        field.of == CaseField::Of::Param && field.index >= rows_->schema().params.size();
    return rows_->placeOf(number / combinations_, isSwept ? CaseField() : field);
  }
  [[noreturn]] void failAtParam(size_t param, ErrorKind kind,
                                const std::string &message) const override {
    if (param < rows_->schema().params.size())
      rows_->failAtParam(param, kind, message);
    CaseSource::failAtParam(param, kind, message);
  }

  bool next(CaseBlock &block) override {
    block.startAt(given_);
    while (block.count < block.pitch() && block.keptBytes() < kMostKeptBytes &&
           (row_ < block_.count || readRows(block.count != 0))) {
      const uint32_t first = block.count;
      const uint64_t room =
          (kMostKeptBytes - block.keptBytes()) / (block_.kept(row_).size() + 1) + 1;
      const auto count = static_cast<uint32_t>(
          std::min<uint64_t>({block.pitch() - first, combinations_ - combination_, room}));
      repeatRow(block, count);
      fillParams(block, first, count);
      combination_ += count;
      if (combination_ == combinations_) {
        combination_ = 0;
        if (++row_ == block_.count && block_.count != block_.pitch())
          break; // the list may have paused
      }
    }
    given_ += block.count;
    return block.count != 0;
  }

private:
  /// Returns the number of cases of `rows` rows.
  std::optional<uint64_t> swept(std::optional<uint64_t> rows) const {
    return rows ? std::optional(saturatingMul(*rows, combinations_)) : std::nullopt;
  }

  /// Reads the next block of rows; returns false if there is none. `isLater`: keeps an error for
  /// the next call, because cases that were read before it must be returned first.
  bool readRows(bool isLater) {
    if (isEnd_)
      return false;
    if (failure_)
      std::rethrow_exception(std::exchange(failure_, nullptr));
    row_ = 0;
    block_.startAt(0);
    try {
      isEnd_ = !rows_->next(block_);
    } catch (...) {
      if (!isLater)
        throw;
      failure_ = std::current_exception();
    }
    return !isEnd_ && !failure_;
  }

  void repeatRow(CaseBlock &block, uint32_t count) const {
    for (uint32_t i = 0; i < count; ++i)
      copyCases(block_, row_, 1, block);
  }

  void fillParams(CaseBlock &block, uint32_t first, uint32_t count) const {
    uint64_t stride = combinations_;
    double *to = block.params().data() + rows_->schema().params.size() * block.pitch() + first;
    for (const std::vector<double> &values : values_) {
      stride /= values.size();
      for (uint32_t i = 0; i < count; ++i)
        to[i] = values[(combination_ + i) / stride % values.size()];
      to += block.pitch();
    }
  }

  const std::shared_ptr<CaseSource> rows_;
  const uint64_t combinations_;
  CaseSchema schema_;
  std::vector<std::vector<double>> values_; ///< values of each swept param
  CaseBlock block_;                         ///< current block of rows
  uint32_t row_ = 0;                        ///< next row of the block
  uint64_t combination_ = 0;                ///< next combination for that row
  uint64_t given_ = 0;
  bool isEnd_ = false;
  std::exception_ptr failure_;
  mutable BadRows all_; ///< bad rows, numbered by case
};

} // namespace

std::unique_ptr<CaseSource> sweptCases(std::shared_ptr<CaseSource> rows,
                                       const std::vector<SweptParam> &sweeps) {
  uint64_t combinations = 1;
  for (const SweptParam &sweep : sweeps)
    combinations = saturatingMul(combinations, sweep.values.size());
  if (combinations > uint64_t{1} << 63)
    failAt(ErrorKind::BadInput, sweeps.back().place,
           "the swept params have more than 2^63 combinations of values");
  if (!rows)
    rows = std::make_shared<OneCase>();
  return std::make_unique<SweptCases>(std::move(rows), sweeps, combinations);
}

} // namespace mpf
