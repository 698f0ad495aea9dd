// Where the rows of an array end that is read row by row, if they have different lengths.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace mpf {

/// Lists all ends as soon as a row has another length than the first one.
class RowEnds {
public:
  /// A row of `length` entries ends; `entries`: those of all rows so far.
  void add(uint64_t length, uint64_t entries) {
    if (rows_ == 0)
      firstLength_ = length;
    if (length != firstLength_ && ends_.empty())
      for (uint64_t row = 1; row <= rows_; ++row)
        ends_.push_back(row * firstLength_);
    ++rows_;
    if (!ends_.empty())
      ends_.push_back(entries);
  }

  uint64_t rows() const { return rows_; }
  uint64_t firstLength() const { return firstLength_; }
  /// Returns ArrayFile::rowEnds: empty if all rows have one length.
  std::vector<uint64_t> take() { return std::move(ends_); }

private:
  std::vector<uint64_t> ends_;
  uint64_t rows_ = 0, firstLength_ = 0;
};

} // namespace mpf
