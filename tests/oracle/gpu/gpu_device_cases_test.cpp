// Compares cases of host programs on a GPU with brute force. They are in arrays of device memory,
// on the host program's stream (CaseSession::runOnDevice), and with params that cases set.
#include "runtime/api/cases.h"
#include "runtime/library/jit_model.h"
#include "tests/oracle/gpu/on_device.h"
#include "tests/oracle/lane_trials.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numeric>

namespace mpf::oracle {
namespace {

constexpr int kLadderVariables = 8, kLadderExtent = 3;

/// A ladder whose first table follows from a param.
std::string ladderText(double t) {
  std::string text = fmt::format("param t = {}\nvar ", t);
  for (int i = 0; i < kLadderVariables; ++i)
    text += fmt::format("{}x{}", i == 0 ? "" : ", ", i);
  text += fmt::format(" : {}\nfactor g(x0) = [1, t, t * t]", kLadderExtent);
  for (int i = 0; i + 2 < kLadderVariables; ++i) {
    text += fmt::format("\nfactor f{0}(x{2}, x{0}, x{1}) = [", i, i + 1, i + 2);
    for (int e = 0; e < kLadderExtent * kLadderExtent * kLadderExtent; ++e)
      text +=
          fmt::format("{}{}", e == 0 ? "" : ", ", (e + i) % 8 == 0 ? 0.0 : 0.25 + (e * 7 + i) % 11);
    text += "]";
  }
  return text + "\nquery evidence\nquery marginals\nquery best\nquery P(x2, x5)\n";
}

struct DeviceList {
  const char *name;
  const char *query;
  const char *type;
  bool hasWeights; ///< a likelihood, and a table whose entries cases give
};

CaseOptions columnsOf(const DeviceList &list) {
  CaseOptions options;
  for (const int v : {0, 1, 3, 4, 6, 7})
    options.observable.push_back(fmt::format("x{}", v));
  if (list.hasWeights) {
    options.likelihoods = {"x2"};
    options.tables = {"f1"};
  }
  return options;
}

/// Fills a block: a third of the cells is not observed; no weight is 0.
void fill(std::mt19937_64 &random, CaseBlock &block) {
  block.count = block.pitch();
  for (size_t c = 0; c < block.columns(); ++c)
    for (uint32_t i = 0; i < block.count; ++i)
      block.setCode(c, i, static_cast<uint32_t>(random() % (kLadderExtent + 1)));
  for (double &weight : block.weights())
    weight = static_cast<double>(1 + random() % 8) / 8;
}

/// The device arrays of a block, and of its answers.
class DeviceArrays {
public:
  DeviceArrays(const CudaDevice &device, const DeviceCaseLayout &layout, const CaseBlock &block)
      : layout_(layout), count_(block.count), pitch_(block.count + 5),
        elemBytes_(layout.isDouble ? sizeof(double) : sizeof(float)),
        words_(layout.wordRows * pitch_), weights_(layout.weightRows * pitch_ * elemBytes_),
        deviceWords_(device, bytesOrOne(words_.size() * sizeof(uint32_t))),
        deviceWeights_(device, bytesOrOne(weights_.size())),
        deviceResults_(device, layout.resultRows * pitch_ * elemBytes_),
        deviceExponents_(device, bytesOrOne(layout.exponentRows * pitch_ * sizeof(int32_t))),
        deviceStates_(device, bytesOrOne(layout.stateRows * pitch_ * sizeof(uint32_t))) {
    for (size_t c = 0; c < layout.codes.size(); ++c)
      for (uint32_t i = 0; i < count_; ++i)
        words_[layout.codes[c].word * pitch_ + i] |= block.code(c, i) << layout.codes[c].shift;
    for (uint64_t row = 0; row < layout.weightRows; ++row)
      for (uint32_t i = 0; i < count_; ++i) {
        const double weight = block.weights()[row * block.pitch() + i];
        if (layout.isDouble)
          reinterpret_cast<double *>(weights_.data())[row * pitch_ + i] = weight;
        else
          reinterpret_cast<float *>(weights_.data())[row * pitch_ + i] = static_cast<float>(weight);
      }
    words_.resize(deviceWords_.sizeBytes() / sizeof(uint32_t) + 1);
    weights_.resize(std::max<size_t>(weights_.size(), 1));
    results_.resize(deviceResults_.sizeBytes());
    exponents_.resize(deviceExponents_.sizeBytes() / sizeof(int32_t) + 1);
    states_.resize(deviceStates_.sizeBytes() / sizeof(uint32_t) + 1);
  }

