// Takes the first of several ways that can answer a query.
#pragma once

#include "dsl/support/error.h"
#include "runtime/engine/case_engine.h"

#include <functional>
#include <span>

namespace mpf {

/// One way to answer a query; lists of them begin with the fastest.
using EngineAttempt = std::function<CaseEngine()>;

/// Whether another way may still answer the query: the error is Error(Unsupported) or
/// Error(MemoryBound).
bool isRefusal(const Error &error);

struct ChosenEngine {
  CaseEngine engine;
  size_t attempt = 0;       ///< index of the attempt that made it
  bool wasTooLarge = false; ///< whether an attempt before it had too little memory
};

/// Returns the engine of the first attempt that neither finds the query unsupported nor has too
/// little memory. If all refuse, throws the last error that is about memory, otherwise the last
/// one. Other errors are thrown at once.
ChosenEngine firstEngine(std::span<const EngineAttempt> attempts);

} // namespace mpf
