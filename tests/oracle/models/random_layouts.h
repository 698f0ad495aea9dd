// Stores every table of a program in a random order: answers must be the same for every choice of a
// cost model.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <random>

namespace mpf::oracle {

/// Lays tables out at random; those that may be stored in one order only stay as they are. The same
/// generator state gives the same orders on every machine. Returns the number of tables whose order
/// changed.
size_t layOutRandomly(std::mt19937_64 &random, TableProgram &program);

} // namespace mpf::oracle
