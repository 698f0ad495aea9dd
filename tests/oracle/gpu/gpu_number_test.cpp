// The second GPU of a machine gives the bits of the first. Skipped on machines with less than two.
#include "codegen/pipeline/pipeline.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "tests/oracle/gpu/run_on_gpu.h"
#include "tests/oracle/models/random_models.h"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>

namespace mpf::oracle {
namespace {

/// Runs the bundle on a GPU, twice, and returns the bytes of its outputs.
std::vector<std::vector<std::byte>> bytesOn(int ordinal, const Bundle &bundle) {
  GpuOptions options;
  options.ordinal = ordinal;
  const std::unique_ptr<Executor> executor = runOnGpu(bundle, 0, false, options, 2);
  std::vector<std::vector<std::byte>> outputs;
  for (const BundleOutput &output : bundle.outputs) {
    const TableView table = executor->table(output.buffer);
    std::vector<std::byte> &bytes = outputs.emplace_back(sizeof(TableState));
    std::memcpy(bytes.data(), &table.state, sizeof(TableState));
    for (uint64_t i = 0; i < table.sizeElems; ++i) {
      const double entry = table.log2Entry(i);
      const auto *const first = reinterpret_cast<const std::byte *>(&entry);
      bytes.insert(bytes.end(), first, first + sizeof entry);
    }
  }
  return outputs;
}

class GpuNumbers : public testing::TestWithParam<ElementType> {};

TEST_P(GpuNumbers, TheSecondGpuGivesTheBitsOfTheFirst) {
  if (const std::string reason = CudaDevice::lack(1).reason; !reason.empty())
    GTEST_SKIP() << reason;
  if (CudaDevice::identityOf(0) != CudaDevice::identityOf(1))
    GTEST_SKIP() << "the GPUs differ";
  const CudaDevice second(1); // keeps its context between runs
  std::mt19937_64 random(31);
  PipelineOptions options;
  options.plan.type = GetParam();
  for (int i = 0; i < 12 && !HasFailure(); ++i) {
    const double runs = i % 2 == 0 ? std::numeric_limits<double>::infinity() : 0;
    options.gpu = SpecialiseOptions{targetNamed(CudaDevice::archOf(0)), runs};
    const Model model = randomModel(random, {});
    const Query query = randomQuery(random, model, QueryKind::Evidence);
    Diagnostics diagnostics;
    const Bundle bundle = Pipeline(options).compile(model, query, diagnostics);
    EXPECT_EQ(bytesOn(1, bundle), bytesOn(0, bundle)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Types, GpuNumbers, testing::Values(ElementType::F32, ElementType::F64));

} // namespace
} // namespace mpf::oracle
