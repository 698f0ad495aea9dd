// Runs a hand-made bundle on the CPU executor and compares every result with brute force.
#pragma once

#include "runtime/execute/cpu_executor.h"

#include <memory>
#include <string>

namespace mpf::oracle {

/// Verifies a bundle, binds all inputs and runs. The bundle must outlive the executor.
std::unique_ptr<Executor> runOnCpu(const Bundle &bundle, unsigned threads = 1,
                                   const CompiledKernelOptions &own = {});

/// Returns an empty text when every entry of every buffer agrees with brute force within
/// `tolerance` (relative to the sum of the magnitudes of its terms). Otherwise describes the first
/// entry that does not.
std::string compareWithBruteForce(const Bundle &bundle, const Executor &executor, double tolerance);

/// True when every table of both executors holds the same bits and the same state.
bool sameBits(const Bundle &bundle, const Executor &a, const Executor &b);

} // namespace mpf::oracle
