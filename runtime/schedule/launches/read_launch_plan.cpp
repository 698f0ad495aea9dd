#include "dsl/support/check.h"
#include "runtime/schedule/launches/launch_use.h"
#include "runtime/schedule/launches/launch_words.h"
#include "runtime/schedule/launches/print_launch_plan.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <limits>
#include <optional>
#include <string>

namespace mpf {

namespace {

/// One line, read from left to right; failures name line and column.
class LaunchLine {
public:
  LaunchLine(std::string_view text, size_t number)
      : whole_(text), rest_(text.substr(0, text.find('#'))), number_(number) {
    skipBlanks();
  }

  bool atEnd() const { return rest_.empty(); }
  bool atWord(std::string_view word) const { return rest_.starts_with(word); }
  bool atNumber() const { return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; }

  [[noreturn]] void fail(std::string_view expected) const {
    const size_t column = static_cast<size_t>(rest_.data() - whole_.data()) + 1;
    mpf::fail(ErrorKind::BadInput, "launch plan, line {}, column {}: expected {}", number_, column,
              expected);
  }

  bool takeWord(std::string_view word) {
    if (!rest_.starts_with(word))
      return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  void expectWord(std::string_view word) {
    if (!takeWord(word))
      fail(fmt::format("'{}'", word));
  }

  template <class T> T number() {
    T value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc())
      fail(fmt::format("a number up to {}", std::numeric_limits<T>::max()));
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return value;
  }

  /// Reads a word up to a blank, and returns its enumerator.
  template <class Enum, class Words> Enum oneOf(const Words &words) {
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t"));
    const auto at = std::find(words.begin(), words.end(), word);
    if (at == words.end()) {
      std::string list;
      for (const std::string_view known : words)
        list += (list.empty() ? "" : ", ") + std::string(known);
      fail("one of " + list);
    }
    rest_.remove_prefix(word.size());
    skipBlanks();
    return static_cast<Enum>(at - words.begin());
  }

  void skipBlanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size()));
  }

  void expectEnd() {
    skipBlanks();
    if (!rest_.empty())
      fail("the end of the line");
  }

private:
  std::string_view whole_, rest_;
  size_t number_;
};

Launch readLaunch(LaunchLine &line) {
  Launch launch;
  line.expectWord("launch ");
  launch.kind = line.oneOf<LaunchKind>(kLaunchKindWords);
  launch.first = line.number<uint32_t>();
  if (line.takeWord("..")) {
    const uint32_t last = line.number<uint32_t>();
    if (last <= launch.first)
      line.fail("a last operation behind the first");
    if (last - launch.first == std::numeric_limits<uint32_t>::max())
      line.fail("fewer operations");
    launch.count = last - launch.first + 1;
  }
  line.skipBlanks();
  line.expectWord("arithmetic=");
  launch.arithmetic = line.oneOf<LaunchArithmetic>(kLaunchArithmeticWords);
  line.expectWord("wait=");
  launch.wait = line.oneOf<WaitPoint>(kWaitPointWords);
  line.expectWord("blocks=");
  launch.gridBlocks = line.number<uint64_t>();
  line.expectEnd();
  return launch;
}

AddressRange readRange(LaunchLine &line) {
  AddressRange range;
  line.expectWord("[");
  range.first = line.number<uint64_t>();
  line.expectWord(",");
  range.end = line.number<uint64_t>();
  line.expectWord(")");
  return range;
}

LevelStep readStep(LaunchLine &line, uint32_t phase) {
  LevelStep step;
  step.phase = phase;
  if (line.takeWord("phase ")) {
    step.phase = line.number<uint32_t>();
    line.skipBlanks();
  }
  step.barrier = line.takeWord("barrier ");
  line.skipBlanks();
  step.wholeBlock = line.takeWord("whole");
  if (!step.wholeBlock)
    line.expectWord("warps");
  line.skipBlanks();
  while (line.atNumber()) {
    LevelTask task;
    task.operation = line.number<uint32_t>();
    task.outputs = readRange(line);
    task.terms = readRange(line);
    step.tasks.push_back(task);
    line.skipBlanks();
  }
  return step;
}

/// Reads a line `block`, the steps of one block of the last launch, and adds it to the mapping of
/// that launch.
void readBlock(LaunchLine &line, LaunchPlan &plan) {
  if (plan.launches.empty() || !isMapped(plan.launches.back().kind))
    line.fail("a block behind a level or a fallback only");
  line.expectWord("block");
  line.skipBlanks();
  LevelBlock block;
  while (!line.atEnd())
    block.push_back(readStep(line, block.empty() ? 0 : block.back().phase));
  plan.mappings.back().blocks.push_back(std::move(block));
}

} // namespace

LaunchPlan readLaunchPlan(std::string_view text) {
  LaunchPlan plan;
  std::optional<uint64_t> announced;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    LaunchLine line(text.substr(0, end), number);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.atEnd())
      continue;
    if (announced && line.atWord("block")) {
      readBlock(line, plan);
      continue;
    }
    if (announced) {
      plan.launches.push_back(readLaunch(line));
      Launch &launch = plan.launches.back();
      if (isMapped(launch.kind)) {
        launch.mapping = static_cast<uint32_t>(plan.mappings.size());
        plan.mappings.emplace_back();
      }
      continue;
    }
    line.expectWord("launches ");
    announced = line.number<uint64_t>();
    line.expectEnd();
  }
  if (!announced)
    fail(ErrorKind::BadInput, "launch plan: there is no line 'launches NUMBER'");
  if (*announced != plan.launches.size())
    fail(ErrorKind::BadInput, "launch plan: {} launches are announced, {} follow", *announced,
         plan.launches.size());
  for (Launch &launch : plan.launches)
    if (isMapped(launch.kind))
      launch.count = static_cast<uint32_t>(operationsOf(plan, launch).size());
  return plan;
}

} // namespace mpf
