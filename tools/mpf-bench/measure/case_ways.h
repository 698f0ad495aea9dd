// The ways of answering cases that a sweep compares, each as three calls that can be timed.
#pragma once

#include "codegen/lanes/observable_model.h"
#include "dsl/support/cases/case_block.h"
#include "runtime/api/mpf.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::bench {

/// Rows as a host program or a file has them: the codes of a case side by side.
class CaseRows {
public:
  explicit CaseRows(const CaseBlock &block);

  uint64_t count() const { return count_; }
  uint32_t code(uint64_t row, size_t column) const { return codes_[row * columns_ + column]; }
  /// Interleaves `v` rows from `first` on, which start again behind the last one.
  void interleave(uint64_t first, uint32_t v, CaseBlock &block) const;

private:
  uint64_t count_ = 0;
  size_t columns_ = 0;
  std::vector<uint32_t> codes_;
};

/// The naive scheme: a session of one case, in which the rows are bound one after the other.
class SingleRuns {
public:
  SingleRuns(const Model &model, const Query &query, const CaseSchema &schema,
             const std::string &type, const std::string &device, unsigned threads);

  void bind(const CaseRows &rows, uint64_t row);
  Result run() { return session_.run(); }

private:
  struct Column {
    size_t place = 0;
    std::string factor;
    std::vector<double> values;
  };
  ObservableModel observable_;
  Program program_;
  Session session_;
  std::vector<Column> columns_;
};

} // namespace mpf::bench
