// Draws seeded cases at the edges of f64. They are small models whose values are subnormal, near
// the greatest double, of both signs, or anywhere between, as far as their query allows.
#pragma once

#include "tests/oracle/edge/edge_case.h"

#include <random>

namespace mpf::oracle {

/// Draws a model, a query and perhaps further runs, with default options. There are at most six
/// variables, so that enumeration is cheap. The same generator state gives the same case on every
/// machine.
EdgeCase drawCase(std::mt19937_64 &random);

/// Draws other options for the case, among those that its query and its runs allow. `gpu`: it runs
/// there.
EdgeOptions drawOptions(std::mt19937_64 &random, const EdgeCase &edge, bool gpu);

} // namespace mpf::oracle
