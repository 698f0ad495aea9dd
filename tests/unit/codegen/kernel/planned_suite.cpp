#include "tests/unit/codegen/kernel/planned_suite.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "dsl/support/error.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"
#include "tests/unit/codegen/kernel/random_bucket.h"

#include <algorithm>
#include <fmt/core.h>
#include <optional>

namespace mpf::test {

namespace {

std::string labelOf(const std::string &name, const KernelPlan &plan) {
  return fmt::format("{} {} {} {} {}", name, elementTypeName(plan.header().type),
                     plan.header().valueForm == ValueForm::Log ? "log" : "linear",
                     semiringName(plan.operation().semiring), plan.family());
}

/// Adds a kernel; a family that cannot serve a shape throws, and then there is none.
void addKernel(std::vector<SuiteKernel> &kernels, const std::string &name,
               const TableProgram &program, const KernelOptions &options) {
  try {
    const KernelPlan plan = buildKernel(program, OpId(0), options);
    kernels.push_back({labelOf(name, plan), plan});
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::Usage)
      throw;
  }
}

void dropRepetitions(std::vector<SuiteKernel> &kernels) {
  const auto nameOf = [](const SuiteKernel &kernel) { return kernel.plan.header().name; };
  std::ranges::stable_sort(kernels, {}, nameOf);
  const auto rest = std::ranges::unique(kernels, {}, nameOf);
  kernels.erase(rest.begin(), rest.end());
}

} // namespace

std::vector<SuiteShape> smallShapes() {
  return {
      {"pair", "xyk", {64, 64, 32}, {"xk", "yk"}, "xy"},
      {"pair_odd", "xyk", {37, 29, 23}, {"xk", "yk"}, "xy"},
      {"pair_permuted", "kxy", {32, 64, 64}, {"kx", "ky"}, "xy"},
      {"pair_batched", "bxyk", {4, 32, 32, 16}, {"bxk", "byk"}, "bxy"},
      {"triangle", "xyzk", {16, 16, 16, 16}, {"xyk", "yzk", "xzk"}, "xyz"},
      {"triangle_odd", "xyzk", {13, 11, 7, 9}, {"xyk", "yzk", "xzk"}, "xyz"},
      {"star", "wxyzk", {8, 8, 8, 8, 8}, {"wk", "xk", "yk", "zk"}, "wxyz"},
      {"stream_last", "xk", {4096, 2}, {"xk"}, "x"},
      {"stream_middle", "xky", {64, 3, 50}, {"xky"}, "xy"},
      {"small_factor", "xyk", {128, 16, 4}, {"xyk", "yk"}, "xy"},
      {"to_scalar", "k", {200}, {"k"}, ""},
      {"outer_product", "xy", {33, 20}, {"x", "y"}, "xy"},
      {"mask", "x", {2000}, {"!x", "x"}, "x"},
      {"allowed", "xk", {300, 64}, {"!xk", "k"}, "x"},
      {"allowed_turned", "kx", {40, 320}, {"!kx", "k"}, "x"},
      {"relation", "xyk", {32, 36, 64}, {"!xyk", "xk", "yk"}, "xy"},
      {"two_relations", "xyk", {17, 64, 33}, {"!yxk", "!xk", "yk"}, "xy"},
      {"eight", "xyk", {6, 5, 4}, {"x", "y", "k", "xy", "xk", "yk", "xyk", "k"}, "xy"},
  };
}

std::vector<SuiteShape> fullShapes() {
  return {
      {"pair", "xyk", {4096, 4096, 64}, {"xk", "yk"}, "xy"},
      {"pair_deep", "xyk", {4096, 4096, 512}, {"xk", "yk"}, "xy"},
      {"pair_permuted", "kxy", {64, 4096, 4096}, {"kx", "ky"}, "xy"},
      {"pair_batched", "bxyk", {256, 256, 256, 64}, {"bxk", "byk"}, "bxy"},
      {"triangle", "xyzk", {256, 256, 256, 64}, {"xyk", "yzk", "xzk"}, "xyz"},
      {"star", "abcdk", {64, 64, 64, 64, 32}, {"ak", "bk", "ck", "dk"}, "abcd"},
      {"stream_last", "xk", {1u << 29, 2}, {"xk"}, "x"},
      {"stream_middle", "xky", {1u << 19, 2, 1024}, {"xky"}, "xy"},
      {"small_factor", "xky", {1u << 21, 2, 256}, {"xky", "ky"}, "xy"},
      {"allowed", "xk", {1u << 20, 256}, {"!xk", "k"}, "x"},
      {"support", "xky", {1024, 256, 1024}, {"!xky", "ky"}, "xy"},
      {"relation", "xyk", {1024, 1024, 256}, {"!xyk", "xk", "yk"}, "xy"},
  };
}

