// One conditional table while its entries are read: P(child | parents), whole, row by row, or with
// a default for the rows that are not listed. The format's reader owns the syntax; what the entries
// must be is said here, in the same words for all formats.
#pragma once

#include "dsl/formats/network_builder.h"

namespace mpf {

/// A row holds a number for each state of the child, given a state of each parent; rows are
/// numbered with the last parent fastest. In this order: setChild, addParent, allocate, rows,
/// finish; each gives false when it reported, and the table is then given up. The network must
/// outlive it.
class ConditionalTable {
public:
  explicit ConditionalTable(NetworkBuilder &network) : network_(network) {}

  /// Reports unknown names and a second table of one child. Warnings will point to `child`.
  bool setChild(const PlacedText &child);
  /// Reports unknown names, a variable that is there already, and one too many.
  bool addParent(const PlacedText &parent);
  /// Makes room for the entries. `listable`: no more numbers than this can follow in the text.
  /// Reports a table that is beyond the limits, or that neither the text nor a default could fill.
  bool allocate(SourceRange at, uint64_t listable);

  const std::vector<VarId> &parents() const { return parents_; }
  uint64_t rows() const { return isSet_.size(); }
  uint64_t childExtent() const { return childExtent_; }
  uint64_t setRows() const { return setRows_; }
  bool hasDefault() const { return !default_.empty(); }
  /// "P(lung | ...)", for messages.
  const std::string &text() const { return text_; }
  /// "row (yes, no)", for messages.
  std::string rowName(uint64_t row) const;

  /// The next of the `count` numbers of `what` ("the table", "row (yes)"). Reports what is no
  /// number, not finite or negative.
  bool takeNumber(const PlacedText &word, const std::string &what, uint64_t count,
                  std::vector<double> &numbers);
  /// Reports other than `count` numbers.
  bool checkCount(SourceRange at, const std::string &what, uint64_t count,
                  const std::vector<double> &numbers);
  /// childExtent() numbers. Reports a row that is there already.
  bool setRow(SourceRange at, uint64_t row, std::span<const double> numbers);
  /// All rows, one after the other.
  void setTable(std::span<const double> numbers);
  /// All rows, the child slowest: first the numbers of its first state in all rows.
  void setTableChildSlowest(std::span<const double> numbers);
  /// childExtent() numbers for the rows that are not set.
  void setDefault(std::vector<double> numbers) { default_ = std::move(numbers); }

  /// Reports missing rows; adds the factor to the network.
  bool finish();

private:
  void putRow(uint64_t row, std::span<const double> numbers);

  NetworkBuilder &network_;
  SourceRange place_; ///< the child's name
  VarId child_;
  std::vector<VarId> parents_;
  std::string text_;
  uint64_t childExtent_ = 0;
  std::vector<double> values_; ///< row-major over (parents..., child)
  std::vector<bool> isSet_;    ///< by row
  uint64_t setRows_ = 0;
  std::vector<double> default_; ///< empty: none
};

} // namespace mpf
