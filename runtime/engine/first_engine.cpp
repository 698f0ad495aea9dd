#include "runtime/engine/first_engine.h"

#include "dsl/support/check.h"

#include <exception>
#include <new>

namespace mpf {

bool isRefusal(const Error &error) {
  return error.kind() == ErrorKind::MemoryBound || error.kind() == ErrorKind::Unsupported;
}

ChosenEngine firstEngine(std::span<const EngineAttempt> attempts) {
  MPF_CHECK(!attempts.empty(), "{} ways to answer cases", attempts.size());
  ChosenEngine chosen;
  std::exception_ptr refusal, tooLarge;
  for (; chosen.attempt < attempts.size(); ++chosen.attempt)
    try {
      chosen.engine = attempts[chosen.attempt]();
      chosen.wasTooLarge = tooLarge != nullptr;
      return chosen;
    } catch (const Error &error) {
      if (!isRefusal(error))
        throw;
      refusal = std::current_exception();
      if (error.kind() == ErrorKind::MemoryBound)
        tooLarge = refusal;
    } catch (const std::bad_alloc &) {
      refusal = tooLarge = std::current_exception();
    }
  std::rethrow_exception(tooLarge ? tooLarge : refusal);
}

} // namespace mpf
