// Replaces functions of libc by functions that can be made to fail.
#pragma once

#include "tests/inject/points.h"

#include <cerrno>
#include <dlfcn.h>

namespace inject {

/// `real` calls the function that was replaced.
template <class Result, class Real> Result attempt(Kind kind, Result failure, Real real) {
  const Verdict verdict = arrive(kind);
  if (verdict.how == How::KillBefore)
    killSelf();
  if (verdict.how == How::Fail) {
    errno = verdict.error;
    return failure;
  }
  const Result result = real();
  if (verdict.how == How::KillAfter)
    killSelf();
  return result;
}

/// Does the same for functions that take `bytes` bytes: `real` gets the number of bytes to use.
template <class Real> long attemptBytes(Kind kind, unsigned long bytes, Real real) {
  const Verdict verdict = arrive(kind);
  if (verdict.how == How::KillBefore)
    killSelf();
  if (verdict.how == How::Fail) {
    errno = verdict.error;
    return -1;
  }
  const long result = real(verdict.how == How::Short && bytes > 1 ? 1 : bytes);
  if (verdict.how == How::KillAfter)
    killSelf();
  return result;
}

} // namespace inject

/// The function of that name that the linker finds after ours.
#define MPF_NEXT(name)                                                                             \
  static const auto next = reinterpret_cast<decltype(&::name)>(::dlsym(RTLD_NEXT, #name))
