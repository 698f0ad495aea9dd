// The weights of literals in a .cnf text. A model counts with the product of the weights of its
// true literals. A variable without weights has 1 for both.
#pragma once

#include "dsl/formats/cnf/clause_factors.h"
#include "dsl/support/numbers/table_number.h"

#include <optional>
#include <span>
#include <vector>

namespace mpf {

/// Collects the weights of one text, which may stand in front of the number of variables. Functions
/// that report an error return false. Not thread-safe; the network must outlive the object.
class LiteralWeights {
public:
  explicit LiteralWeights(NetworkBuilder &network) : network_(network) {}

  /// Sets the weight of a literal to the number of `word`: a decimal number, or a quotient of two.
  /// Reports another word.
  bool set(Literal literal, const PlacedText &word);
  /// Sets the weight of the variable to the number of `word`, and that of its negation to one minus
  /// this number; -1 makes both 1. (Sang, Beame and Kautz 2005: Cachet.)
  bool setBoth(Literal variable, const PlacedText &word);

  bool empty() const { return weights_.empty(); }
  /// The place of the first weight in the text; there is one.
  SourceRange place() const { return weights_.front().place; }
  /// Forgets all weights.
  void clear() { weights_.clear(); }

  /// Adds a factor for each variable with weights. `variables`: how many the text has. `isCounted`:
  /// those that the count is over, by VarId; empty: all. Where one literal of a variable has no
  /// weight, it gets 1 - w, or 1 if w is not in [0, 1], with one warning for all: counters differ
  /// there. Reports a second weight of a literal, and weights of no variable or of one that is not
  /// counted.
  void addFactors(ClauseFactors &clauses, uint64_t variables, const std::vector<bool> &isCounted);
  /// Whether all weights are whole numbers from 0 to 2^53 - 1; known after addFactors.
  bool areWhole() const { return areWhole_; }

private:
  struct Weight {
    Literal literal = 0;
    ScaledNumber value;
    SourceRange place;
  };

  std::optional<ScaledNumber> numberOf(const PlacedText &word);
  /// Reports what is wrong with the first weight of a variable, and with a second one.
  bool check(std::span<const Weight> ofVariable, uint64_t variables,
             const std::vector<bool> &isCounted);

  NetworkBuilder &network_;
  std::vector<Weight> weights_;
  bool areWhole_ = true;
};

} // namespace mpf
