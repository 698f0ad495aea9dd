// Tests sliced programs on a GPU, which goes through their slices without the host. They give the
// CPU's answers in the first run, recorded and replayed, for all values.
#include "codegen/pipeline/pipeline.h"
#include "dsl/support/error.h"
#include "runtime/schedule/build_schedule.h"
#include "tests/oracle/bind_observed.h"
#include "tests/oracle/gpu/on_device.h"
#include "tests/oracle/gpu/run_on_gpu.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"
#include "tests/oracle/run_on_cpu.h"
#include "tests/support/error_kind.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <vector>

namespace mpf::oracle {
namespace {

struct SlicedModel {
  const char *name;
  const char *query;
  const char *type = "f64";
  double spreadLog10 = 2; ///< of the values' magnitudes
  double zeros = 0.1;
  bool isSigned = false, isLog = false, forcedLog = false, hasKernels = false;
  uint32_t variables = 5, extent = 12;
  uint64_t maxKiB = 96; ///< of tables
};

const SlicedModel kSlicedModels[] = {
    {"evidence", "evidence"},
    {"evidence32", "evidence", "f32", 2, 0.1, false, false, false, false, 5, 12, 48},
    {"many", "evidence", "f64", 2, 0.1, false, false, false, false, 5, 16, 24},
    {"nested", "evidence", "f64", 2, 0.1, false, false, false, false, 6, 8, 24},
    {"nestedMarginals", "marginals", "f32", 2, 0.1, false, false, false, false, 6, 6, 20},
    {"marginals", "marginals"},
    {"marginalsWide", "marginals", "f64", 300},
    {"marginalsWide32", "marginals", "f32", 40},
    {"sparse", "marginals", "f64", 2, 0.6},
    {"best", "best"},
    {"bestWide", "best", "f64", 300},
    {"best32", "best", "f32", 2, 0.1, false, false, false, false, 5, 12, 48},
    {"bestNested", "best", "f64", 2, 0.0, false, false, false, false, 6, 8, 24},
    {"forcedLog", "marginals", "f64", 2, 0.1, false, false, true},
    {"signedTable", "q(v0, v3) = sum() {}", "f64", 2, 0.1, true},
    {"signedWide", "q(v0, v3) = sum() {}", "f64", 200, 0.1, true},
    {"greatest", "q(v1) = max() {}"},
    {"least", "q(v1) = min() {}", "f64", 2, 0.0},
    {"logsum", "q(v2) = logsum() {}", "f64", 2, 0.1, false, true},
    {"kernels", "evidence", "f64", 2, 0.1, false, false, false, true, 5, 16, 512},
    {"kernelsWide", "marginals", "f64", 300, 0.1, false, false, false, true, 5, 16, 512},
    {"kernels32", "marginals", "f32", 2, 0.1, false, false, false, true, 5, 16, 256},
};

std::string nameOf(const SlicedModel &, uint32_t a, uint32_t b) {
  return fmt::format("f{}{}", a, b);
}

std::string tableOf(uint32_t extent) {
  std::string text;
  for (uint32_t row = 0; row < extent; ++row) {
    text += row == 0 ? "[[" : ", [";
    for (uint32_t i = 0; i < extent; ++i)
      text += fmt::format("{}{}", i == 0 ? "" : ", ", (row + i) % 3 == 0 ? -1.5 : 2.0 + i);
    text += "]";
  }
  return text + "]";
}

/// Returns the text of a model with factors between all pairs of variables.
std::string textOf(const SlicedModel &model) {
  std::string text, product;
  for (uint32_t v = 0; v < model.variables; ++v)
    text += fmt::format("var v{} : {}\n", v, model.extent);
  for (uint32_t a = 0; a < model.variables; ++a)
    for (uint32_t b = a + 1; b < model.variables; ++b) {
      text += fmt::format("factor {0}(v{1}, v{2}) = ", nameOf(model, a, b), a, b);
      if (model.isSigned && a == 0 && b == 1) // input factors count as never negative
        text += tableOf(model.extent) + "\n";
      else
        text += "input\n";
      product += fmt::format("{}{}",
                             product.empty() ? ""
                             : model.isLog   ? " + "
                                             : " * ",
                             nameOf(model, a, b));
    }
  const std::string query = model.query;
  const size_t place = query.find("{}");
  return text + "query " + (place == std::string::npos ? query : query.substr(0, place) + product) +
         "\n";
}

class SlicesOnDevice : public OnDevice {
protected:
  /// Loops with several slices in all.
  static Program programOf(const SlicedModel &model) {
    CompileOptions options;
    options.device = "gpu";
    options.type = model.type;
    options.forcedLog = model.forcedLog;
    options.maxMemoryBytes = model.maxKiB << 10;
    options.expectedRuns = model.hasKernels ? 1e12 : 0;
    Program program = compileText(textOf(model), options);
    EXPECT_FALSE(program.bundle().sliced.empty()) << model.name;
    return program;
  }

