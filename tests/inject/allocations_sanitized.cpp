// allocations.cpp for programs under the address sanitizer, whose allocator stays. This library
// comes before it in the search for functions, and calls it for allocations that are not to fail.
// The sanitizer's operators new and delete call no malloc, so they are replaced as well.
#include "tests/inject/allocations.h"
#include "tests/inject/calls.h"

#include <cstdlib>
#include <malloc.h>
#include <new>

using inject::counted;
using inject::isRefused;

namespace {

/// The sanitizer's functions. They are looked up all at once, at the first call, because a look-up
/// frees the error message of an earlier look-up.
struct Functions {
  decltype(&::malloc) malloc = find<decltype(&::malloc)>("malloc");
  decltype(&::calloc) calloc = find<decltype(&::calloc)>("calloc");
  decltype(&::realloc) realloc = find<decltype(&::realloc)>("realloc");
  decltype(&::memalign) memalign = find<decltype(&::memalign)>("memalign");
  decltype(&::aligned_alloc) alignedAlloc = find<decltype(&::aligned_alloc)>("aligned_alloc");
  decltype(&::posix_memalign) posixMemalign = find<decltype(&::posix_memalign)>("posix_memalign");
  decltype(&::free) free = find<decltype(&::free)>("free");

  template <class Function> static Function find(const char *name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
  }
};

const Functions &next() {
  static const Functions functions;
  return functions;
}

} // namespace

extern "C" {

void *malloc(size_t bytes) { return isRefused(bytes) ? nullptr : counted(next().malloc(bytes)); }

void *calloc(size_t count, size_t bytes) {
  return isRefused(count * bytes) ? nullptr : counted(next().calloc(count, bytes));
}

void *realloc(void *block, size_t bytes) {
  if (isRefused(bytes))
    return nullptr;
  return inject::countedAgain(block, bytes, next().realloc(block, bytes));
}

void *memalign(size_t alignment, size_t bytes) {
  return isRefused(bytes) ? nullptr : counted(next().memalign(alignment, bytes));
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  return isRefused(bytes) ? nullptr : counted(next().alignedAlloc(alignment, bytes));
}

int posix_memalign(void **block, size_t alignment, size_t bytes) {
  const int before = errno;
  const bool refused = isRefused(bytes);
  errno = before;
  const int problem = refused ? ENOMEM : next().posixMemalign(block, alignment, bytes);
  if (problem == 0)
    counted(*block);
  return problem;
}

void free(void *block) {
  inject::discount(block);
  next().free(block);
}

long mpfInjectLiveBlocks() { return inject::liveBlocks; }
}

namespace {

/// The operator of that name (Itanium ABI) that comes after ours.
template <class Function> Function *nextOperator(const char *name) {
  return reinterpret_cast<Function *>(::dlsym(RTLD_NEXT, name));
}

/// Fails as the standard requires of operator new.
void failToAllocate() {
  if (const std::new_handler handler = std::get_new_handler())
    handler();
  throw std::bad_alloc();
}

} // namespace

#define MPF_NEW(name, mangled)                                                                     \
  void *operator name(size_t bytes) {                                                              \
    static auto *const next = nextOperator<void *(size_t)>(mangled);                               \
    if (isRefused(bytes))                                                                          \
      failToAllocate();                                                                            \
    return counted(next(bytes));                                                                   \
  }                                                                                                \
  void *operator name(size_t bytes, const std::nothrow_t &tag) noexcept {                          \
    static auto *const next =                                                                      \
        nextOperator<void *(size_t, const std::nothrow_t &)>(mangled "RKSt9nothrow_t");            \
    return isRefused(bytes) ? nullptr : counted(next(bytes, tag));                                 \
  }                                                                                                \
  void *operator name(size_t bytes, std::align_val_t alignment) {                                  \
    static auto *const next =                                                                      \
        nextOperator<void *(size_t, std::align_val_t)>(mangled "St11align_val_t");                 \
    if (isRefused(bytes))                                                                          \
      failToAllocate();                                                                            \
    return counted(next(bytes, alignment));                                                        \
  }
MPF_NEW(new, "_Znwm")
MPF_NEW(new[], "_Znam")

#define MPF_DELETE(name, mangled)                                                                  \
  void operator name(void *block) noexcept {                                                       \
    static auto *const next = nextOperator<void(void *)>(mangled);                                 \
    inject::discount(block);                                                                       \
    next(block);                                                                                   \
  }                                                                                                \
  void operator name(void *block, size_t bytes) noexcept {                                         \
    static auto *const next = nextOperator<void(void *, size_t)>(mangled "m");                     \
    inject::discount(block);                                                                       \
    next(block, bytes);                                                                            \
  }                                                                                                \
  void operator name(void *block, const std::nothrow_t &tag) noexcept {                            \
    static auto *const next =                                                                      \
        nextOperator<void(void *, const std::nothrow_t &)>(mangled "RKSt9nothrow_t");              \
    inject::discount(block);                                                                       \
    next(block, tag);                                                                              \
  }                                                                                                \
  void operator name(void *block, std::align_val_t alignment) noexcept {                           \
    static auto *const next =                                                                      \
        nextOperator<void(void *, std::align_val_t)>(mangled "St11align_val_t");                   \
    inject::discount(block);                                                                       \
    next(block, alignment);                                                                        \
  }                                                                                                \
  void operator name(void *block, size_t bytes, std::align_val_t alignment) noexcept {             \
    static auto *const next =                                                                      \
        nextOperator<void(void *, size_t, std::align_val_t)>(mangled "mSt11align_val_t");          \
    inject::discount(block);                                                                       \
    next(block, bytes, alignment);                                                                 \
  }
MPF_DELETE(delete, "_ZdlPv")
MPF_DELETE(delete[], "_ZdaPv")
