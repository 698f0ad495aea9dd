// CASE BLOCK: consecutive cases of a list, stored by column. The cases of one column lie side by
// side, as vector registers and the threads of a GPU need them.
//
// A case gives each observed variable a *code*: its state, or the variable's extent if the case
// does not observe it. So a code is the value of a digit with one more state, the *evidence digit*
// of the variable (codegen/bundle/lanes/lane_program.h).
#pragma once

#include "dsl/support/cases/case_schema.h"
#include "dsl/support/wide_table.h"
#include "dsl/support/zeroed_memory.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// One block. The rows of numbers are `pitch` cases long; numbers after `count` are undefined.
/// Plain data: safe to read from several threads.
class CaseBlock {
public:
  CaseBlock() = default;
  /// Memory for up to `pitch` cases; count is 0.
  CaseBlock(const CaseSchema &schema, uint32_t pitch)
      : codeBytes_(codeBytesFor(schema)), pitch_(pitch), columns_(schema.observed.size()),
        columnBytes_(columnBytesFor(size_t{pitch} * codeBytes_)), codes_(columns_ * columnBytes_),
        weights_(schema.weightCount() * pitch), params_(schema.params.size() * pitch) {}

  uint64_t first = 0; ///< the number of the first case in the list, from 0
  uint32_t count = 0; ///< cases in the block
  /// Cases without an answer because their rows were wrong, ascending, as places in the block.
  /// Their codes are those of cases that observe nothing, their weights 1.
  std::vector<uint32_t> skipped;
  /// Weights that no normal double holds, by case, with ascending rows. FarValue::index is the row
  /// of weights(), which has the nearest finite double other than 0 there.
  std::map<uint32_t, std::vector<FarValue>> far;

  /// Empties the block; its first case will be number `number` of the list.
  void startAt(uint64_t number) {
    first = number;
    count = 0;
    skipped.clear();
    far.clear();
    kept_.clear();
    keptEnds_.clear();
  }

  unsigned codeBytes() const { return codeBytes_; }
  uint32_t pitch() const { return pitch_; }
  size_t columns() const { return columns_; }

  /// Returns the codes of a column: that of case i is the i-th, `codeBytes` wide.
  const std::byte *column(size_t c) const { return codes_.data() + c * columnBytes_; }
  std::byte *column(size_t c) { return codes_.data() + c * columnBytes_; }
  uint32_t code(size_t column, uint32_t i) const {
    const std::byte *const at = this->column(column) + size_t{i} * codeBytes_;
    uint32_t value = 0;
    std::memcpy(&value, at, codeBytes_); // little-endian, as every supported machine
    return value;
  }
  void setCode(size_t column, uint32_t i, uint32_t code) {
    if (column >= columns_ || i >= pitch_) [[unlikely]]
      failPlace(column, i);
    std::memcpy(this->column(column) + size_t{i} * codeBytes_, &code, codeBytes_);
  }

  /// Weights of likelihoods and tables: weight e of number k (CaseSchema::firstWeight) in case i is
  /// weights()[(firstWeight(k) + e) * pitch + i]; e is a state, or an entry.
  const std::vector<double> &weights() const { return weights_; }
  std::vector<double> &weights() { return weights_; }
  /// Sets all weights of a case to 1, which every query accepts.
  void clearWeights(uint32_t i) {
    for (size_t at = i; at < weights_.size(); at += pitch_)
      weights_[at] = 1;
    far.erase(i);
  }
  /// Returns weight `row` of case i, of any magnitude.
  ScaledNumber weight(uint64_t row, uint32_t i) const {
    if (const auto own = far.find(i); own != far.end()) {
      const auto one = std::ranges::lower_bound(own->second, row, {}, &FarValue::index);
      if (one != own->second.end() && one->index == row)
        return one->value;
    }
    return ScaledNumber::fromValue(weights_[row * pitch_ + i]);
  }
  /// Parameters: number p of case i is params()[p * pitch + i]. NaN means that the case sets none,
  /// so that the model's value holds.
  const std::vector<double> &params() const { return params_; }
  std::vector<double> &params() { return params_; }

  /// Returns the text that case i keeps: the cells of CaseSchema::kept as in a CSV file, each with
  /// a comma after it. Empty if the list keeps none.
  std::string_view kept(uint32_t i) const {
    if (keptEnds_.empty())
      return {};
    const size_t begin = i == 0 ? 0 : keptEnds_[i - 1];
    return std::string_view(kept_).substr(begin, keptEnds_[i] - begin);
  }
  bool keepsText() const { return !keptEnds_.empty(); }
  size_t keptBytes() const { return kept_.size(); }
  /// Adds the kept text of a case; the first call is for case 0, the next for case 1.
  void keep(std::string_view text) {
    kept_ += text;
    keptEnds_.push_back(kept_.size());
  }

private:
  /// Returns the bytes of a column. Large columns lie an odd number of cache lines apart. The codes
  /// of a row are written at the same time; with a power of two they would be in the same set of a
  /// cache.
  static size_t columnBytesFor(size_t codesBytes) {
    constexpr size_t kLineBytes = 64, kLargeBytes = 4096;
    const size_t lines = (codesBytes + kLineBytes - 1) / kLineBytes;
    return codesBytes < kLargeBytes ? codesBytes : (lines | 1) * kLineBytes;
  }

  /// Throws Error(Internal): the block has no such code.
  [[noreturn]] void failPlace(size_t column, uint32_t i) const;

  unsigned codeBytes_ = 1;
  uint32_t pitch_ = 0;
  size_t columns_ = 0, columnBytes_ = 0;
  ZeroedVector<std::byte> codes_;
  std::vector<double> weights_, params_;
  std::string kept_;
  std::vector<size_t> keptEnds_; ///< by case; empty: the list keeps no text
};

} // namespace mpf