  /// Uploads, runs and reads back on the host program's stream; nothing waits.
  void start(CaseSession &session, const HostProgram &host) {
    host.upload(deviceWords_, words_.data());
    host.upload(deviceWeights_, weights_.data());
    session.runOnDevice({count_, pitch_, deviceWords_.address(), deviceWeights_.address(),
                         deviceResults_.address(), deviceExponents_.address(),
                         deviceStates_.address()},
                        host.stream());
    host.download(results_.data(), deviceResults_);
    host.download(exponents_.data(), deviceExponents_);
    host.download(states_.data(), deviceStates_);
  }

  /// Returns the answers in the form of a session on the host.
  CaseAnswers answers() const {
    CaseAnswers found;
    found.count = count_;
    for (const DeviceCaseLayout::Table &table : layout_.tables) {
      CaseTable &own = found.tables.emplace_back();
      own.name = table.name;
      own.size = table.rows;
      own.normalised = table.isPosterior;
      for (uint32_t i = 0; i < count_; ++i) {
        const size_t first = own.entries.size();
        for (uint64_t row = 0; row < table.rows; ++row)
          own.entries.push_back(resultAt(table.firstRow + row, i));
        const double sum = std::accumulate(own.entries.begin() + static_cast<ptrdiff_t>(first),
                                           own.entries.end(), 0.0);
        if (table.isPosterior && sum != 0)
          for (size_t e = first; e < own.entries.size(); ++e)
            own.entries[e] /= sum;
        const int32_t exponent =
            table.exponentRow ? exponents_[*table.exponentRow * pitch_ + i] : 0;
        own.exponents.push_back(
            table.isPosterior ? 0 : static_cast<int32_t>(table.exponent) + exponent);
      }
    }
    found.variables = layout_.stateRows;
    for (uint32_t i = 0; i < count_; ++i)
      for (uint64_t v = 0; v < layout_.stateRows; ++v)
        found.states.push_back(resultAt(0, i) == 0 ? CaseAnswers::kNoState
                                                   : states_[v * pitch_ + i]);
    return found;
  }

  bool isLeft(uint32_t i) const { return std::isnan(resultAt(0, i)); }
  const std::vector<std::byte> &resultBytes() const { return results_; }

private:
  static uint64_t bytesOrOne(uint64_t bytes) { return std::max<uint64_t>(bytes, 1); }

  double resultAt(uint64_t row, uint32_t i) const {
    const size_t at = row * pitch_ + i;
    return layout_.isDouble
               ? reinterpret_cast<const double *>(results_.data())[at]
               : static_cast<double>(reinterpret_cast<const float *>(results_.data())[at]);
  }