  std::vector<double> valuesOf(const SlicedModel &model) {
    std::vector<double> values(size_t{model.extent} * model.extent);
    for (double &value : values) {
      const bool isZero = unit(random_) < model.zeros;
      const double magnitude = std::pow(10, model.spreadLog10 * (unit(random_) - 0.5));
      const bool negative = (model.isSigned || model.isLog) && random_() % 3 == 0;
      value = isZero ? 0 : negative ? -magnitude : magnitude;
      if (std::string_view(model.type) == "f32")
        value = static_cast<double>(static_cast<float>(value));
    }
    return values;
  }

  /// Binds equal new values to some factors of all sessions; at first to all.
  void bindSome(const SlicedModel &model, std::vector<Session *> sessions, bool all) {
    for (uint32_t a = 0; a < model.variables; ++a)
      for (uint32_t b = a + 1; b < model.variables; ++b) {
        if (!all && random_() % 4 != 0)
          continue;
        const std::vector<double> values = valuesOf(model);
        for (Session *session : sessions)
          session->bind(nameOf(model, a, b), values);
      }
  }

  /// Compares in units of each table's greatest entry, because terms may cancel.
  static void expectSame(const SlicedModel &model, const Result &found, const Result &expected) {
    const double tolerance = std::string_view(model.type) == "f32" ? 2e-4 : 1e-10;
    ASSERT_EQ(found.tables.size(), expected.tables.size());
    EXPECT_EQ(found.zeroProbability, expected.zeroProbability);
    for (size_t t = 0; t < expected.tables.size(); ++t) {
      const ResultTable &a = found.tables[t], &b = expected.tables[t];
      ASSERT_EQ(a.entries.size(), b.entries.size());
      double greatest = -std::numeric_limits<double>::infinity();
      for (size_t i = 0; i < b.entries.size(); ++i)
        greatest = std::max(greatest, b.at(i).log2());
      for (size_t i = 0; i < b.entries.size(); ++i) {
        if (b.at(i).sign() == 0 && a.at(i).sign() == 0)
          continue;
        const auto share = [&](const ScaledNumber &number) {
          return number.sign() * std::exp2(number.log2() - greatest);
        };
        EXPECT_NEAR(share(a.at(i)), share(b.at(i)), tolerance) << b.name << "[" << i << "]";
      }
    }
    ASSERT_EQ(found.assignments.size(), expected.assignments.size());
    for (size_t i = 0; i < expected.assignments.size(); ++i)
      EXPECT_EQ(found.assignments[i].states, expected.assignments[i].states);
  }

