// The allocator of libc, where the chosen allocation finds no memory.
#include "tests/inject/points.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

using inject::How;
using inject::Kind;

namespace {

std::atomic<long> liveBlocks{0};

bool isRefused(size_t bytes) {
  const inject::Verdict verdict = inject::arrive(Kind::alloc, bytes);
  if (verdict.how == How::KillBefore || verdict.how == How::KillAfter)
    inject::killSelf();
  if (verdict.how == How::Fail)
    errno = ENOMEM;
  return verdict.how == How::Fail;
}

void *counted(void *block) {
  if (block != nullptr)
    ++liveBlocks;
  return block;
}

} // namespace

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
  void *moved = __libc_realloc(block, bytes);
  if (block == nullptr)
    return counted(moved);
  if (bytes == 0)
    --liveBlocks;
  return moved;
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
  if (block != nullptr)
    --liveBlocks;
  __libc_free(block);
}

long mpfInjectLiveBlocks() { return liveBlocks; }
}
