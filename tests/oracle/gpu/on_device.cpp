#include "tests/oracle/gpu/on_device.h"

#include "codegen/pipeline/pipeline.h"
#include "codegen/plan/build_program.h"
#include "codegen/specialise/device_costs.h"
#include "codegen/specialise/specialise_options.h"
#include "runtime/execute/gpu/runs/gpu_executor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <string>

namespace mpf::oracle {

void OnDevice::SetUp() {
  if (const std::string reason = gpuUnavailableReason(); !reason.empty())
    GTEST_SKIP() << reason;
  device_.emplace();
  host_.emplace(*device_);
}

void OnDevice::start(Session &session, const DeviceRunLayout &layout,
                     const std::vector<std::vector<double>> &values, Arrays &arrays) {
  const size_t elemBytes = layout.isDouble ? sizeof(double) : sizeof(float);
  DeviceRun run;
  for (const std::vector<double> &table : values) {
    std::vector<std::byte> &bytes = arrays.given.emplace_back(table.size() * elemBytes);
    for (size_t i = 0; i < table.size(); ++i) {
      const auto narrow = static_cast<float>(table[i]);
      std::memcpy(bytes.data() + i * elemBytes,
                  layout.isDouble ? static_cast<const void *>(&table[i]) : &narrow, elemBytes);
    }
    arrays.values.emplace_back(*device_, bytes.size());
    host_->upload(arrays.values.back(), bytes.data());
    run.values.push_back(arrays.values.back().address());
  }
  arrays.results = DeviceMemory(*device_, layout.resultElems * elemBytes);
  arrays.exponents = DeviceMemory(*device_, layout.tables.size() * sizeof(int32_t));
  arrays.resultBytes.resize(arrays.results.sizeBytes());
  arrays.exponentsRead.resize(layout.tables.size());
  run.results = arrays.results.address();
  run.exponents = arrays.exponents.address();
  session.runOnDevice(run, host_->stream());
  host_->download(arrays.resultBytes.data(), arrays.results);
  host_->download(arrays.exponentsRead.data(), arrays.exponents);
}

double OnDevice::resultOf(const DeviceRunLayout &layout, const Arrays &arrays, uint64_t i) {
  if (layout.isDouble)
    return reinterpret_cast<const double *>(arrays.resultBytes.data())[i];
  return static_cast<double>(reinterpret_cast<const float *>(arrays.resultBytes.data())[i]);
}

void OnDevice::expectAnswer(const DeviceRunLayout &layout, const Arrays &arrays,
                            const Result &expected, bool cancels) {
  const double tolerance = layout.isDouble ? 1e-10 : 2e-4;
  ASSERT_EQ(layout.tables.size(), expected.tables.size());
  for (size_t t = 0; t < layout.tables.size(); ++t) {
    const ResultTable &table = expected.tables[t];
    ASSERT_EQ(layout.tables[t].name, table.name);
    ASSERT_EQ(layout.tables[t].variables, table.variables);
    EXPECT_EQ(layout.tables[t].isPosterior, table.normalised);
    EXPECT_EQ(layout.tables[t].isLogarithm, table.logValues);
    const auto resultAt = [&](uint64_t i) {
      return resultOf(layout, arrays, layout.tables[t].firstElem + i);
    };
    if (table.entries.empty()) { // evidence of probability zero
      for (uint64_t i = 0; i < layout.tables[t].sizeElems; ++i)
        EXPECT_TRUE(std::isnan(resultAt(i)));
      continue;
    }
    ASSERT_EQ(layout.tables[t].sizeElems, table.entries.size());
    double greatest = -std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < table.entries.size(); ++i)
      greatest = std::max(greatest, table.at(i).log2());
    for (size_t i = 0; i < table.entries.size(); ++i) {
      const ScaledNumber exact = table.at(i);
      const ScaledNumber found = ScaledNumber::fromValue(resultAt(i), arrays.exponentsRead[t]);
      const std::string where = fmt::format("{}[{}]", table.name, i);
      if (std::isinf(exact.mantissa)) {
        EXPECT_EQ(found.mantissa, exact.mantissa) << where;
        continue;
      }
      const double share = exact.sign() * std::exp2(exact.log2() - greatest);
      const double foundShare = found.sign() * std::exp2(found.log2() - greatest);
      if (exact.sign() == 0) {
        EXPECT_TRUE(cancels || found.sign() == 0) << where;
        continue;
      }
      EXPECT_NEAR(foundShare, share, tolerance) << where;
      if (!cancels && exact.log2() > greatest - (layout.isDouble ? 1000 : 120)) {
        EXPECT_NEAR(found.log2(), exact.log2(), 4 * tolerance) << where;
      }
    }
  }
}

Program OnDevice::withKernels(const Model &model, const CompileOptions &options) {
  const SpecialiseOptions everything{targetNamed("sm_90"), std::numeric_limits<double>::infinity()};
  PipelineOptions pipeline;
  pipeline.plan.type = options.type == "f32" ? ElementType::F32 : ElementType::F64;
  pipeline.forcedLog = options.forcedLog;
  pipeline.gpu = everything;
  const auto times = makeDeviceCosts(everything, pipeline.plan.type, options.forcedLog);
  PlanOptions plan = pipeline.plan;
  plan.deviceCosts = times.get();
  Diagnostics diagnostics;
  return Program(std::make_shared<const Bundle>(Pipeline(pipeline).compileProgram(
      model, buildProgram(model, model.queries.front(), plan, diagnostics))));
}

} // namespace mpf::oracle
