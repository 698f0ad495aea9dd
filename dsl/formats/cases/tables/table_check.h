// What is wrong with tables that cases set.
#pragma once

#include "dsl/support/cases/case_block.h"
#include "dsl/support/cases/case_source.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace mpf {

/// A case of a block that is wrong.
struct CaseFault {
  uint32_t place = 0; ///< of the case in its block
  CaseField field;    ///< what of it
  std::string message;
};

/// Sorts them by place and keeps one of each case, the first.
void keepOneFaultOfEach(std::vector<CaseFault> &faults);

/// What must hold of a table in every case.
struct TableRule {
  uint64_t sizeElems = 0;
  uint64_t rowElems = 0; ///< of a conditional table, whose rows sum to 1; else 0
  bool nonNegative = false;
  int32_t wholeBits = 0; ///< each entry is a whole number below 2^wholeBits; 0: it need not be
  bool isSoft = false;   ///< soft evidence: some entry is not 0
};

/// Looks at tables of blocks. Keeps memory between calls; not thread-safe.
class TableCheck {
public:
  /// An entry that is not what the rule says: of which case, which entry, its value.
  using OnEntry = std::function<void(uint32_t place, uint64_t entry, double value)>;
  /// A row that does not sum to 1: of which case, its number, its sum.
  using OnRow = std::function<void(uint32_t place, uint64_t row, double sum)>;
  /// Soft evidence of zeros alone: of which case.
  using OnZeros = std::function<void(uint32_t place)>;

  /// `onRounded`: rows that are taken although they do not sum to 1 (dsl/model/row_sums.h); if it
  /// is empty, `onRow` gets them too. `entries`: of the first case; entry e of case i of `count` is
  /// entries[e * pitch + i].
  void run(const TableRule &rule, const double *entries, uint32_t count, uint32_t pitch,
           const OnEntry &onEntry, const OnRow &onRow, const OnZeros &onZeros,
           const OnRow &onRounded = {});

private:
  /// Into sums_, by case: of entries [first, first + size).
  void addUp(const double *entries, uint64_t first, uint64_t size, uint32_t count, uint32_t pitch);
  template <class IsRight>
  static void findWrong(const TableRule &rule, const double *entries, uint32_t count,
                        uint32_t pitch, const OnEntry &onEntry, const IsRight &isRight);

  std::vector<double> sums_;
};

} // namespace mpf
