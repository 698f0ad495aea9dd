// How far a result may be from the exact answer.
#pragma once

#include "dsl/model/model.h"
#include "tests/oracle/edge/exact_brute_force.h"

namespace mpf::oracle {

/// For one query of one model in one element type.
class Tolerance {
public:
  Tolerance(const Model &model, const Query &query, ElementType type);

  /// Largest error relative to an entry's magnitude.
  const ExactNumber &relative() const { return relative_; }
  /// Largest error of an entry.
  ExactNumber of(const ExactEntry &entry) const;
  /// A sum has cancelled so far that rounding may have left anything of it: its sign, its being
  /// zero and quotients by it say nothing.
  bool isDoubtful(const ExactEntry &entry) const;

private:
  ExactNumber relative_;
  ExactNumber absolute_; ///< of costs and logs
};

} // namespace mpf::oracle
