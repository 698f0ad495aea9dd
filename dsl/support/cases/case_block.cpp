#include "dsl/support/cases/case_block.h"

#include "dsl/support/check.h"

namespace mpf {

void CaseBlock::failPlace(size_t column, uint32_t i) const {
  fail(ErrorKind::Internal, "code of case {}, column {}: a block of {} x {}", i, column, pitch_,
       columns_);
}

} // namespace mpf
