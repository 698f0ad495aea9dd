#include "dsl/support/packed_table.h"

namespace mpf {

std::string_view packingFaultOf(Semiring semiring, bool isInteger) {
  if (storesZero(semiring, isInteger))
    return {};
  return semiring.reduce == Reduce::Min
             ? "is read by a minimum, whose zero is infinite"
             : "is read by sums of whole numbers, none of which is the semiring's zero";
}

} // namespace mpf
