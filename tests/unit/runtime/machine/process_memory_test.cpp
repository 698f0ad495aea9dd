// The memory of a process besides its tables: it is predicted, left free, and within the limits.
#include "runtime/machine/process_memory.h"

#include "codegen/bundle/forms/program_file.h"
#include "runtime/api/cases.h"
#include "runtime/api/session.h"
#include "runtime/execute/threads/worker_memory.h"
#include "tests/unit/temporary_folder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mpf {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr const char *kCoin = "var a : {h, t}\nprob P(a) = [0.25, 0.75]\nquery P(a)\n";

TablesBound boundOrNone(const MemoryLimits &limits, const RunFacts &facts) {
  try {
    return tablesBound(limits, facts);
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::MemoryBound);
    return {};
  }
}

ErrorKind kindOf(const auto &call) {
  try {
    call();
  } catch (const Error &error) {
    return error.kind();
  }
  return ErrorKind::Internal;
}

/// Increases the memory of one kind, with equal facts and constant memory of the other kind.
TEST(ProcessMemory, TheBoundNeverFallsWhereThereIsMore) {
  std::mt19937_64 draw(1);
  const auto upTo = [&](double log2) {
    return static_cast<uint64_t>(std::exp2(std::uniform_real_distribution<double>(0, log2)(draw)));
  };
  for (int trial = 0; trial < 300; ++trial) {
    RunFacts facts{.entries = upTo(22),
                   .items = upTo(14),
                   .resultEntries = upTo(16),
                   .threads = static_cast<unsigned>(1 + draw() % 1024)};
    facts.listItems = trial % 5 == 0 ? facts.items : 0;
    const uint64_t wanted = trial % 3 == 0 ? upTo(34) : 0;
    facts.streamThreads = wanted ? 2 : 0;
    MemoryLimits limits{upTo(42), "pages", 0, trial % 2 ? upTo(42) : UINT64_MAX, "addresses"};
    const bool moves = trial % 4 == 1;
    uint64_t last = 0;
    std::array<uint64_t, 500> sizes;
    for (uint64_t &size : sizes)
      size = upTo(44);
    std::sort(sizes.begin(), sizes.end());
    for (const uint64_t bytes : sizes) {
      (moves ? limits.addressBytes : limits.availableBytes) = bytes;
      facts.streamedBytes = streamedWithin(wanted, limits);
      const TablesBound bound = boundOrNone(limits, facts);
      ASSERT_GE(bound.bytes, last) << "of " << bytes << ", " << facts.threads << " threads";
      ASSERT_LE(bound.bytes, std::min(limits.availableBytes, limits.addressBytes));
      last = bound.bytes;
    }
  }
}

TEST(ProcessMemory, TheBoundFallsWithEveryFact) {
  const MemoryLimits limits{2000 * kMiB, "pages", 0, UINT64_MAX, ""};
  const uint64_t bare = tablesBound(limits, {.threads = 1}).bytes;
  EXPECT_GT(bare, 1900 * kMiB);
  EXPECT_LT(tablesBound(limits, {.entries = 20 << 20, .threads = 1}).bytes, bare - 400 * kMiB);
  EXPECT_LT(tablesBound(limits, {.items = 1 << 20, .threads = 1}).bytes, bare - 900 * kMiB);
  EXPECT_LT(tablesBound(limits, {.listItems = 1 << 20, .threads = 1}).bytes, bare - 900 * kMiB);
  EXPECT_LT(tablesBound(limits, {.resultEntries = 1 << 20, .threads = 1}).bytes, bare - 400 * kMiB);
  EXPECT_LT(tablesBound(limits, {.threads = 64}).bytes, bare - 100 * kMiB);
  const RunFacts streaming{.threads = 1, .streamedBytes = streamedWithin(UINT64_MAX, limits)};
  EXPECT_LT(tablesBound(limits, streaming).bytes, bare - 200 * kMiB);
  EXPECT_EQ(kindOf([&] { tablesBound(limits, {.entries = UINT64_MAX, .threads = 1}); }),
            ErrorKind::MemoryBound);
}

/// The refusal comes before the search: the search takes memory too, and every plan would be
/// refused.
TEST(ProcessMemory, NothingLeftForTablesIsRefused) {
  const auto refusal = [](const MemoryLimits &limits) -> std::string {
    try {
      tablesBound(limits, {.threads = 1});
    } catch (const Error &error) {
      EXPECT_EQ(error.kind(), ErrorKind::MemoryBound);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({12 * kMiB, "memory", 0, UINT64_MAX, ""}),
            "the process needs about 16.3 MiB beside the tables; memory is 12 MiB");
  EXPECT_EQ(refusal({64 * kMiB, "memory", 0, 8 * kMiB, "addresses"}),
            "the process needs about 12.25 MiB beside the tables; addresses is 8 MiB");
  EXPECT_EQ(refusal({64 * kMiB, "memory", 0, 64 * kMiB, "addresses"}), "");
}

TEST(ProcessMemory, TheSourceIsTheTighterOne) {
  const RunFacts facts{.threads = 2};
  EXPECT_EQ(tablesBound({500 * kMiB, "pages", 0, 400 * kMiB, "addresses"}, facts).source,
            "addresses");
  EXPECT_EQ(tablesBound({500 * kMiB, "pages", 0, 4000 * kMiB, "addresses"}, facts).source, "pages");
}

TEST(ProcessMemory, WorkersShareWhatIsLeft) {
  EXPECT_EQ(workersWithin(1, 0), 1u);
  EXPECT_EQ(workersWithin(64, 0), kSureWorkers);
  EXPECT_EQ(workersWithin(1024, UINT64_MAX), 1024u);
  for (uint64_t bytes = 0; bytes < 30000 * kMiB; bytes += 13 * kMiB)
    EXPECT_LE(workersWithin(1024, bytes) * kWorkerBytes, workerBytes(1024, bytes));
}

TEST(ProcessMemory, ThreadsAreCappedAsOnTheCommandLine) {
  const Program program = compileText(kCoin);
  SessionOptions options;
  options.threads = 100000;
  try {
    Session session(program, options);
    FAIL() << "100000 threads";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
    EXPECT_STREQ(error.what(), "threads 100000: expected a whole number from 1 to 1024");
  }
  options.threads = 1024;
  EXPECT_NEAR(Session(program, options).run().tables.front().at(0).value().value_or(-1), 0.25,
              1e-12);
}

/// Runs `call` in a child process with `bytes` more address space than now. Returns 0 for success,
/// 3 for Error(MemoryBound), 70 for other errors.
int within(uint64_t bytes, const auto &call) {
  std::ifstream statm("/proc/self/statm");
  uint64_t pages = 0;
  statm >> pages;
  const rlimit limit{pages * static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE)) + bytes, RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &limit);
  try {
    call();
    return 0;
  } catch (const Error &error) {
    return error.kind() == ErrorKind::MemoryBound ? 3 : 70;
  } catch (...) {
    return 70;
  }
}

