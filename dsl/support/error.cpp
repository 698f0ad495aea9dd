#include "dsl/support/error.h"

namespace mpf {

int exitCode(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::BadInput:
  case ErrorKind::Overflow:
  case ErrorKind::Unsupported:
    return 1;
  case ErrorKind::Usage:
    return 2;
  case ErrorKind::MemoryBound:
    return 3;
  case ErrorKind::TimeLimit:
    return 4;
  case ErrorKind::Device:
    return 5;
  case ErrorKind::Verification:
    return 6;
  case ErrorKind::Cancelled:
    return 130; // as a shell reports Ctrl-C
  case ErrorKind::Internal:
    break;
  }
  return 70;
}

} // namespace mpf
