// Collects entries that no assignment of non-zero value uses. If assuming X = x leaves Y without
// state y, every assignment with both has value zero. So the entries with both become zeros in each
// factor of X and Y, and the value of every assignment stays. Then one factor shows what only
// several showed together: for example, that Y is a function of X (pass_functions.h). This is
// conservative dual consistency (Lecoutre, Cardon and Vion 2007), for tables of any number of axes.
#pragma once

#include "codegen/simplify/passes/support_propagation.h"

#include <cstdint>
#include <vector>

namespace mpf {

class ImpliedZeros {
public:
  /// Both arguments must outlive this, unchanged until apply(). The semiring must have a zero.
  ImpliedZeros(SimplifyState &state, const Incidence &incidence);

  /// Notes the entries, not zero yet, that `support` excludes. It assumed one state of `id` last.
  void note(const SupportPropagation &support, VarId id);
  /// Sets the entries that were noted to zero. Returns whether there are any.
  bool apply();
  /// Number of entries looked at so far by note().
  uint64_t work() const { return work_; }

private:
  SimplifyState &state_;
  const Incidence &incidence_;
  std::vector<std::vector<char>> excluded_; ///< by factor and entry; empty: none
  uint64_t work_ = 0;
};

} // namespace mpf
