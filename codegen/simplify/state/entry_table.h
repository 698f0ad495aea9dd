// Defines the tables of a query that is being simplified. An entry can only be copied, compared and
// stored. A product or sum of plain doubles loses digits where it is subnormal and overflows where
// it is large. So only Algebra and table_arithmetic.h may form one: they keep an exponent beside
// the result, or refuse.
#pragma once

#include "dsl/model/model.h"

#include <bit>
#include <cstdint>
#include <iterator>
#include <memory>
#include <vector>

namespace mpf {

/// One number of a table.
class Entry {
public:
  explicit constexpr Entry(double value) : value_(value) {}

  /// 0 and -0 are equal.
  friend constexpr bool operator==(Entry a, Entry b) { return a.value_ == b.value_; }
  constexpr bool isPositive() const { return value_ > 0; }
  /// Returns equal bits for equal entries.
  uint64_t bits() const { return std::bit_cast<uint64_t>(value_ + 0.0); }

private:
  friend struct EntryValue; // entry_value.h, for the arithmetic
  friend class EntryTableBuilder;
  double value_;
};

/// An immutable table of entries, shared by copies. Row-major over a scope that its owner has.
class EntryTable {
public:
  class Iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;
    using pointer = const Entry *;
    using reference = Entry;
    explicit Iterator(const double *at = nullptr) : at_(at) {}
    Entry operator*() const { return Entry(*at_); }
    Entry operator[](uint64_t i) const { return Entry(at_[i]); }
    Iterator &operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(at_++); }
    friend bool operator==(Iterator a, Iterator b) = default;

  private:
    const double *at_;
  };

  EntryTable() = default; ///< no values yet: a factor that is bound later
  explicit EntryTable(TableValues values) : values_(std::move(values)) {}

  bool known() const { return values_ != nullptr; }
  uint64_t size() const { return values_->size(); }
  Entry operator[](uint64_t i) const { return Entry((*values_)[i]); }
  Entry front() const { return (*this)[0]; }
  Iterator begin() const { return Iterator(values_->data()); }
  Iterator end() const { return Iterator(values_->data() + values_->size()); }

  /// The values, shared with the simplified model and the steps of the answer; null if not known.
  const TableValues &values() const { return values_; }

private:
  TableValues values_;
};

/// Makes a table of entries that are copied from others.
class EntryTableBuilder {
public:
  explicit EntryTableBuilder(uint64_t elems) { values_.reserve(elems); }
  void add(Entry entry) { values_.push_back(entry.value_); }
  uint64_t size() const { return values_.size(); }
  EntryTable finish() {
    return EntryTable(std::make_shared<const std::vector<double>>(std::move(values_)));
  }

private:
  std::vector<double> values_;
};

} // namespace mpf
