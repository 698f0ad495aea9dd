// Lists from a pipe whose writer pauses: next() returns the whole rows that are available.
#include "dsl/formats/cases/open_cases.h"
#include "dsl/formats/cases/swept_cases.h"
#include "tests/unit/dsl/formats/three_variables.h"
#include "tests/unit/temporary_folder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fcntl.h>
#include <future>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace mpf {
namespace {

constexpr std::chrono::seconds kPatience{30};

/// A pipe into which a thread writes parts: the first one at once, each other one after goOn().
class PausedPipe {
public:
  explicit PausedPipe(std::vector<std::string> parts)
      : path_(folder_.path() + "/pipe"), parts_(std::move(parts)), asked_(parts_.size()) {
    EXPECT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    writer_ = std::thread([this] { write(); });
  }
  ~PausedPipe() { writer_.join(); }

  const std::string &path() const { return path_; }
  void goOn() { asked_[next_++].set_value(); }
  bool areLeft() const { return next_ != asked_.size(); }

private:
  void write() {
    const int file = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    for (size_t i = 0; i < parts_.size(); ++i) {
      EXPECT_EQ(::write(file, parts_[i].data(), parts_[i].size()),
                static_cast<ssize_t>(parts_[i].size()));
      EXPECT_EQ(asked_[i].get_future().wait_for(kPatience), std::future_status::ready)
          << "the reader waits for more than part " << i;
    }
    ::close(file);
  }

  TemporaryFolder folder_;
  std::string path_;
  std::vector<std::string> parts_;
  std::vector<std::promise<void>> asked_;
  size_t next_ = 0;
  std::thread writer_;
};

/// Returns the number of cases from each call of next() for a list that is written in parts. Each
/// part has the end of a row. `change` converts the list to another one.
template <class Change>
std::vector<uint32_t> countsOf(std::vector<std::string> parts, unsigned threads, Change change) {
  PausedPipe pipe(std::move(parts));
  Diagnostics diagnostics;
  std::vector<uint32_t> counts;
  std::shared_ptr<CaseSource> cases = openCases(pipe.path(), threeVariables(), diagnostics, {});
  EXPECT_TRUE(cases) << renderDiagnostics(diagnostics);
  cases = change(std::move(cases));
  cases->begin({OnBadRow::Stop, threads});
  CaseBlock block(cases->schema(), 1000);
  while (pipe.areLeft() && cases->next(block)) {
    counts.push_back(block.count);
    pipe.goOn();
  }
  while (cases->next(block))
    counts.push_back(block.count);
  return counts;
}

std::vector<uint32_t> countsOf(const std::vector<std::string> &parts, unsigned threads) {
  return countsOf(parts, threads, [](auto cases) { return cases; });
}

using Counts = std::vector<uint32_t>;

TEST(PausedCases, RowsThatAreWholeAreGiven) {
  for (const unsigned threads : {1U, 3U}) {
    EXPECT_EQ(countsOf({"rain\nyes\nno\n", "yes\n", "no\nye", "s\n\n"}, threads),
              (Counts{2, 1, 1, 1}));
    EXPECT_EQ(countsOf({"rain,s[0][1]\nyes,2\n\"n", "o\",1\n", "no,0\nno,1"}, threads),
              (Counts{1, 1, 1, 1}));
  }
}

/// Returns the header of an array of bytes with a column of states for each of three variables.
std::string arrayOf(uint64_t rows) {
  const std::string keys =
      fmt::format("{{'descr': '|u1', 'fortran_order': False, 'shape': ({}, 3), }}\n", rows);
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(keys.size()) + '\0' + keys;
}

TEST(PausedCases, RowsOfArraysToo) {
  const std::string row("\x01\x02\x00", 3);
  for (const unsigned threads : {1U, 3U}) {
    EXPECT_EQ(countsOf({arrayOf(4) + row + row, row + row[0], row.substr(1)}, threads),
              (Counts{2, 1, 1}));
    EXPECT_EQ(countsOf({arrayOf(4) + row + row + row, row}, threads), (Counts{3, 1}));
    // All rows were written, and the pipe is still open.
    EXPECT_EQ(countsOf({arrayOf(2) + row + row}, threads), (Counts{2}));
  }
}

TEST(PausedCases, SweepsAreGivenUpToThere) {
  const auto sweep = [](std::shared_ptr<CaseSource> cases) -> std::shared_ptr<CaseSource> {
    return sweptCases(std::move(cases), {{"theta", {1, 2, 3}, {}}});
  };
  EXPECT_EQ(countsOf({"rain\nyes\nno\n", "yes\n"}, 1, sweep), (Counts{6, 3}));
}

} // namespace
} // namespace mpf
