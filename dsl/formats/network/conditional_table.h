// A conditional table P(child | parents) while its entries are read: as a whole, row by row, or
// with a default for the rows that are not listed. The reader of a format parses the syntax. This
// class checks the entries, with the same messages for all formats.
#pragma once

#include "dsl/formats/network/network_builder.h"

namespace mpf {

/// Numbers of a text, in its order.
struct ReadNumbers {
  std::vector<double> values; ///< of those in `far` the nearest finite doubles
  std::vector<FarValue> far;  ///< ascending: what no normal double holds
  size_t size() const { return values.size(); }
};

/// Names what numbers of a table belong to, for messages. No text is made before there is one.
struct NumbersOf {
  NumbersOf(const char *fixed) : text(fixed) {}
  explicit NumbersOf(uint64_t given) : row(given) {}

  const char *text = nullptr; ///< "the table"; null for a row
  uint64_t row = 0;           ///< the row of the table where `text` is null
};

/// A row has one number for each state of the child, given a state of each parent. Rows are
/// numbered with the last parent fastest. The order of calls is setChild, addParent for each
/// parent, allocate, the functions that set rows, finish. A function that reports an error returns
/// false, and the table must then be dropped. The network must outlive the table.
class ConditionalTable {
public:
  explicit ConditionalTable(NetworkBuilder &network) : network_(network) {}

  /// Reports an unknown name and a second table of one child. Warnings about the table point to
  /// `child`.
  bool setChild(const PlacedText &child);
  /// Reports an unknown name, a variable that the table has already, and too many variables.
  bool addParent(const PlacedText &parent);
  /// Allocates the entries. `listable`: the most numbers that can follow in the text. Reports a
  /// table beyond the limits, and one that has more entries than the text and a default could fill.
  bool allocate(SourceRange at, uint64_t listable);

  VarId child() const { return child_; }
  SourceRange place() const { return place_; } ///< the child's name
  const std::vector<VarId> &parents() const { return parents_; }
  uint64_t rows() const { return isSet_.size(); }
  uint64_t childExtent() const { return childExtent_; }
  uint64_t setRows() const { return setRows_; }
  bool hasDefault() const { return default_.size() != 0; }
  /// "P(lung | ...)", for messages.
  const std::string &text() const { return text_; }

  /// Appends `word` to `numbers`, which will be the `count` numbers of `of`. Reports a word that is
  /// not a finite number of at least 0, or that tables do not hold.
  bool takeNumber(const PlacedText &word, NumbersOf of, uint64_t count, ReadNumbers &numbers);
  /// Reports when there are not `count` numbers.
  bool checkCount(SourceRange at, NumbersOf of, uint64_t count, const ReadNumbers &numbers);
  /// Sets one row to childExtent() numbers. Reports a row that was set before.
  bool setRow(SourceRange at, uint64_t row, const ReadNumbers &numbers);
  /// Sets one row to certainty: the child is in `state`. Reports a row that was set before.
  bool setCertain(SourceRange at, uint64_t row, uint32_t state);
  /// Sets all rows: the numbers of one row after the other.
  void setTable(ReadNumbers numbers);
  /// Sets all rows, the child slowest: first the numbers of the child's first state in all rows.
  void setTableChildSlowest(const ReadNumbers &numbers);
  /// Sets childExtent() numbers for the rows that are not listed.
  void setDefault(ReadNumbers numbers) { default_ = std::move(numbers); }

  /// Adds the factor to the network, or reports missing rows.
  bool finish();

private:
  /// "row (yes, no)".
  std::string rowName(uint64_t row) const;
  std::string nameOf(NumbersOf of) const;
  void putRow(uint64_t row, std::span<const double> numbers);
  /// Numbers of a row that no double holds.
  void putFar(uint64_t row, const std::vector<FarValue> &far);

  NetworkBuilder &network_;
  SourceRange place_; ///< the child's name
  VarId child_;
  std::vector<VarId> parents_;
  std::string text_;
  uint64_t childExtent_ = 0;
  uint64_t listable_ = 0;      ///< the most numbers that can follow in the text
  std::vector<double> values_; ///< row-major over (parents..., child)
  std::vector<FarValue> far_;  ///< entries that no normal double holds
  std::vector<bool> isSet_;    ///< by row
  uint64_t setRows_ = 0;
  uint64_t listedRows_ = 0; ///< of these, rows whose numbers the text lists
  ReadNumbers default_;     ///< the default row; empty: none
};

} // namespace mpf
