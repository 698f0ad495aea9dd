// The frame of every function of mpf_c.h: no exception leaves it, messages are kept, arguments are
// checked.
#pragma once

#include "dsl/support/check.h"
#include "dsl/support/error.h"
#include "runtime/c/mpf_c.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace mpf::c {

/// The base of all handles.
struct Handle {
  /// Locks the members of handles that several threads may use.
  mutable std::mutex mutex;
  mutable std::string error; ///< of the last call with this handle that failed
  mutable std::mutex errorMutex;
};

/// Returns the message of this thread's last call.
const char *lastError() noexcept;
void clearLastError() noexcept;
/// Keeps the message of the exception that is being handled, in the thread and in `handle`, which
/// may be null. Returns its status.
mpf_status keepError(const Handle *handle) noexcept;
mpf_status statusOf(ErrorKind kind) noexcept;
/// Returns the message that a handle keeps; an empty text without a handle.
const char *errorOf(const Handle *handle) noexcept;

/// Does the work of a call. `handle`: the first handle of the call; may be null.
template <class Work> mpf_status call(const Handle *handle, const Work &work) noexcept {
  clearLastError();
  try {
    work();
    return MPF_OK;
  } catch (...) {
    return keepError(handle);
  }
}

/// Throws Error(Usage) for a null pointer; `what` is the name of the parameter.
template <class Item> Item *required(Item *pointer, const char *what) {
  if (pointer == nullptr)
    fail(ErrorKind::Usage, "{} is null", what);
  return pointer;
}

/// Does the work on a handle that it locks.
template <class Kind, class Work> mpf_status callOn(Kind *handle, const Work &work) noexcept {
  return call(handle, [&] {
    const std::lock_guard lock(required(handle, "the handle")->mutex);
    work(*handle);
  });
}

/// Sets the pointer of a new handle to null, until there is one.
template <class Kind> Kind *&newHandle(Kind **out) {
  *required(out, "out") = nullptr;
  return *out;
}

/// Returns an array of the caller. Throws Error(Usage) for a null pointer, unless the count is 0.
template <class Item>
std::span<const Item> spanOf(const Item *items, uint64_t count, const char *what) {
  if (count == 0)
    return {};
  return {required(items, what), static_cast<size_t>(count)};
}

/// Returns a struct of the caller, which begins with its size. Headers of later versions have
/// larger structs: their other members are left out. Throws Error(Usage) for smaller ones.
template <class Struct> Struct sizedCopy(const void *given, const char *what) {
  uint32_t size = 0;
  std::memcpy(&size, required(given, what), sizeof(size));
  if (size < sizeof(Struct)) // the first version of every struct has this size
    fail(ErrorKind::Usage, "{}: a struct has size {}, at least {} is needed", what, size,
         sizeof(Struct));
  Struct copy;
  std::memcpy(&copy, given, sizeof(copy));
  return copy;
}

/// Returns the structs of an array, which lie as far apart as the size of the first one.
template <class Struct>
std::vector<Struct> sizedCopies(const Struct *items, size_t count, const char *what) {
  std::vector<Struct> copies;
  const char *at = reinterpret_cast<const char *>(spanOf(items, count, what).data());
  for (size_t i = 0; i < count; ++i, at += copies.front().size) {
    copies.push_back(sizedCopy<Struct>(at, what));
    if (copies.back().size != copies.front().size)
      fail(ErrorKind::Usage, "{}: structs have sizes {} and {}", what, copies.front().size,
           copies.back().size);
  }
  return copies;
}

/// Returns copies of the caller's texts. Throws Error(Usage) if one is null.
std::vector<std::string> textsOf(const char *const *texts, size_t count, const char *what);

/// Sets *text to item `index` of a list, or to null behind its last item.
void setText(const std::vector<std::string> &list, size_t index, const char **text);

/// Marks an object as in use, for handles that serve one call at a time. Throws Error(Usage) if it
/// is in use already.
class InUse {
public:
  explicit InUse(std::atomic_flag &flag);
  ~InUse() { flag_.clear(); }
  InUse(const InUse &) = delete;
  InUse &operator=(const InUse &) = delete;

private:
  std::atomic_flag &flag_;
};

/// Does the work on a handle that serves one call at a time, by its member `busy`.
template <class Kind, class Work> mpf_status callAlone(Kind *handle, const Work &work) noexcept {
  return call(handle, [&] {
    const InUse mine(required(handle, "the handle")->busy);
    work(*handle);
  });
}

} // namespace mpf::c
