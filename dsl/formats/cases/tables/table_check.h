// Checks tables that cases set.
#pragma once

#include "dsl/support/cases/case_block.h"
#include "dsl/support/cases/case_source.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace mpf {

/// A fault of a case.
struct CaseFault {
  uint32_t place = 0; ///< place of the case in its block
  CaseField field;    ///< the faulty part of the case
  std::string message;
};

/// Sorts faults by place and keeps the first one of each case.
void keepOneFaultOfEach(std::vector<CaseFault> &faults);

/// Returns the number of CaseBlock::weight as text, for messages.
std::string weightText(const CaseBlock &block, uint64_t row, uint32_t place);

/// The rule for a table in every case.
struct TableRule {
  uint64_t sizeElems = 0;
  uint64_t rowElems = 0; ///< row of a conditional table, which sums to 1; else 0
  bool nonNegative = false;
  int32_t wholeBits = 0; ///< each entry is a whole number below 2^wholeBits; 0: no rule
  bool isSoft = false;   ///< soft evidence: some entry is not 0
};

/// Checks tables of blocks. Reuses memory between calls; not thread-safe.
class TableCheck {
public:
  /// Receives an entry that breaks the rule: place of the case, number of the entry.
  using OnEntry = std::function<void(uint32_t place, uint64_t entry)>;
  /// Receives a row that does not sum to 1: place of the case, number of the row, sum.
  using OnRow = std::function<void(uint32_t place, uint64_t row, double sum)>;
  /// Receives soft evidence that is all zero: place of the case.
  using OnZeros = std::function<void(uint32_t place)>;

  /// Checks the tables of `count` cases. Entry e of case i is entries[e * pitch + i]. `onRounded`
  /// receives rows that are accepted although they do not sum to 1
  /// (dsl/support/numbers/row_sums.h); if it is empty, `onRow` receives them too.
  void run(const TableRule &rule, const double *entries, uint32_t count, uint32_t pitch,
           const OnEntry &onEntry, const OnRow &onRow, const OnZeros &onZeros,
           const OnRow &onRounded = {});

private:
  /// Sets sums_ to the sum of entries [first, first + size) of each case.
  void addUp(const double *entries, uint64_t first, uint64_t size, uint32_t count, uint32_t pitch);
  template <class IsRight>
  static void findWrong(const TableRule &rule, const double *entries, uint32_t count,
                        uint32_t pitch, const OnEntry &onEntry, const IsRight &isRight);

  std::vector<double> sums_;
};

} // namespace mpf
