#include "dsl/formats/cases/evidence_cases.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace mpf {

namespace {

class EvidenceCases final : public CaseSource {
public:
  /// `columns`: the columns of `evidence` that are the columns of the list.
  EvidenceCases(Evidence evidence, std::vector<size_t> columns, CaseSchema schema, std::string name)
      : evidence_(std::move(evidence)), columns_(std::move(columns)), schema_(std::move(schema)),
        name_(std::move(name)) {}

  const std::string &name() const override { return name_; }
  const CaseSchema &schema() const override { return schema_; }
  std::optional<uint64_t> caseCount() const override { return evidence_.caseCount; }

  bool next(CaseBlock &block) override {
    block.startAt(at_);
    block.count =
        static_cast<uint32_t>(std::min<uint64_t>(block.pitch(), evidence_.caseCount - at_));
    for (uint32_t i = 0; i < block.count; ++i) {
      const std::span<const uint32_t> states = evidence_.statesOf(at_ + i);
      for (size_t c = 0; c < columns_.size(); ++c) {
        const uint32_t state = states[columns_[c]];
        block.setCode(c, i, state == Evidence::kNotObserved ? schema_.observed[c].extent : state);
      }
    }
    at_ += block.count;
    return block.count != 0;
  }

private:
  const Evidence evidence_;
  const std::vector<size_t> columns_;
  const CaseSchema schema_;
  const std::string name_;
  uint64_t at_ = 0;
};

/// Whether all cases have equal states of the finding of `column`.
bool isCommon(const Evidence &evidence, size_t column) {
  if (evidence.caseCount == 0)
    return false;
  const uint32_t first = evidence.states[column];
  bool same = first != Evidence::kNotObserved;
  for (uint64_t number = 1; number < evidence.caseCount && same; ++number)
    same = evidence.statesOf(number)[column] == first;
  return same;
}

} // namespace

SplitEvidence splitListedEvidence(const Evidence &evidence,
                                  const std::function<uint32_t(VarId)> &extentOf,
                                  std::string name) {
  MPF_CHECK(evidence.listed, "{} findings without a list", evidence.findings.size());
  SplitEvidence split;
  split.common.likelihoods = evidence.likelihoods;
  std::vector<Observation> observations;
  std::vector<size_t> columns;
  CaseSchema schema;
  for (size_t column = 0; column < evidence.findings.size(); ++column) {
    const VarId variable = evidence.findings[column].variable;
    if (isCommon(evidence, column)) {
      observations.push_back({variable, evidence.states[column]});
      continue;
    }
    columns.push_back(column);
    schema.observed.push_back({variable, extentOf(variable)});
  }
  split.common.add(std::move(observations));
  split.cases = std::make_unique<EvidenceCases>(evidence, std::move(columns), std::move(schema),
                                                std::move(name));
  return split;
}

} // namespace mpf