  static void expectSameBits(const Result &a, const Result &b) {
    ASSERT_EQ(a.tables.size(), b.tables.size());
    for (size_t t = 0; t < a.tables.size(); ++t)
      for (size_t i = 0; i < a.tables[t].entries.size(); ++i)
        EXPECT_EQ(a.tables[t].at(i).mantissa, b.tables[t].at(i).mantissa);
  }
};

TEST_F(SlicesOnDevice, AnswerEveryRunAsTheCpuDoes) {
  for (const SlicedModel &model : kSlicedModels) {
    SCOPED_TRACE(model.name);
    const Program program = programOf(model);
    SessionOptions oneByOne, some, chosen, onCpu;
    oneByOne.device = some.device = chosen.device = "gpu";
    oneByOne.slicesAtOnce = 1;
    some.slicesAtOnce = 5; // the last pass has fewer
    onCpu.device = "cpu";
    Session cpu(program, onCpu);
    std::vector<Session> gpu;
    for (const SessionOptions &options : {oneByOne, some, some, chosen, chosen})
      gpu.emplace_back(program, options);
    for (int run = 0; run < 5 && !HasFailure(); ++run) {
      std::vector<Session *> all = {&cpu};
      for (Session &session : gpu)
        all.push_back(&session);
      bindSome(model, all, run == 0);
      const Result expected = cpu.run();
      std::vector<Result> found;
      for (size_t i = 0; i < gpu.size(); ++i) {
        SCOPED_TRACE(fmt::format("run {} of session {}", run, i));
        found.push_back(gpu[i].run());
        expectSame(model, found[i], expected);
      }
      expectSameBits(found[1], found[2]);
      expectSameBits(found[3], found[4]);
    }
  }
}

/// Verified and measured runs are led by the host, operation by operation, and give the same
/// answers.
TEST_F(SlicesOnDevice, AgreeWithRunsThatTheHostLeads) {
  for (const SlicedModel &model : kSlicedModels) {
    SCOPED_TRACE(model.name);
    if (model.variables * model.extent > 64)
      continue; // it looks at every slice
    const Program program = programOf(model);
    SessionOptions free, verified, measured;
    free.device = verified.device = measured.device = "gpu";
    verified.verifySamples = 2;
    measured.profile = true;
    Session a(program, free), b(program, verified), c(program, measured);
    bindSome(model, {&a, &b, &c}, true);
    const Result expected = a.run();
    expectSame(model, b.run(), expected);
    const Result profiled = c.run();
    expectSame(model, profiled, expected);
    EXPECT_FALSE(profiled.operations.empty());
  }
}

/// Random programs have a kernel for every operation and loops of every shape. They run on one
/// executor, and in between are led by the host.
TEST_F(SlicesOnDevice, AnswerRandomProgramsAgainAndAgain) {
  const SpecialiseOptions everything{targetNamed("sm_90"), std::numeric_limits<double>::infinity()};
  const SpecialiseOptions nothing{targetNamed("sm_90"), 0};
  for (uint64_t seed = 1; seed <= 40 && !HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937_64 random(seed);
    RandomModelOptions shape;
    shape.maxExtent = static_cast<uint32_t>(2 + seed % 3);
    const Model model = randomModel(random, shape);
    constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Joint, QueryKind::Mpe,
                                    QueryKind::Marginals, QueryKind::Optimum};
    const Query query = randomQuery(random, model, kKinds[seed % 5]);
    PipelineOptions options;
    options.plan.type = seed / 5 % 4 == 0 ? ElementType::F32 : ElementType::F64;
    options.forcedLog = seed % 7 == 3;
    options.gpu = seed % 3 == 0 ? nothing : everything;
    const Bundle bundle = Pipeline(options).compileProgram(
        model, randomlySliced(random, model, query, 1 + seed / 4 % 4));
    const double tolerance = options.plan.type == ElementType::F64 ? 1e-11 : 1e-4;
    const auto cpu = runOnCpu(bundle);
    GpuOptions running;
    running.slicesAtOnce = static_cast<uint32_t>(seed % 4); // 0: as predicted
    const auto gpu = makeGpuExecutor(bundle, running);
    bindObserved(bundle, *gpu);
    const Schedule schedule = buildSchedule(bundle, DeviceId::gpu(0));
    std::vector<std::vector<std::byte>> first;
    for (int run = 0; run < 6; ++run) {
      gpu->run(schedule.steps, {run == 3, run == 4 ? size_t{4} : 0, {}});
      for (size_t o = 0; o < bundle.outputs.size(); ++o) {
        const BufferId buffer = bundle.outputs[o].buffer;
        const TableView a = cpu->table(buffer), b = gpu->table(buffer);
        for (uint64_t i = 0; i < a.sizeElems; ++i) {
          const double x = a.log2Entry(i) + a.state.scale, y = b.log2Entry(i) + b.state.scale;
          if (std::isfinite(x) || x != y) {
            EXPECT_NEAR(x, y, tolerance) << bundle.outputs[o].name << "[" << i << "] run " << run;
          }
        }
        const std::vector<std::byte> bytes(b.entries,
                                           b.entries + b.sizeElems * elementBytes(b.type));
        if (run == 0)
          first.push_back(bytes);
        // Sums of logarithms are not the host's to the last bit.
        EXPECT_TRUE(run == 3 || run == 4 || bytes == first[o]) << "run " << run;
      }
      if (query.kind == QueryKind::Mpe) {
        EXPECT_EQ(gpu->bestSlice(), cpu->bestSlice()) << "run " << run;
      }
    }
  }
}

TEST_F(SlicesOnDevice, CountExactlyOrNotAtAll) {
  for (const char *type : {"u64", "u128"}) {
    SlicedModel model{"counts", "n = sum() {}", type};
    CompileOptions options;
    options.device = "gpu";
    options.type = type;
    options.maxMemoryBytes = model.maxKiB << 10;
    options.expectedRuns = 0;
    const Program program = compileText(textOf(model), options);
    ASSERT_FALSE(program.bundle().sliced.empty());
    SessionOptions onGpu, onCpu;
    onGpu.device = "gpu";
    onCpu.device = "cpu";
    Session gpu(program, onGpu), cpu(program, onCpu);
    onGpu.slicesAtOnce = 1;
    Session oneByOne(program, onGpu);
    // Products of ten factors: the greatest of them fit one type or none.
    for (const uint64_t most : {20u, 60u, 5000u, 10000000u, 7u, 50u}) {
      SCOPED_TRACE(fmt::format("{} below {}", type, most));
      for (uint32_t a = 0; a < model.variables; ++a)
        for (uint32_t b = a + 1; b < model.variables; ++b) {
          std::vector<double> values(size_t{model.extent} * model.extent);
          std::ranges::generate(values, [&] { return static_cast<double>(random_() % most); });
          for (Session *session : {&gpu, &oneByOne, &cpu})
            session->bind(nameOf(model, a, b), values);
        }
      std::string refused;
      std::optional<Result> expected;
      try {
        expected = cpu.run();
      } catch (const Error &error) {
        EXPECT_EQ(error.kind(), ErrorKind::Overflow);
        refused = error.what();
      }
      for (Session *session : {&gpu, &oneByOne}) {
        if (!expected) {
          EXPECT_EQ(errorKindOf([&] { session->run(); }), ErrorKind::Overflow) << refused;
          continue;
        }
        const Result found = session->run();
        ASSERT_EQ(found.tables.size(), 1u);
        EXPECT_EQ(found.tables[0].at(0).mantissa, expected->tables[0].at(0).mantissa);
        EXPECT_EQ(found.tables[0].at(0).log2(), expected->tables[0].at(0).log2());
      }
    }
  }
}

/// A started run proceeds by itself: several sessions run at once, and the host goes on.
TEST_F(SlicesOnDevice, AreStartedSideBySide) {
  const SlicedModel &model = kSlicedModels[2];
  const Program program = programOf(model);
  SessionOptions onGpu, onCpu;
  onGpu.device = "gpu";
  onCpu.device = "cpu";
  Session a(program, onGpu), b(program, onGpu), cpu(program, onCpu);
  bindSome(model, {&a, &b, &cpu}, true);
  for (int run = 0; run < 4; ++run) {
    a.start();
    b.start();
    const Result expected = cpu.run();
    expectSame(model, a.finish(), expected);
    expectSame(model, b.finish(), expected);
    bindSome(model, {&a, &b, &cpu}, false);
  }
}

TEST_F(SlicesOnDevice, RunFromDeviceMemory) {
  for (const SlicedModel &model : kSlicedModels) {
    if (std::string_view(model.query) == "best")
      continue; // the host decodes it
    SCOPED_TRACE(model.name);
    const Program program = programOf(model);
    SessionOptions onGpu, onCpu;
    onGpu.device = "gpu";
    onCpu.device = "cpu";
    onGpu.slicesAtOnce = model.spreadLog10 > 100 ? 5 : 0;
    Session gpu(program, onGpu), cpu(program, onCpu);
    bindSome(model, {&gpu, &cpu}, true);
    const DeviceRunLayout layout = gpu.deviceLayout({"f01", "f23"});
    std::vector<Arrays> arrays(4);
    std::vector<Result> expected;
    for (Arrays &run : arrays) {
      const std::vector<std::vector<double>> values = {valuesOf(model), valuesOf(model)};
      cpu.bind("f01", values[0]);
      cpu.bind("f23", values[1]);
      start(gpu, layout, values, run);
      expected.push_back(cpu.run());
    }
    host_->wait();
    for (size_t run = 0; run < arrays.size(); ++run)
      expectAnswer(layout, arrays[run], expected[run], model.isSigned);
  }
}

} // namespace
} // namespace mpf::oracle