  const DeviceCaseLayout layout_;
  const uint32_t count_, pitch_;
  const size_t elemBytes_;
  std::vector<uint32_t> words_;
  std::vector<std::byte> weights_;
  DeviceMemory deviceWords_, deviceWeights_, deviceResults_, deviceExponents_, deviceStates_;
  std::vector<std::byte> results_;
  std::vector<int32_t> exponents_;
  std::vector<uint32_t> states_;
};

class GpuDeviceCases : public OnDevice, public testing::WithParamInterface<DeviceList> {};

TEST_P(GpuDeviceCases, HaveTheAnswersOfTheDefinition) {
  const DeviceList &list = GetParam();
  const std::string text = ladderText(0.5);
  CompileOptions options;
  options.query = list.query;
  options.type = list.type;
  const CaseProgram program = compileCasesText(text, columnsOf(list), options);
  SessionOptions gpu;
  gpu.device = "gpu";
  CaseSession session(program, gpu);
  const DeviceCaseLayout layout = session.deviceLayout();
  ASSERT_EQ(layout.isDouble, list.type == std::string("f64"));
  const Model model = modelFor(Network::parse(text), {.query = list.query});
  const Query &query = onlyQuery(model);
  LaneJudge judge(layout.isDouble ? 1e-12 : 1e-5, layout.isDouble ? 1e-300L : 0x1p-100L);
  // Blocks run one after the other on the stream: a block of one case, whole warps and a part of
  // one.
  std::vector<CaseBlock> blocks;
  std::vector<DeviceArrays> arrays;
  for (const uint32_t cases : {300U, 1U, 129U}) {
    fill(random_, blocks.emplace_back(program.schema(), cases));
    arrays.emplace_back(*device_, layout, blocks.back());
  }
  for (DeviceArrays &array : arrays)
    array.start(session, *host_);
  DeviceArrays again(*device_, layout, blocks.front());
  again.start(session, *host_);
  host_->wait();
  EXPECT_EQ(again.resultBytes(), arrays.front().resultBytes()) << "not the same bits";
  for (size_t b = 0; b < blocks.size() && !HasFatalFailure(); ++b) {
    SCOPED_TRACE(fmt::format("block {}", b));
    for (uint32_t i = 0; i < blocks[b].count; ++i)
      ASSERT_FALSE(arrays[b].isLeft(i)) << i;
    judge.compare(model, query, program.schema(), blocks[b], arrays[b].answers());
  }
  if (!list.hasWeights) { // with likelihoods, which are above zero, every case is possible
    EXPECT_GT(judge.impossible(), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuDeviceCases,
                         testing::Values(DeviceList{"evidence", "evidence", "f64", false},
                                         DeviceList{"evidence32", "evidence", "f32", false},
                                         DeviceList{"weights", "evidence", "f64", true},
                                         DeviceList{"weights32", "evidence", "f32", true},
                                         DeviceList{"marginals", "marginals", "f64", false},
                                         DeviceList{"marginals32", "marginals", "f32", true},
                                         DeviceList{"best", "best", "f64", true},
                                         DeviceList{"best32", "best", "f32", false},
                                         DeviceList{"joint", "P(x2, x5)", "f64", false}),
                         [](const auto &list) { return std::string(list.param.name); });

// --- Params that cases set
// ------------------------------------------------------------------------

struct ParamList {
  const char *name;
  const char *device;
  const char *type;
};

class CasesOfParams : public testing::TestWithParam<ParamList> {};

CaseAnswers answersOf(const CaseAnswers &all, uint32_t i) {
  CaseAnswers one;
  one.count = 1;
  for (CaseTable table : all.tables) {
    const auto first = table.entries.begin() + static_cast<ptrdiff_t>(i * table.size);
    table.entries = {first, first + static_cast<ptrdiff_t>(table.size)};
    table.exponents = {table.exponents[i]};
    one.tables.push_back(std::move(table));
  }
  one.variables = all.variables;
  const auto first = all.states.begin() + static_cast<ptrdiff_t>(i * all.variables);
  one.states = {first, first + static_cast<ptrdiff_t>(all.variables)};
  return one;
}

TEST_P(CasesOfParams, HaveTheAnswersOfTheirModels) {
  const bool isDouble = GetParam().type == std::string("f64");
  SessionOptions onDevice;
  onDevice.device = GetParam().device;
  for (const char *name : {"evidence", "marginals", "best", "P(x2, x5)"}) {
    SCOPED_TRACE(name);
    CompileOptions options;
    options.query = name;
    options.type = GetParam().type;
    options.device = GetParam().device;
    CaseOptions columns;
    columns.observable = {"x0", "x3", "x7"};
    columns.params = {"t"};
    LaneJudge judge(isDouble ? 1e-12 : 1e-5, isDouble ? 1e-300L : 0x1p-100L);
    try {
      const CaseProgram program = compileCasesText(ladderText(0.5), columns, options);
      CaseSession session(program, onDevice);
      std::mt19937_64 random(5);
      CaseBlock block(program.schema(), 65);
      fill(random, block);
      for (uint32_t i = 0; i < block.count; ++i) // 0 is a value too
        program.setParam(block, i, "t", i * 0.125);
      CaseAnswers answers;
      session.run(block, answers);
      for (uint32_t i = 0; i < block.count; ++i) {
        const Model model = modelFor(Network::parse(ladderText(i * 0.125)), {.query = name});
        CaseBlock one(program.schema(), 1);
        one.count = 1;
        for (size_t c = 0; c < block.columns(); ++c)
          one.setCode(c, 0, block.code(c, i));
        judge.compare(model, onlyQuery(model), program.schema(), one, answersOf(answers, i));
      }
    } catch (const Error &error) {
      ASSERT_EQ(error.kind(), ErrorKind::Device) << error.what();
      GTEST_SKIP() << error.what();
    }
    EXPECT_EQ(judge.compared(), 65u);
    EXPECT_GT(judge.impossible(), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(All, CasesOfParams,
                         testing::Values(ParamList{"cpu", "cpu", "f64"},
                                         ParamList{"cpu32", "cpu", "f32"},
                                         ParamList{"gpu", "gpu", "f64"},
                                         ParamList{"gpu32", "gpu", "f32"}),
                         [](const auto &list) { return std::string(list.param.name); });

} // namespace
} // namespace mpf::oracle
