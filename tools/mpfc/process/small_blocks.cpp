// Replaces operators new and delete in mpfc: blocks of up to 512 bytes come from lists of free
// blocks of their size. Planning makes and drops a hundred thousand scopes, and the C library takes
// 250 instructions for each; a list takes 20.
//
// All such blocks lie in one stretch of addresses, in pages of one size each. So the address of a
// block tells its size, and memory of other origin goes to free(). Each thread has its own lists. A
// thread that frees more than it takes hands blocks over to the others, and so does one that ends.
// Blocks stay blocks: no memory goes back to the system before the process ends.
//
// The C library gives all memory where addresses are limited (ulimit -v or -d) and where another
// allocator was preloaded.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <utility>

extern "C" void *__libc_malloc(size_t bytes) __attribute__((weak));

namespace mpf::driver {

namespace {

constexpr size_t kGrainBytes = 16; ///< sizes are multiples of this, and so are addresses
constexpr size_t kLargestBytes = 512;
constexpr size_t kSizes = kLargestBytes / kGrainBytes;
constexpr size_t kPageBytes = size_t{1} << 14;
constexpr size_t kStretchBytes = size_t{1} << 34; ///< addresses, not memory
constexpr size_t kStepBytes = size_t{1} << 20;    ///< memory that is made usable at a time
/// The stretch begins with the number of the size of each page.
constexpr size_t kNumbersBytes = kStretchBytes / kPageBytes;
static_assert(kNumbersBytes % kStepBytes == 0);
/// The free blocks of one size that a thread keeps. Of more it hands half over.
constexpr size_t kMostKeptBytes = size_t{1} << 22;

constexpr size_t bytesOf(size_t size) { return (size + 1) * kGrainBytes; }

struct FreeBlock {
  FreeBlock *next;
};

/// The free blocks of one size that one thread has.
struct FreeList {
  FreeBlock *first = nullptr;
  uint32_t count = 0;
  char *at = nullptr, *end = nullptr; ///< the rest of a page that was never in use
};

using FreeLists = std::array<FreeList, kSizes>;

/// Hands the blocks of a thread over when it ends. The first thread ends with the process, and does
/// not call it. A destructor of C++ would do, but to register it takes memory.
void handAllOver(void *lists);

/// Whether the user limits what the process may take.
bool isLimited(int resource) {
  rlimit limit{};
  return ::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0 ||
         limit.rlim_cur != RLIM_INFINITY;
}

/// The memory of all threads, and the blocks that threads handed over.
class SmallBlocks {
public:
  /// Whether `p` is a small block; then `size` is its number in the lists.
  bool has(const void *p, size_t &size) const {
    const uintptr_t offset = reinterpret_cast<uintptr_t>(p) - begin_;
    if (offset >= kStretchBytes)
      return false;
    size = reinterpret_cast<const uint8_t *>(begin_)[offset / kPageBytes];
    return true;
  }

  /// Fills an empty list with free blocks, or with a page. False: the C library has to give memory.
  bool fill(size_t size, FreeList &list) {
    const std::lock_guard lock(mutex_);
    if (Handed &handed = handed_[size]; handed.first != nullptr) {
      list.first = handed.first;
      list.count = handed.count;
      handed = {};
      return true;
    }
    char *const page = newPage();
    if (page == nullptr)
      return false;
    reinterpret_cast<uint8_t *>(begin_)[usedBytes_ / kPageBytes - 1] = static_cast<uint8_t>(size);
    list.at = page;
    list.end = page + kPageBytes;
    return true;
  }

  /// Takes `count` blocks of a list, from `first` to `last`.
  void takeBack(size_t size, FreeBlock *first, FreeBlock *last, uint32_t count) {
    const std::lock_guard lock(mutex_);
    Handed &handed = handed_[size];
    last->next = handed.first;
    handed = {first, handed.count + count};
  }

  /// Has handAllOver called with the lists of this thread when it ends.
  void watchEnd(FreeLists &lists) { ::pthread_setspecific(ends_, &lists); }

private:
  struct Handed {
    FreeBlock *first = nullptr;
    uint32_t count = 0;
  };

  /// Returns null if there is no more memory, or the C library has to give all.
  char *newPage() {
    if (state_ == State::Unknown)
      begin();
    if (state_ == State::Off || usedBytes_ == kStretchBytes)
      return nullptr;
    char *const page = reinterpret_cast<char *>(begin_) + usedBytes_;
    if (usedBytes_ == openedBytes_) {
      if (::mprotect(page, kStepBytes, PROT_READ | PROT_WRITE) != 0)
        return nullptr;
      openedBytes_ += kStepBytes;
    }
    usedBytes_ += kPageBytes;
    return page;
  }

