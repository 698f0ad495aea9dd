// Makes every allocation of the library fail, one after the other. The library throws mpf::Error or
// std::bad_alloc, nothing stays allocated, and the next attempt is right.
#include "runtime/api/session.h"
#include "runtime/compile/disk_cache.h"
#include "runtime/result/result_json.h"
#include "tests/inject/points.h"

#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <new>
#include <optional>
#include <set>

namespace mpf {
namespace {

constexpr const char *kModel = R"(
  var rain, wet : {no, yes}
  var z : 3
  factor g(rain, z) = input
  prob P(rain) = [0.8, 0.2]
  prob P(wet | rain) = [[0.9, 0.1], [0.2, 0.8]]
  observe wet = yes
  query evidence
)";
constexpr double kValues[] = {1, 2, 3, 4, 5, 6};
const double kAnswer = std::log10(0.8 * 0.1 * 6 + 0.2 * 0.8 * 15);

Program compiled() {
  CompileOptions options;
  options.device = "cpu";
  options.maxMemoryBytes = 1 << 20;
  return compileText(kModel, options);
}

SessionOptions onOneThread() {
  SessionOptions options;
  options.device = "cpu";
  options.threads = 1;
  return options;
}

double answerOf(Session &session) { return session.run().tables.front().at(0).log10(); }

/// Whether the allocation of that number was reached; `action` must throw or do its work.
bool attempt(const std::function<void()> &action, unsigned long number, char onwards) {
  mpfInjectArm("alloc", number, onwards, ENOMEM);
  bool foreign = false;
  try {
    action();
  } catch (const Error &) {
  } catch (const std::bad_alloc &) {
  } catch (...) {
    foreign = true;
  }
  const bool reached = mpfInjectDisarm();
  EXPECT_FALSE(foreign) << "something else was thrown at allocation " << number;
  return reached;
}

/// Returns the numbers of the allocations of `action` to try: the first and the last of each call
/// stack, and one behind the last allocation. Calls between them would be too many to try.
std::set<unsigned long> numbersToTry(const std::function<void()> &action) {
  mpfInjectRecord("alloc");
  action();
  mpfInjectDisarm();
  std::set<unsigned long> numbers;
  MpfInjectedStack stack;
  for (unsigned i = 0; (stack = mpfInjectStack(i)).first != 0; ++i)
    numbers.insert({stack.first, stack.last});
  EXPECT_GT(numbers.size(), 3U) << "nothing was allocated: is the library in front of libc?";
  numbers.insert(ULONG_MAX);
  return numbers;
}

/// Makes an allocation of each call stack of `action` fail in turn. `action` must leave nothing
/// allocated, and `check` must be true of the objects that it worked on.
void failEverywhere(const std::function<void()> &action, const std::function<bool()> &check) {
  for (int i = 0; i < 3; ++i) // makes the objects that are made once and kept
    action();
  const std::set<unsigned long> numbers = numbersToTry(action);
  for (const char onwards : {'\0', '~'}) {
    for (const unsigned long number : numbers) {
      const long before = mpfInjectLiveBlocks();
      const bool reached = attempt(action, number, onwards);
      ASSERT_EQ(mpfInjectLiveBlocks(), before) << "at allocation " << number << onwards;
      ASSERT_TRUE(check()) << "after allocation " << number << onwards;
      EXPECT_EQ(reached, number != ULONG_MAX) << "at allocation " << number << onwards;
    }
  }
}

bool always() { return true; }

TEST(AllocationFails, Compiling) {
  failEverywhere([] { compiled(); }, always);
}

TEST(AllocationFails, RefusingAText) {
  failEverywhere(
      [] {
        try {
          compileText("var x : 2\nfactor f(x) = [1, 2, 3]\nquery evidence\n");
        } catch (const Error &error) {
          EXPECT_TRUE(error.kind() == ErrorKind::BadInput ||
                      error.kind() == ErrorKind::MemoryBound);
        }
      },
      always);
}

/// A folder in the folder for temporary files. The destructor removes it.
struct Scratch {
  Scratch() { EXPECT_NE(::mkdtemp(path.data()), nullptr); }
  ~Scratch() { std::filesystem::remove_all(path); }
  std::string path = testing::TempDir() + "mpf-inject-XXXXXX";
};

TEST(AllocationFails, Saving) {
  const Scratch folder;
  const std::string path = folder.path + "/saved.mpfb";
  const Program program = compiled();
  failEverywhere([&] { program.save(path); }, [&] { return loadProgram(path).share() != nullptr; });
}

TEST(AllocationFails, Loading) {
  const Scratch folder;
  const std::string path = folder.path + "/saved.mpfb";
  compiled().save(path);
  failEverywhere([&] { loadProgram(path); }, always);
}

TEST(AllocationFails, PrintingResults) {
  const Program program = compiled();
  Session session(program, onOneThread());
  session.bind("g", kValues);
  const Result result = session.run();
  failEverywhere([&] { resultToJson(result); }, always);
}

TEST(AllocationFails, CachingKernels) {
  const Scratch scratch;
  const std::string &folder = scratch.path;
  const DiskCache cache(folder);
  const Hash128 key{1, 2};
  failEverywhere(
      [&] {
        cache.store(key, "contents");
        cache.load(key);
        cache.entries();
        cache.clear();
      },
      [&] {
        const bool stored = cache.store(key, "contents");
        return stored && cache.load(key) == "contents" && cache.entries().size() == 1;
      });
}

TEST(AllocationFails, OpeningASession) {
  const Program program = compiled();
  failEverywhere([&] { Session session(program, onOneThread()); }, always);
}

TEST(AllocationFails, BindingObservingAndRunning) {
  const Program program = compiled();
  Session session(program, onOneThread());
  session.bind("g", kValues);
  const double answer = answerOf(session);
  EXPECT_NEAR(answer, kAnswer, 1e-12);
  failEverywhere(
      [&] {
        session.bind("g", kValues);
        session.observe("wet", "no");
        session.observe("wet", "yes");
        session.run();
      },
      [&] {
        session.observe("wet", "yes");
        return answerOf(session) == answer;
      });
}

} // namespace
} // namespace mpf
