// mpf for host programs: this header includes the whole interface.
//
// A Program is a compiled query; a Session runs it. Compile (or load a .mpfb file) once, then bind
// inputs, set evidence and run as often as needed. A run neither plans, nor compiles, nor allocates
// working memory.
//
//   #include <mpf/mpf.h>
//
//   mpf::Program program = mpf::compileText(R"(
//     var rain, wet : {no, yes}
//     prob P(rain) = [0.8, 0.2]
//     prob P(wet | rain) = [[0.9, 0.1], [0.2, 0.8]]
//     observe wet = yes
//     query evidence
//   )");
//   mpf::Session session(program);
//   double log10Z = session.run().tables.front().at(0).log10(); // log10 of 0.24
//   session.observe("wet", "no");
//   double other = session.run().tables.front().at(0).log10();  // log10 of 0.76
//
// Models from arrays, and their names: runtime/api/network.h, installed as mpf/network.h. Lists of
// cases: runtime/api/cases.h, installed as mpf/cases.h. One case whose observed variables change:
// runtime/api/single_case.h.
//
// Linking: find_package(mpf), mpf::mpf. Inside this project: mpf::jit for everything, mpf::runtime
// for loadProgram and sessions without the compiler.
//
// Errors: every function throws mpf::Error, whose kinds are listed in dsl/support/error.h.
// - BadInput: a wrong model, file or value. Usage: a name or state that does not exist.
// - Overflow: a count that does not fit its type. Unsupported: a query that this version refuses.
// - Cancelled: the host program ended the call (dsl/support/system/watch.h).
// - MemoryBound: the tables exceed the bound, or an allocation fails.
// - Device: a device fails. Verification: a recomputed entry differs from the result.
// After an exception the object is as it was before the call.
//
// Threads: a Program may be shared by any number of threads; a Session belongs to one at a time.
#pragma once

#include "runtime/api/cases.h"
#include "runtime/api/device_buffer.h"
#include "runtime/api/network.h"
#include "runtime/api/session.h"
#include "runtime/api/single_case.h"
#include "runtime/result/compare.h"
#include "runtime/result/print_result.h"
#include "runtime/result/result_json.h"
