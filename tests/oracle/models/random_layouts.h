// Every table of a program stored in an order chosen at random: whatever a cost model would choose,
// the answers must stay the same.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <random>

namespace mpf::oracle {

/// Tables that may be stored in one order only stay as they are. The same generator state gives the
/// same orders on every machine. Returns how many tables are stored otherwise than before.
size_t layOutRandomly(std::mt19937_64 &random, TableProgram &program);

} // namespace mpf::oracle