std::vector<SuiteKernel> kernelsOf(const SuiteShape &shape, const SuiteOptions &suite) {
  std::vector<std::optional<std::string>> families;
  if (suite.families)
    for (const std::string_view family : familyNames())
      families.emplace_back(family);
  else
    families.emplace_back();
  std::vector<SuiteKernel> kernels;
  KernelOptions options;
  options.target = suite.target;
  options.stages = suite.stages;
  for (const std::optional<std::string> &family : families)
    for (const ElementType type : suite.types) {
      options.family = family;
      options.type = type;
      const auto add = [&](ValueForm form, Reduce reduce) {
        options.valueForm = form;
        if (form == ValueForm::Log && isIntegerType(type))
          return;
        addKernel(kernels, shape.name,
                  bucket(shape.order, shape.extents, shape.operands, shape.kept,
                         {reduce, Combine::Times}),
                  options);
      };
      add(ValueForm::Linear, Reduce::Sum);
      add(ValueForm::Log, Reduce::Sum);
      if (suite.maxima)
        add(ValueForm::Linear, Reduce::Max);
      if (suite.logMaxima)
        add(ValueForm::Log, Reduce::Max);
    }
  dropRepetitions(kernels);
  return kernels;
}

std::vector<SuiteKernel> tagKernels(const Target &target) {
  std::vector<SuiteKernel> kernels;
  KernelOptions options;
  options.target = target;
  for (const uint32_t digits : {1u, 2u}) {
    options.tagDigits = digits;
    for (const uint64_t pages : {1u, 3u}) {
      options.pagesPerBlock = pages;
      const std::string name = fmt::format("tag of {} digits, {} pages:", digits, pages);
      addKernel(kernels, name + " pair", bucket("xyk", {12, 10, 6}, {"xk", "yk"}, "xy"), options);
      addKernel(kernels, name + " triangle",
                bucket("xyzk", {4, 5, 6, 3}, {"xyk", "yzk", "xzk"}, "xyz"), options);
      addKernel(kernels, name + " figure 2 of ICS'08",
                bucket("xzwy", {2, 3, 2, 2}, {"xzy", "xw", "wy"}, "xz"), options);
    }
  }
  dropRepetitions(kernels);
  return kernels;
}

std::vector<SuiteKernel> randomKernels(uint64_t seed, size_t count, const Target &target) {
  std::mt19937 random(static_cast<uint32_t>(seed));
  std::vector<SuiteKernel> kernels;
  for (size_t i = 0; i < count; ++i) {
    const bool wide = random() % 2 == 0;
    const TableProgram program = wide ? randomBucket(random, {24, uint64_t{1} << 36, 8})
                                      : randomBucket(random, {6, uint64_t{1} << 20, 4});
    KernelOptions options;
    options.target = target;
    options.type = random() % 2 == 0 ? ElementType::F32 : ElementType::F64;
    options.valueForm = random() % 3 == 0 ? ValueForm::Log : ValueForm::Linear;
    if (const auto dice = random() % 4; dice < 2)
      options.family = dice == 0 ? "stream" : "tile";
    if (options.family == "tile" && random() % 2 == 0)
      options.stages = static_cast<uint32_t>(2 + random() % 3);
    addKernel(kernels, fmt::format("random {}/{}{}", seed, i, wide ? " wide" : ""), program,
              options);
  }
  dropRepetitions(kernels);
  return kernels;
}

} // namespace mpf::test
