// Tests that the memory of a run is within the bound it was planned for, for tables of any signs.
#include "codegen/plan/build_program.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/specialise/build_bundle.h"
#include "dsl/support/error.h"
#include "runtime/api/session.h"
#include "tests/oracle/compare_result.h"
#include "tests/oracle/models/random_models.h"
#include "tests/support/trials.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <optional>

namespace mpf::oracle {
namespace {

constexpr QueryKind kSignedKinds[] = {QueryKind::Expression, QueryKind::Evidence,
                                      QueryKind::Expression, QueryKind::Joint,
                                      QueryKind::Marginals};

void negateSome(std::mt19937_64 &random, Model &model) {
  for (Factor &factor : model.factors) {
    std::vector<double> values = *factor.values;
    for (double &value : values)
      value = random() % 3 == 0 ? -value : value;
    factor.values = std::make_shared<const std::vector<double>>(std::move(values));
  }
}

bool maximisesProducts(const Query &query) {
  return query.kind == QueryKind::Expression && query.combine == Combine::Times &&
         query.reductions.front().reduce != Reduce::Sum;
}

std::optional<TableProgram> planWithin(const Model &model, const Query &query,
                                       const PlanOptions &options) {
  Diagnostics diagnostics;
  try {
    return buildProgram(model, query, options, diagnostics);
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::MemoryBound) << error.what();
    return std::nullopt;
  }
}

TEST(BoundedRun, TakesWhatWasPromised) {
  std::mt19937_64 random(31);
  RandomModelOptions sizes;
  sizes.maxExtent = 4;
  size_t runs = 0, added = 0;
  for (size_t i = 0; i < trials(2000u) && !HasFailure(); ++i) {
    Model model = randomModel(random, sizes);
    const Query query = randomQuery(random, model, kSignedKinds[i % std::size(kSignedKinds)]);
    if (!maximisesProducts(query))
      negateSome(random, model);
    PlanOptions options;
    options.type = i % 2 == 0 ? ElementType::F64 : ElementType::F32;
    const uint64_t whole = planMemory(*planWithin(model, query, options), options.type).peakBytes;
    options.maxMemoryBytes = whole / 4 + random() % (2 * whole);
    const std::optional<TableProgram> program = planWithin(model, query, options);
    if (!program)
      continue;
    SCOPED_TRACE(fmt::format("model {}, bound {}", i, options.maxMemoryBytes));
    const bool forcedLog = random() % 4 == 0;
    const Program compiled(
        std::make_shared<const Bundle>(buildBundle(model, *program, {options.type, forcedLog})));
    EXPECT_EQ(compiled.bundle().signedValues,
              hasSignedProducts(*program, model, compiled.bundle().type));
    SessionOptions session;
    session.device = "cpu";
    session.threads = 1;
    const Result result = Session(compiled, session).run();
    EXPECT_LE(result.peakBytes, options.maxMemoryBytes);
    EXPECT_LE(result.allocatedBytes, options.maxMemoryBytes);
    if (query.combine == Combine::Plus)
      expectAnswer(model, query, result, options.type == ElementType::F64 ? 1e-11 : 2e-4);
    ++runs;
    added += query.combine == Combine::Plus ? 1 : 0;
  }
  EXPECT_GT(runs, trials(1000u));
  EXPECT_GT(added, trials(200u));
}

} // namespace
} // namespace mpf::oracle
