// Which refusals are right: one table, each row with its reason. What is not in it is a failure,
// and so is a refusal of values that its row does not hold for.
#pragma once

#include "dsl/support/error.h"
#include "tests/oracle/edge/edge_case.h"

#include <string_view>

namespace mpf::oracle {

/// The reason why the case may be refused so; empty: it must not be.
std::string_view legitimateRefusal(const EdgeCase &edge, ErrorKind kind, std::string_view message);

} // namespace mpf::oracle
