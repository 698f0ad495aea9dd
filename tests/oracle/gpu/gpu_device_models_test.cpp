// Tests runs from device memory, of random models and of programs with chains.
#include "codegen/bundle/bundle.h"
#include "tests/oracle/gpu/on_device.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sweep_models.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace mpf::oracle {
namespace {

SessionOptions onGpu() {
  SessionOptions options;
  options.device = "gpu";
  return options;
}

/// Factors of every arity, alone and in groups, with zeros; variables of one state and unused ones.
TEST_F(OnDevice, AnswersRandomModels) {
  constexpr QueryKind kKinds[] = {QueryKind::Marginals, QueryKind::Expression, QueryKind::Evidence,
                                  QueryKind::Joint};
  for (uint64_t seed = 1; seed <= 48 && !HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937_64 random(seed);
    Model model = randomModel(random, {});
    model.queries = {randomQuery(random, model, kKinds[seed % 4])};
    CompileOptions options;
    options.type = seed % 3 == 0 ? "f32" : "f64";
    options.forcedLog = seed % 7 == 3;
    const Program program = withKernels(model, options);
    std::vector<std::string> names;
    for (const BundleInput &input : program.bundle().inputs)
      if (!input.raw && !program.bundle().buffer(input.buffer).packed && random() % 3 != 0 &&
          std::ranges::find(names, input.factor) == names.end())
        names.push_back(input.factor);
    Session onDevice(program, onGpu()), onHost(program, onGpu());
    const DeviceRunLayout layout = onDevice.deviceLayout(names);
    std::vector<Arrays> arrays(4);
    std::vector<Result> expected;
    for (Arrays &run : arrays) {
      std::vector<std::vector<double>> values;
      for (size_t i = 0; i < names.size(); ++i) {
        std::vector<double> &table = values.emplace_back(layout.factors[i].sizeElems);
        std::ranges::generate(table, [&] {
          const double value = random() % 8 == 0 ? 0 : unit(random);
          return layout.isDouble ? value : static_cast<double>(static_cast<float>(value));
        });
        onHost.bind(names[i], table);
      }
      for (const Finding &finding : program.bundle().evidence.findings)
        if (const HeadVariable &variable = program.bundle().variables[finding.variable.index()];
            random() % 2 == 0) {
          const auto state = static_cast<uint32_t>(random() % variable.extent);
          onDevice.observe(variable.name, state);
          onHost.observe(variable.name, state);
        }
      start(onDevice, layout, values, run);
      expected.push_back(onHost.run());
    }
    host_->wait();
    for (size_t run = 0; run < arrays.size(); ++run)
      expectAnswer(layout, arrays[run], expected[run], false);
  }
}

/// The host decides on none of the chains.
TEST_F(OnDevice, AnswersWithChains) {
  for (const bool forcedLog : {false, true}) {
    CompileOptions options;
    options.forcedLog = forcedLog;
    std::mt19937_64 random(1);
    SweepModelOptions shape;
    shape.rows = forcedLog ? 12 : 9;
    shape.maxExtent = forcedLog ? 3 : 2;
    const Program program = withKernels(sweepModel(random, shape), options);
    ASSERT_FALSE(program.bundle().chains.empty());
    std::vector<std::string> names;
    for (const BundleInput &input : program.bundle().inputs)
      if (names.size() < 5 && std::ranges::find(names, input.factor) == names.end())
        names.push_back(input.factor);
    Session onDevice(program, onGpu()), onHost(program, onGpu());
    const DeviceRunLayout layout = onDevice.deviceLayout(names);
    for (int run = 0; run < 4; ++run) {
      std::vector<std::vector<double>> values;
      for (size_t i = 0; i < names.size(); ++i) {
        std::vector<double> &table = values.emplace_back(layout.factors[i].sizeElems);
        std::ranges::generate(table, [&] { return 0.25 + static_cast<double>(random() % 8); });
        onHost.bind(names[i], table);
      }
      Arrays arrays;
      start(onDevice, layout, values, arrays);
      host_->wait();
      const ScaledNumber exact = onHost.run().tables.front().at(0);
      const ScaledNumber found =
          ScaledNumber::fromValue(resultOf(layout, arrays, 0), arrays.exponentsRead[0]);
      EXPECT_NEAR(found.log2(), exact.log2(), 1e-11);
    }
  }
}

} // namespace
} // namespace mpf::oracle
