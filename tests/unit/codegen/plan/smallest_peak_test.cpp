// Tests that a refusal for lack of memory names a sufficient peak. With that bound the same query
// is planned, and no refusal at a smaller bound names more.
#include "codegen/plan/build_program.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/simplify/simplify.h"
#include "dsl/model/print/print_model.h"
#include "dsl/support/error.h"
#include "tests/oracle/models/structured_models.h"
#include "tests/support/trials.h"

#include <cstdlib>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <optional>
#include <regex>

namespace mpf::oracle {
namespace {

constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Expression, QueryKind::Joint,
                                QueryKind::Mpe, QueryKind::Marginals};

/// One query and its planning options.
struct Task {
  Model model;
  Query query;
  PlanOptions plan;
  std::string name;
};

/// The result of a bound: the peak of a plan, or the peak that a refusal named.
struct Attempt {
  uint64_t boundBytes = 0;
  std::optional<uint64_t> peakBytes, namedBytes;
};

/// The peak in the message of a refusal.
uint64_t namedPeak(const std::string &message) {
  static const std::regex kPeak("needs at least (?:[^(]*\\()?([0-9]+) bytes\\)? of memory");
  std::smatch found;
  EXPECT_TRUE(std::regex_search(message, found, kPeak)) << message;
  return found.empty() ? 0 : std::stoull(found[1]);
}

Attempt attempt(const Task &task, uint64_t boundBytes) {
  PlanOptions plan = task.plan;
  plan.maxMemoryBytes = boundBytes;
  Diagnostics diagnostics;
  try {
    const TableProgram program = buildProgram(task.model, task.query, plan, diagnostics);
    return {
        boundBytes,
        planMemory(program, plan.type, hasSignedProducts(program, task.model, plan.type)).peakBytes,
        std::nullopt};
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::MemoryBound) << error.what();
    return {boundBytes, std::nullopt, namedPeak(error.what())};
  }
}

/// Sums may have terms of either sign.
void negateSome(std::mt19937_64 &random, Model &model) {
  for (Factor &factor : model.factors) {
    std::vector<double> values = *factor.values;
    for (double &value : values)
      if (random() % 4 == 0)
        value = -value;
    factor.values = std::make_shared<const std::vector<double>>(std::move(values));
  }
}

bool allowsNegative(const Query &query) {
  if (query.kind != QueryKind::Expression)
    return query.kind != QueryKind::Mpe;
  return query.combine == Combine::Plus || query.reductions.front().reduce == Reduce::Sum;
}

/// Short and dense networks, and long ones, whose messages may be computed again.
Task randomTask(std::mt19937_64 &random, size_t number) {
  RandomModelOptions options;
  options.maxExtent = 2 + static_cast<uint32_t>(random() % 4);
  options.maxFactors = 16;
  options.repeatedTables = random() % 4 == 0 ? 2 : 0;
  if (random() % 3 == 0) {
    options.maxVariables = 24;
    options.maxFactors = 40;
    options.reach = 1 + static_cast<uint32_t>(random() % 3);
  }
  Task task;
  task.model = random() % 2 == 0 ? structuredModel(random, options) : randomModel(random, options);
  task.query = randomQuery(random, task.model, kKinds[number % std::size(kKinds)]);
  const bool isSigned = random() % 3 == 0 && allowsNegative(task.query);
  if (isSigned)
    negateSome(random, task.model);
  task.plan.type = random() % 2 == 0 ? ElementType::F64 : ElementType::F32;
  task.plan.keep = static_cast<KeptMessages>(random() % 3);
  const bool simplifies = random() % 2 == 0;
  if (simplifies) {
    SimplifyOptions simplifying;
    simplifying.finalTables = true;
    simplifying.finalEvidence = random() % 2 == 0;
    Simplified simple = simplify(task.model, task.query, simplifying);
    task.plan.finalTables = simple.answer.has_value();
    task.model = std::move(simple.model);
    task.query = std::move(simple.query);
  }
  task.name =
      fmt::format("task {}: {}{}{}, {} variables, keep {}", number, queryKindName(task.query.kind),
                  isSigned ? ", signed" : "", simplifies ? ", simplified" : "",
                  task.model.variables.size(), static_cast<int>(task.plan.keep));
  return task;
}

uint64_t between(std::mt19937_64 &random, uint64_t least, uint64_t most) {
  return most <= least ? least : least + random() % (most - least + 1);
}

/// Some bounds below the peak without one, and every peak that is named for them.
std::vector<Attempt> attempts(std::mt19937_64 &random, const Task &task) {
  std::vector<Attempt> made{attempt(task, UINT64_MAX)};
  const uint64_t whole = made.front().peakBytes.value_or(0);
  for (const uint64_t bound : {uint64_t{1}, between(random, 1, whole),
                               between(random, whole / 2, whole), whole == 0 ? 0 : whole - 1}) {
    made.push_back(attempt(task, bound));
    if (made.back().namedBytes) {
      const uint64_t named = *made.back().namedBytes;
      made.push_back(attempt(task, named));
      made.push_back(attempt(task, between(random, bound, named - 1)));
    }
  }
  return made;
}

/// The number of trials; MPF_BOUND_TRIALS overrides it.
size_t trialCount() {
  const char *count = std::getenv("MPF_BOUND_TRIALS");
  return count != nullptr ? std::stoull(count) : trials(500u);
}

TEST(SmallestPeak, OfARefusalCanBeHad) {
  std::mt19937_64 random(2024);
  size_t refused = 0, named = 0, less = 0;
  for (size_t i = 0; i < trialCount() && !HasFailure(); ++i) {
    const Task task = randomTask(random, i);
    SCOPED_TRACE(task.name);
    uint64_t leastNamed = UINT64_MAX, leastPlanned = UINT64_MAX;
    const std::vector<Attempt> made = attempts(random, task);
    for (const Attempt &one : made) {
      if (one.peakBytes) {
        EXPECT_LE(*one.peakBytes, one.boundBytes);
        leastPlanned = std::min(leastPlanned, *one.peakBytes);
        continue;
      }
      ++refused;
      EXPECT_GT(*one.namedBytes, one.boundBytes);
      leastNamed = std::min(leastNamed, *one.namedBytes);
    }
    for (const Attempt &one : made) {
      if (!one.namedBytes)
        continue;
      EXPECT_EQ(*one.namedBytes, leastNamed) << "named for " << one.boundBytes << " bytes";
      for (const Attempt &other : made)
        if (other.boundBytes == *one.namedBytes) {
          EXPECT_TRUE(other.peakBytes)
              << other.boundBytes << " bytes were named for " << one.boundBytes << " bytes, then "
              << other.namedBytes.value_or(0);
        }
    }
    if (leastNamed == UINT64_MAX)
      continue;
    ++named;
    less += leastPlanned < leastNamed ? 1 : 0;
  }
  EXPECT_GT(refused, 4 * trialCount());
  EXPECT_LT(less, named / 10) << "a search for a plan within some bound found less";
}

} // namespace
} // namespace mpf::oracle
