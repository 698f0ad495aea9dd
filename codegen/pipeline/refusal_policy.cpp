#include "codegen/pipeline/refusal_policy.h"

#include <new>

namespace mpf {

bool concernsOneQuery(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::BadInput:
  case ErrorKind::Usage:
  case ErrorKind::MemoryBound:
  case ErrorKind::Overflow:
  case ErrorKind::Unsupported:
    return true;
  case ErrorKind::TimeLimit:
  case ErrorKind::Device:
  case ErrorKind::Verification:
  case ErrorKind::Cancelled:
  case ErrorKind::Internal:
    break;
  }
  return false;
}

bool RefusalPolicy::attempt(const std::string &query, const std::function<void()> &work) const {
  try {
    work();
    return true;
  } catch (const Error &error) {
    if (!collect_ || !concernsOneQuery(error.kind()))
      throw;
    collect_(query, error);
  } catch (const std::bad_alloc &) {
    if (!collect_)
      throw;
    collect_(query, Error(ErrorKind::MemoryBound, kOutOfMemory));
  }
  return false;
}

} // namespace mpf
