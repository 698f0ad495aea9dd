#include "dsl/formats/cases/tables/checked_cases.h"

#include "dsl/formats/cases/tables/case_diagnostic.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace mpf {

namespace {

class CheckedCases final : public CaseSource {
public:
  CheckedCases(std::shared_ptr<CaseSource> given, CaseSchema schema, CompleteCases complete)
      : given_(std::move(given)), schema_(std::move(schema)), complete_(std::move(complete)) {}

  const std::string &name() const override { return given_->name(); }
  const CaseSchema &schema() const override { return schema_; }
  std::optional<uint64_t> caseCount() const override { return given_->caseCount(); }
  std::optional<uint64_t> likelyCount() const override { return given_->likelyCount(); }
  void begin(const CaseReading &reading) override {
    onBadRow_ = reading.onBadRow;
    given_->begin(reading);
  }
  void cancel() override { given_->cancel(); }
  bool hasPlaces() const override { return given_->hasPlaces(); }
  CasePlace placeOf(uint64_t number, const CaseField &field) const override {
    return given_->placeOf(number, field);
  }
  [[noreturn]] void failAtParam(size_t param, ErrorKind kind,
                                const std::string &message) const override {
    given_->failAtParam(param, kind, message);
    MPF_UNREACHABLE("param {}", param); // g++ 12 ignores [[noreturn]] of virtual functions
  }
  const BadRows &badRows() const override {
    all_ = given_->badRows();
    all_.add(badRows_);
    return all_;
  }

  bool next(CaseBlock &block) override {
    if (stopped_)
      std::rethrow_exception(failureOf(ErrorKind::BadInput, *stopped_));
    if (!given_->next(block))
      return false;
    const std::vector<CaseFault> faults = newFaults(block);
    if (faults.empty())
      return true;
    if (onBadRow_ == OnBadRow::Stop) {
      stopped_ = describe(block, faults.front());
      cut(block, faults.front().place);
      return block.count != 0 || next(block); // next() throws now
    }
    badRows_.add(badRowsOf(block, faults));
    skip(block, faults);
    return true;
  }

  void readAt(uint64_t first, CaseBlock &block, BlockReport &report) const override {
    given_->readAt(first, block, report);
    const std::vector<CaseFault> faults = newFaults(block);
    if (faults.empty())
      return;
    if (onBadRow_ == OnBadRow::Stop) { // before the end of the given list
      report.end = failureOf(ErrorKind::BadInput, describe(block, faults.front()));
      return cut(block, faults.front().place);
    }
    report.skipped.add(badRowsOf(block, faults));
    skip(block, faults);
  }

private:
  /// Completes the cases. Ignores faults of cases that were skipped before: their values are
  /// undefined.
  std::vector<CaseFault> newFaults(CaseBlock &block) const {
    std::vector<CaseFault> faults = complete_(block);
    std::erase_if(faults, [&](const CaseFault &fault) {
      const bool isKnown = std::ranges::binary_search(block.skipped, fault.place);
      if (isKnown)
        block.clearWeights(fault.place);
      return isKnown;
    });
    return faults;
  }

  BadRows badRowsOf(const CaseBlock &block, const std::vector<CaseFault> &faults) const {
    BadRows rows;
    for (const CaseFault &fault : faults)
      rows.add(block.first + fault.place, [&] { return renderDiagnostic(describe(block, fault)); });
    return rows;
  }

  /// Ends the list before the case at `place`.
  static void cut(CaseBlock &block, uint32_t place) {
    block.count = place;
    while (!block.skipped.empty() && block.skipped.back() >= place)
      block.skipped.pop_back();
  }

  Diagnostic describe(const CaseBlock &block, const CaseFault &fault) const {
    return describeCase(*given_, block.first + fault.place, fault.field, fault.message);
  }

  /// Skips the faulty cases. They keep their params, so that these can be reported.
  static void skip(CaseBlock &block, const std::vector<CaseFault> &faults) {
    for (const CaseFault &fault : faults) {
      block.clearWeights(fault.place);
      block.skipped.push_back(fault.place);
    }
    std::ranges::sort(block.skipped);
  }

  const std::shared_ptr<CaseSource> given_;
  const CaseSchema schema_;
  const CompleteCases complete_;
  OnBadRow onBadRow_ = OnBadRow::Stop;
  std::optional<Diagnostic> stopped_; ///< message about the bad row at which the list stops
  mutable BadRows all_;               ///< bad rows of the given list and of this one
};

} // namespace

std::unique_ptr<CaseSource> checkedCases(std::shared_ptr<CaseSource> given, CaseSchema schema,
                                         CompleteCases complete) {
  return std::make_unique<CheckedCases>(std::move(given), std::move(schema), std::move(complete));
}

} // namespace mpf
