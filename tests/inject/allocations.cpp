// Replaces the allocator of libc, so that the chosen allocation finds no memory.
#include "tests/inject/allocations.h"

#include <dlfcn.h>

using inject::counted;
using inject::isRefused;

extern "C" {

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *block);

void *malloc(size_t bytes) { return isRefused(bytes) ? nullptr : counted(__libc_malloc(bytes)); }

void *calloc(size_t count, size_t bytes) {
  return isRefused(count * bytes) ? nullptr : counted(__libc_calloc(count, bytes));
}

void *realloc(void *block, size_t bytes) {
  if (isRefused(bytes))
    return nullptr;
  return inject::countedAgain(block, bytes, __libc_realloc(block, bytes));
}

void *memalign(size_t alignment, size_t bytes) {
  return isRefused(bytes) ? nullptr : counted(__libc_memalign(alignment, bytes));
}

void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void **block, size_t alignment, size_t bytes) {
  const int before = errno;
  *block = memalign(alignment, bytes);
  errno = before;
  return *block != nullptr ? 0 : ENOMEM;
}

void free(void *block) {
  inject::discount(block);
  __libc_free(block);
}

// Operators new and delete of mpfc call these, where it was built with mimalloc.
void *mi_malloc(size_t bytes) {
  static const auto next = reinterpret_cast<void *(*)(size_t)>(::dlsym(RTLD_NEXT, "mi_malloc"));
  return isRefused(bytes) ? nullptr : counted(next(bytes));
}

void *mi_malloc_aligned(size_t bytes, size_t alignment) {
  static const auto next =
      reinterpret_cast<void *(*)(size_t, size_t)>(::dlsym(RTLD_NEXT, "mi_malloc_aligned"));
  return isRefused(bytes) ? nullptr : counted(next(bytes, alignment));
}

void mi_free(void *block) {
  static const auto next = reinterpret_cast<void (*)(void *)>(::dlsym(RTLD_NEXT, "mi_free"));
  inject::discount(block);
  next(block);
}

long mpfInjectLiveBlocks() { return inject::liveBlocks; }
}