bool workedOrRefused(int status) {
  return WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3);
}

TEST(ProcessMemoryDeathTest, ARefusedAllocationIsAnErrorOfOurs) {
  if (MPF_SANITIZED)
    GTEST_SKIP() << "without memory the sanitizers' own allocations end the process";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  std::string big = "var a[400] : 2\n";
  for (int i = 0; i + 1 < 400; ++i)
    big += fmt::format("factor f{0}(a[{0}], a[{1}]) = [[1, 2], [3, 1]]\n", i, i + 1);
  big += "query marginals\n";
  const Program program = compileText(big);
  SessionOptions options;
  for (const unsigned threads : {1u, 64u, 1000u})
    for (const uint64_t kib : {0, 64, 256, 1024, 2048, 4096, 8192, 32768}) {
      options.threads = threads;
      EXPECT_EXIT(_exit(within(kib << 10, [&] { Session(program, options).run(); })),
                  workedOrRefused, "")
          << threads << " threads, " << kib << " KiB";
      EXPECT_EXIT(_exit(within(kib << 10, [&] { compileText(big); })), workedOrRefused, "")
          << kib << " KiB to compile";
    }
}

/// A session for cases leaves memory for the rest of the process.
TEST(ProcessMemory, ASessionForCasesWorksInMoreMemoryIfItDoesInLess) {
  if (MPF_SANITIZED)
    GTEST_SKIP() << "without memory the sanitizers' own allocations end the process";
  const TemporaryFolder cache; // no measured speed of this machine, which chooses the engine too
  ::setenv("MPF_CACHE_DIR", cache.path().c_str(), 1);
  std::string clique = "var a[17] : 2\n";
  for (int i = 0; i < 17; ++i)
    for (int j = 0; j < i; ++j)
      clique += fmt::format("factor f{0}_{1}(a[{0}], a[{1}]) = [[1, 2], [3, 1]]\n", i, j);
  const CaseProgram program =
      compileCasesText(clique + "query marginals\n", {.observable = {"a[0]", "a[1]"}});
  const auto answers = [&program](unsigned threads) {
    SessionOptions options;
    options.device = "cpu";
    options.threads = threads;
    CaseSession session(program, options);
    CaseBlock block = program.block(64);
    block.count = 64;
    CaseAnswers found;
    session.run(block, found);
  };
  for (const unsigned threads : {1U, 2U, 8U, 64U}) {
    bool worked = false;
    for (uint64_t bytes = 4 * kMiB; bytes < 1024 * kMiB; bytes += bytes / 4) {
      const pid_t child = ::fork();
      if (child == 0)
        _exit(within(bytes, [&] { answers(threads); }));
      int status = 0;
      ::waitpid(child, &status, 0);
      EXPECT_TRUE(workedOrRefused(status)) << threads << " threads, " << bytes << " bytes";
      EXPECT_TRUE(status == 0 || !worked) << threads << " threads, " << bytes << " bytes";
      worked = worked || status == 0;
    }
    EXPECT_TRUE(worked) << threads << " threads";
  }
  ::unsetenv("MPF_CACHE_DIR");
}

TEST(ProcessMemory, GarbageIsRefusedByItsHead) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/garbage.mpfb";
  std::ofstream(path) << "garbage";
  ASSERT_EQ(::truncate(path.c_str(), off_t{2} << 30), 0);
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  EXPECT_EQ(kindOf([&] { loadProgram(path); }), ErrorKind::BadInput);
  const std::string head("MPFB\4\0\0\0", 8); // no section behind it
  std::ofstream(path, std::ios::in) << head;
  EXPECT_EQ(kindOf([&] { loadProgram(path); }), ErrorKind::BadInput);
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 64 << 10) << "KiB of 2 GiB";
}

TEST(ProcessMemory, ABundleIsReadFromAFileAsFromAText) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/coin.mpfb";
  compileText(kCoin).save(path);
  const Result result = Session(loadProgram(path)).run();
  EXPECT_NEAR(result.tables.front().at(0).value().value_or(-1), 0.25, 1e-12);
  ASSERT_EQ(::truncate(path.c_str(), 100), 0);
  EXPECT_EQ(kindOf([&] { loadProgram(path); }), ErrorKind::BadInput);
}

} // namespace
} // namespace mpf
