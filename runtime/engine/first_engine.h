// Of several ways to answer a query, the first that can.
#pragma once

#include "dsl/support/error.h"
#include "runtime/engine/case_engine.h"

#include <functional>
#include <span>

namespace mpf {

/// One way, the fastest first.
using EngineAttempt = std::function<CaseEngine()>;

/// Whether another way may still answer the query: this one finds it unsupported, or has too little
/// memory.
bool isRefusal(const Error &error);

struct ChosenEngine {
  CaseEngine engine;
  size_t attempt = 0;       ///< which one made it
  bool wasTooLarge = false; ///< for an attempt before it
};

/// The engine of the first attempt that neither finds the query unsupported nor has too little
/// memory. When all refuse, the error is that of the last one, or of an earlier one that would
/// answer the query if it had the memory. Other errors are thrown at once.
ChosenEngine firstEngine(std::span<const EngineAttempt> attempts);

} // namespace mpf
