// Lists the refusals that are right: one table, each row with its reason. Every other refusal is a
// failure, and so is a refusal of values for which its row does not hold.
#pragma once

#include "dsl/support/error.h"
#include "tests/oracle/edge/edge_case.h"

#include <string_view>

namespace mpf::oracle {

/// Returns the reason why the case may be refused with this message; empty: it must not be.
std::string_view legitimateRefusal(const EdgeCase &edge, ErrorKind kind, std::string_view message);

} // namespace mpf::oracle
