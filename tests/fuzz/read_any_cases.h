// Checks the rules that hold for every list of cases that opens, for any bytes.
#pragma once

#include "dsl/support/cases/case_source.h"
#include "dsl/support/check.h"

#include <cmath>
#include <functional>
#include <memory>

namespace mpf {

/// Opens the same list again with each call.
using CaseOpener = std::function<std::unique_ptr<CaseSource>()>;

inline void checkCase(const CaseSource &source, const CaseBlock &block, uint32_t i) {
  const CaseSchema &schema = source.schema();
  for (size_t c = 0; c < schema.observed.size(); ++c)
    MPF_CHECK(block.code(c, i) <= schema.observed[c].extent, "code {} of {} states",
              block.code(c, i), schema.observed[c].extent);
  size_t row = 0;
  for (const CaseVariable &likelihood : schema.likelihoods) {
    double most = 0;
    for (uint32_t state = 0; state < likelihood.extent; ++state) {
      const double weight = block.weights()[row++ * block.pitch() + i];
      MPF_CHECK(std::isfinite(weight) && weight >= 0, "weight {}", weight);
      most = std::max(most, weight);
    }
    MPF_CHECK(most > 0, "all {} weights are zero", likelihood.extent);
  }
  for (; row < schema.weightCount(); ++row)
    MPF_CHECK(std::isfinite(block.weights()[row * block.pitch() + i]), "entry {} is not finite",
              row);
  MPF_CHECK(schema.kept.empty() || block.kept(i).size() >= schema.kept.size(),
            "{} bytes of {} columns are kept", block.kept(i).size(), schema.kept.size());
  for (size_t p = 0; p < schema.params.size(); ++p)
    MPF_CHECK(!std::isinf(block.params()[p * block.pitch() + i]), "param {} is infinite", p);
}

/// Reads a list in both modes. Skipping bad rows must give all other rows. Stopping at a bad row
/// must give the rows before the first bad row, and an error.
inline void readAnyCases(const CaseOpener &open) {
  uint64_t firstSkipped = UINT64_MAX, cases = 0;
  bool broken = false; ///< whether the file itself is broken, for example if bytes are missing
  const auto skipping = open();
  skipping->begin({OnBadRow::Skip, 1});
  CaseBlock block(skipping->schema(), 7);
  try {
    while (skipping->next(block)) {
      for (uint32_t i = 0; i < block.count; ++i)
        checkCase(*skipping, block, i);
      if (!block.skipped.empty() && firstSkipped == UINT64_MAX)
        firstSkipped = block.first + block.skipped.front();
      cases += block.count;
    }
  } catch (const Error &error) {
    MPF_CHECK(error.kind() == ErrorKind::BadInput, "{}", error.what());
    broken = true;
  }
  const auto stopping = open();
  uint64_t stopped = 0;
  bool failed = false;
  try {
    while (stopping->next(block))
      stopped += block.count;
  } catch (const Error &error) {
    MPF_CHECK(error.kind() == ErrorKind::BadInput, "{}", error.what());
    failed = true;
  }
  MPF_CHECK(stopped == std::min(cases, firstSkipped), "{} cases of {}, the first bad one is {}",
            stopped, cases, firstSkipped);
  MPF_CHECK(failed == (broken || firstSkipped != UINT64_MAX), "stopped at {} of {} cases", stopped,
            cases);
}

} // namespace mpf