  void begin() {
    state_ = State::Off;
    if (&__libc_malloc != &::malloc || isLimited(RLIMIT_AS) || isLimited(RLIMIT_DATA))
      return;
    void *const found = ::mmap(nullptr, kStretchBytes, PROT_NONE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (found == MAP_FAILED)
      return;
    if (::mprotect(found, kNumbersBytes, PROT_READ | PROT_WRITE) != 0 ||
        ::pthread_key_create(&ends_, handAllOver) != 0)
      return;
    begin_ = reinterpret_cast<uintptr_t>(found);
    usedBytes_ = openedBytes_ = kNumbersBytes;
    state_ = State::On;
  }

  enum class State : uint8_t { Unknown, Off, On };

  std::mutex mutex_;
  pthread_key_t ends_ = 0;
  State state_ = State::Unknown;
  uintptr_t begin_ = uintptr_t{1} << 63; ///< of the stretch; before it exists, far from all memory
  size_t usedBytes_ = 0, openedBytes_ = 0;
  std::array<Handed, kSizes> handed_{};
};

constinit SmallBlocks blocks;
constinit thread_local FreeLists ownLists{};
constinit thread_local bool isEndWatched = false;

void watchEnd() {
  if (!std::exchange(isEndWatched, true))
    blocks.watchEnd(ownLists);
}

void handAllOver(void *of) {
  FreeLists &lists = *static_cast<FreeLists *>(of);
  for (size_t size = 0; size < kSizes; ++size) {
    FreeList &list = lists[size];
    const size_t bytes = bytesOf(size);
    for (; static_cast<size_t>(list.end - list.at) >= bytes; list.at += bytes) {
      list.first = new (list.at) FreeBlock{list.first};
      ++list.count;
    }
    if (list.first == nullptr)
      continue;
    FreeBlock *last = list.first;
    while (last->next != nullptr)
      last = last->next;
    blocks.takeBack(size, list.first, last, list.count);
    list = {};
  }
}

[[gnu::noinline]] void *fromLibrary(size_t bytes) {
  for (;;) {
    if (void *const p = std::malloc(std::max<size_t>(bytes, 1)))
      return p;
    if (const std::new_handler handler = std::get_new_handler())
      handler();
    else
      throw std::bad_alloc();
  }
}

/// Returns a block when the list of its size is empty.
[[gnu::noinline]] void *fromPage(size_t size) {
  const size_t bytes = bytesOf(size);
  FreeList &list = ownLists[size];
  if (static_cast<size_t>(list.end - list.at) < bytes) {
    if (!blocks.fill(size, list))
      return fromLibrary(bytes);
    watchEnd();
    if (FreeBlock *const block = list.first) {
      list.first = block->next;
      --list.count;
      return block;
    }
  }
  return std::exchange(list.at, list.at + bytes);
}

/// Hands half of a list over to other threads.
[[gnu::noinline]] void handHalfOver(size_t size) {
  FreeList &list = ownLists[size];
  const uint32_t half = list.count / 2;
  FreeBlock *const first = list.first, *last = first;
  for (uint32_t i = 1; i < half; ++i)
    last = last->next;
  list.first = last->next;
  list.count -= half;
  blocks.takeBack(size, first, last, half);
}

void *take(size_t bytes) {
  const size_t size = (bytes - 1) / kGrainBytes; // of 0 bytes: none
  if (size >= kSizes)
    return fromLibrary(bytes);
  FreeList &list = ownLists[size];
  FreeBlock *const block = list.first;
  if (block == nullptr)
    return fromPage(size);
  list.first = block->next;
  --list.count;
  return block;
}

void give(void *p) {
  size_t size = 0;
  if (!blocks.has(p, size))
    return std::free(p);
  FreeList &list = ownLists[size];
  list.first = new (p) FreeBlock{list.first};
  if (++list.count == 1)
    watchEnd();
  if (list.count * bytesOf(size) >= kMostKeptBytes)
    handHalfOver(size);
}

} // namespace

} // namespace mpf::driver

void *operator new(size_t bytes) { return mpf::driver::take(bytes); }
void operator delete(void *p) noexcept { mpf::driver::give(p); }
void operator delete(void *p, size_t) noexcept { mpf::driver::give(p); }
