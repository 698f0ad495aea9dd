// Bounds the distance of a result from the exact answer.
#pragma once

#include "dsl/model/model.h"
#include "tests/oracle/edge/exact_brute_force.h"

namespace mpf::oracle {

/// The tolerance for one query of one model in one element type.
class Tolerance {
public:
  Tolerance(const Model &model, const Query &query, ElementType type);

  /// Largest error relative to an entry's magnitude.
  const ExactNumber &relative() const { return relative_; }
  /// Largest error of an entry.
  ExactNumber of(const ExactEntry &entry) const;
  /// Whether a sum has cancelled so far that rounding may have left any value. Then its sign,
  /// whether it is zero, and quotients by it are meaningless.
  bool isDoubtful(const ExactEntry &entry) const;

private:
  ExactNumber relative_;
  ExactNumber absolute_; ///< largest absolute error of costs and logs
};

} // namespace mpf::oracle
