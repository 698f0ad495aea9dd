#include "runtime/c/call.h"

#include <exception>
#include <new>

namespace mpf::c {

namespace {

constexpr const char *kNoMemory = "the memory does not suffice";

thread_local std::string threadError;
thread_local const char *threadMessage = ""; ///< threadError, or a text without memory of its own

mpf_status keep(const Handle *handle, mpf_status status, const char *message) noexcept {
  try {
    threadError = message;
    threadMessage = threadError.c_str();
    if (handle != nullptr) {
      const std::lock_guard lock(handle->errorMutex);
      handle->error = message;
    }
  } catch (...) {
    threadMessage = kNoMemory;
  }
  return status;
}

} // namespace

const char *lastError() noexcept { return threadMessage; }

void clearLastError() noexcept { threadMessage = ""; }

mpf_status keepError(const Handle *handle) noexcept {
  try {
    throw;
  } catch (const Error &error) {
    return keep(handle, statusOf(error.kind()), error.what());
  } catch (const std::bad_alloc &) {
    return keep(handle, MPF_MEMORY_BOUND, kNoMemory);
  } catch (const std::length_error &) {
    return keep(handle, MPF_MEMORY_BOUND, kNoMemory);
  } catch (const std::exception &error) {
    return keep(handle, MPF_INTERNAL, error.what());
  } catch (...) {
    return keep(handle, MPF_INTERNAL, "an exception without a message");
  }
}

mpf_status statusOf(ErrorKind kind) noexcept {
  switch (kind) {
  case ErrorKind::BadInput:
    return MPF_BAD_INPUT;
  case ErrorKind::Usage:
    return MPF_USAGE;
  case ErrorKind::MemoryBound:
    return MPF_MEMORY_BOUND;
  case ErrorKind::TimeLimit:
    return MPF_TIME_LIMIT;
  case ErrorKind::Device:
    return MPF_DEVICE;
  case ErrorKind::Verification:
    return MPF_VERIFICATION;
  case ErrorKind::Overflow:
    return MPF_OVERFLOW;
  case ErrorKind::Unsupported:
    return MPF_UNSUPPORTED;
  case ErrorKind::Cancelled:
    return MPF_CANCELLED;
  case ErrorKind::Internal:
    break;
  }
  return MPF_INTERNAL;
}

const char *errorOf(const Handle *handle) noexcept {
  if (handle == nullptr)
    return "";
  const std::lock_guard lock(handle->errorMutex);
  return handle->error.c_str();
}

std::vector<std::string> textsOf(const char *const *texts, size_t count, const char *what) {
  std::vector<std::string> list;
  for (const char *text : spanOf(texts, count, what))
    list.emplace_back(required(text, what));
  return list;
}

void setText(const std::vector<std::string> &list, size_t index, const char **text) {
  *required(text, "the text") = index < list.size() ? list[index].c_str() : nullptr;
}

InUse::InUse(std::atomic_flag &flag) : flag_(flag) {
  if (flag.test_and_set())
    fail(ErrorKind::Usage, "another call uses this handle, which serves one call at a time");
}

} // namespace mpf::c
