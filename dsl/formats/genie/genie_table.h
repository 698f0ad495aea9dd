// The table of one node of GeNIe, in XDSL or DSL: a conditional table, a function of the parents,
// or a noisy-max. The readers parse the syntax.
//
// A noisy-max (Henrion 1987; Diez 1993) lists the states of each parent in an order, the strongest
// first: its strengths. A row for each state follows in that order. It is the distribution of the
// child if only this parent acts. The leak is the last row. The child's last state is the absence
// of the effect and its states fall: this is a noisy-min (dsl/model/noisy_max.h).
#pragma once

#include "dsl/formats/network/conditional_table.h"

#include <cstdint>
#include <vector>

namespace mpf {

enum class GenieKind { Cpt, Deterministic, NoisyMax };

/// The order of calls is begin, addParent for each parent, then strengths and numbers, or states of
/// rows, and finish. A function that reports an error returns false, and the table must then be
/// dropped. The network must outlive the table.
class GenieTable {
public:
  explicit GenieTable(NetworkBuilder &network) : network_(network), table_(network) {}

  bool begin(GenieKind kind, const PlacedText &child);
  bool addParent(const PlacedText &parent);
  /// A state of a parent of a noisy-max, in the order of the parents. Reports a word that is no
  /// state, and too many.
  bool addStrength(const PlacedText &word);
  /// Begins the numbers of a table or a noisy-max. `listable`: the most numbers that can follow in
  /// the text.
  bool startNumbers(SourceRange at, uint64_t listable);
  bool addNumber(const PlacedText &word);
  /// Begins the labels of a deterministic node: the child's state for each row.
  bool startStates(SourceRange at);
  bool addState(const PlacedText &word);
  /// Adds the table to the network. `at`: the end of the node.
  bool finish(SourceRange at);

private:
  bool finishNoisy(SourceRange at);
  bool appendRow(std::vector<double> numbers, const std::string &what, std::vector<double> &rows);
  bool settleWeakest(std::vector<double> &row, const std::string &what);
  /// The number of states of all parents of a noisy-max.
  uint64_t parentStates() const;
  uint32_t extentOf(VarId id) const { return network_.model().variable(id).extent; }

  NetworkBuilder &network_;
  ConditionalTable table_;
  GenieKind kind_ = GenieKind::Cpt;
  bool hasValues_ = false;
  uint64_t count_ = 0; ///< numbers of the node
  uint64_t row_ = 0;   ///< the next row of a deterministic node
  ReadNumbers numbers_;
  std::vector<uint64_t> strengths_;
  size_t rankedParents_ = 0;   ///< parents whose states all have strengths
  uint64_t statesToRank_ = 0;  ///< states of the next parent that have none; 0: it is not begun
  std::vector<bool> isRanked_; ///< by state of that parent
};

} // namespace mpf
