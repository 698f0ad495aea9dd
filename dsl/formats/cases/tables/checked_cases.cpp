#include "dsl/formats/cases/tables/checked_cases.h"

#include "dsl/source/text_error.h"
#include "dsl/support/check.h"

#include <algorithm>
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
  [[noreturn]] void failAtParam(size_t param, ErrorKind kind,
                                const std::string &message) const override {
    given_->failAtParam(param, kind, message);
    MPF_UNREACHABLE("param {}", param); // g++ 12 does not know it of a virtual function
  }
  const BadRows &badRows() const override {
    all_ = given_->badRows();
    all_.add(badRows_);
    return all_;
  }

  bool next(CaseBlock &block) override {
    if (stopped_)
      failAt(*stopped_);
    if (!given_->next(block))
      return false;
    const std::vector<CaseFault> faults = complete_(block);
    if (faults.empty())
      return true;
    if (onBadRow_ == OnBadRow::Stop) {
      stopped_ = describe(block, faults.front());
      block.count = faults.front().place;
      while (!block.skipped.empty() && block.skipped.back() >= block.count)
        block.skipped.pop_back();
      return block.count != 0 || next(block); // which fails
    }
    for (const CaseFault &fault : faults)
      skip(block, fault);
    std::ranges::sort(block.skipped);
    return true;
  }

private:
  Diagnostic describe(const CaseBlock &block, const CaseFault &fault) const {
    const CasePlace place = given_->placeOf(block.first + fault.place, fault.field);
    if (place.line == 0)
      return {
          Severity::Error, {}, fmt::format("{}: {}: {}", name(), place.what, fault.message), {}};
    const auto buffer = std::make_shared<const SourceBuffer>(name(), place.text, place.line);
    return {Severity::Error, {buffer, {place.begin, place.end}}, fault.message, {}};
  }

  [[noreturn]] static void failAt(const Diagnostic &diagnostic) {
    if (diagnostic.place.buffer)
      throw TextError(ErrorKind::BadInput, diagnostic);
    fail(ErrorKind::BadInput, "{}", diagnostic.message);
  }

  /// The case keeps its params, so that they can be told. One that was bad before has the model's
  /// values, and no fault.
  void skip(CaseBlock &block, const CaseFault &fault) {
    badRows_.add(block.first + fault.place,
                 [&] { return renderDiagnostic(describe(block, fault)); });
    for (size_t at = fault.place; at < block.weights().size(); at += block.pitch())
      block.weights()[at] = 1;
    block.skipped.push_back(fault.place);
  }

  const std::shared_ptr<CaseSource> given_;
  const CaseSchema schema_;
  CompleteCases complete_;
  OnBadRow onBadRow_ = OnBadRow::Stop;
  std::optional<Diagnostic> stopped_; ///< of a bad row, at which the list stops
  mutable BadRows all_;               ///< of both lists
};

} // namespace

std::unique_ptr<CaseSource> checkedCases(std::shared_ptr<CaseSource> given, CaseSchema schema,
                                         CompleteCases complete) {
  return std::make_unique<CheckedCases>(std::move(given), std::move(schema), std::move(complete));
}

} // namespace mpf
