// PACKED TABLES: inputs whose entries are all the semiring's zero or one, of which a GPU keeps one
// bit each. A CPU keeps them as they are: it gains nothing, its tables are in caches.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <string>
#include <vector>

namespace mpf {

/// By table, why a GPU could not read it packed, as the end of a sentence ("is ..."); empty where
/// it could: it takes a factor's values, only operations read it that a GPU runs one by one, and
/// their semirings have a zero to store.
/// Whether its entries are zeros and ones is not looked at (InputContents::isZeroOne).
std::vector<std::string> packingFaults(const TableProgram &program);

} // namespace mpf
