#include "dsl/formats/pedigree/locus.h"

#include <cmath>
#include <limits>

namespace mpf {

double recombinationFraction(double centimorgans, MapFunction function) {
  const double morgans = centimorgans / 100;
  if (function == MapFunction::Haldane)
    return -0.5 * std::expm1(-2 * morgans);
  return 0.5 * std::tanh(2 * morgans);
}

double mapDistance(double fraction, MapFunction function) {
  if (fraction >= 0.5)
    return std::numeric_limits<double>::infinity();
  const double morgans = function == MapFunction::Haldane ? -0.5 * std::log1p(-2 * fraction)
                                                          : 0.5 * std::atanh(2 * fraction);
  return 100 * morgans;
}

} // namespace mpf
