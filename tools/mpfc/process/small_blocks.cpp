// Operators new and delete of mpfc call mimalloc. Planning makes and drops a hundred thousand
// scopes, and mimalloc takes a tenth of the instructions of glibc for one. Where addresses are
// limited, glibc gives the memory.
//
// The other operators new and delete call these (the standard's section [new.delete]).
#include "tools/mpfc/process/few_addresses.h"

#include <cstdlib>
#include <mimalloc.h>
#include <new>

namespace {

enum class Giver : char { Undecided, Mimalloc, Glibc };
/// Decided by the first allocation, because a block goes back to the allocator that it came from.
/// Threads begin later.
constinit Giver giver = Giver::Undecided;

bool isFrugal() {
  if (giver == Giver::Undecided)
    giver = mpf::driver::hasFewAddresses() ? Giver::Glibc : Giver::Mimalloc;
  return giver == Giver::Glibc;
}

/// Returns what `allocate` returns. Where that is nothing, it does what the standard requires of
/// operator new.
template <class Allocate> void *orThrow(Allocate allocate) {
  for (;;) {
    if (void *const block = allocate())
      return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr)
      throw std::bad_alloc();
    handler();
  }
}

/// Before the first block the giver is undecided, and `block` is null.
inline void release(void *block) { giver == Giver::Glibc ? std::free(block) : mi_free(block); }

} // namespace

void *operator new(size_t bytes) {
  if (giver == Giver::Mimalloc) [[likely]] // a hundred thousand times in a short run
    if (void *const block = mi_malloc(bytes)) [[likely]]
      return block;
  return orThrow([bytes] { return isFrugal() ? std::malloc(bytes) : mi_malloc(bytes); });
}

void *operator new(size_t bytes, std::align_val_t alignment) {
  const auto boundary = static_cast<size_t>(alignment);
  return orThrow([bytes, boundary] {
    return isFrugal() ? ::aligned_alloc(boundary, bytes) : mi_malloc_aligned(bytes, boundary);
  });
}

void operator delete(void *block) noexcept { release(block); }
void operator delete(void *block, size_t) noexcept { release(block); }
void operator delete(void *block, std::align_val_t) noexcept { release(block); }
