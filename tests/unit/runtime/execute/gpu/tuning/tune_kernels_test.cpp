// Choosing a bundle's kernels by measuring, on a device that is a script.
#include "runtime/execute/gpu/tuning/tune_kernels.h"
#include "runtime/execute/gpu/tuning/tuning_pattern.h"

#include "dsl/support/error.h"
#include "tests/unit/temporary_folder.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>

using namespace mpf;

namespace {

/// A device with given times and results by kernel name; it counts its calls.
struct Script {
  std::map<std::string, double> timesUs;
  std::string wrong; ///< the kernel whose result differs
  std::vector<std::string> compiled;
  size_t opened = 0, runs = 0;
};

class ScriptedRunner final : public CandidateRunner {
public:
  ScriptedRunner(Script &script, std::span<const BundleKernel *const> candidates)
      : script_(script), candidates_(candidates.begin(), candidates.end()) {}
  std::string findDifference(size_t index) override {
    return candidates_[index]->name == script_.wrong ? "entry 3 is 1 instead of 2" : "";
  }
  double runUs(size_t index) override {
    ++script_.runs;
    return script_.timesUs.at(candidates_[index]->name);
  }

private:
  Script &script_;
  std::vector<const BundleKernel *> candidates_;
};

class ScriptedDevice final : public TuningDevice {
public:
  explicit ScriptedDevice(Script &script) : script_(script) {}
  void compile(std::span<const BundleKernel *const> kernels) override {
    for (const BundleKernel *kernel : kernels)
      script_.compiled.push_back(kernel->name);
  }
  std::unique_ptr<CandidateRunner> open(uint32_t,
                                        std::span<const BundleKernel *const> candidates) override {
    return std::make_unique<ScriptedRunner>(script_, candidates);
  }

private:
  Script &script_;
};

BundleKernel kernelNamed(const std::string &name) {
  return {name, "plan of " + name, "source of " + name, 1, 32, 0, {}, {}};
}

class TuneKernelsTest : public testing::Test {
protected:
  TuneKernelsTest() {
    for (const char *name : {"a", "table_driven", "b"})
      bundle.kernels.push_back(kernelNamed(name));
    bundle.tableDriven = 1;
    candidates = {{0, {kernelNamed("a1"), kernelNamed("a2")}}, {2, {kernelNamed("b1")}}};
    script.timesUs = {{"a", 10}, {"a1", 11}, {"a2", 8}, {"b", 5}, {"b1", 6}};
  }

  TuningReport tune(Bundle &tuned, std::span<const TuningCandidates> against,
                    const std::string &driver = "13000") {
    TunedKernels choices({"a device, driver " + driver, "sm_90", "13.0"}, folder.path());
    return tuneKernels(tuned, against, choices, [&](const Bundle &) {
      ++script.opened;
      return std::make_unique<ScriptedDevice>(script);
    });
  }

  TemporaryFolder folder;
  Bundle bundle;
  std::vector<TuningCandidates> candidates;
  Script script;
};

} // namespace

TEST_F(TuneKernelsTest, TheFastestIsTakenAndSaysSo) {
  const TuningReport report = tune(bundle, candidates);
  EXPECT_EQ(report.measured, 2u);
  EXPECT_EQ(report.candidates, 5u);
  EXPECT_EQ(report.taken, 0u);
  EXPECT_EQ(report.faster, 1u);
  EXPECT_EQ(report.note, "");
  EXPECT_EQ(script.opened, 1u);
  EXPECT_EQ(script.compiled, (std::vector<std::string>{"a", "a1", "a2", "b", "b1"}));
  EXPECT_EQ(bundle.kernels[0].name, "a2");
  EXPECT_EQ(bundle.kernels[1].name, "table_driven");
  EXPECT_EQ(bundle.kernels[2].name, "b");
  ASSERT_TRUE(bundle.kernels[0].tuning && bundle.kernels[2].tuning);
  EXPECT_FALSE(bundle.kernels[1].tuning);
  EXPECT_EQ(bundle.kernels[0].tuning->timeUs, 8);
  EXPECT_EQ(bundle.kernels[0].tuning->modelUs, 10);
  EXPECT_EQ(bundle.kernels[0].tuning->candidates, 3u);
}

TEST_F(TuneKernelsTest, TheNextRunMeasuresNothing) {
  Bundle first = bundle, second = bundle, plain = bundle;
  tune(first, candidates);
  script = {}; // any further run would not know its time
  const TuningReport report = tune(second, candidates);
  EXPECT_EQ(report.measured, 0u);
  EXPECT_EQ(report.taken, 2u);
  EXPECT_EQ(report.faster, 1u);
  EXPECT_EQ(tune(plain, {}).taken, 2u) << "without --autotune as well";
  EXPECT_EQ(script.opened, 0u);
  for (const Bundle *tuned : {&second, &plain})
    for (size_t i = 0; i < bundle.kernels.size(); ++i) {
      EXPECT_EQ(tuned->kernels[i].source, first.kernels[i].source);
      EXPECT_EQ(tuned->kernels[i].tuning.has_value(), i != 1);
    }
}

TEST_F(TuneKernelsTest, ACandidateThatIsNewIsMeasuredWithAllOthers) {
  Bundle first = bundle;
  tune(first, candidates);
  candidates[1].candidates.push_back(kernelNamed("b2"));
  script.timesUs["b2"] = 2;
  Bundle second = bundle;
  const TuningReport report = tune(second, candidates);
  EXPECT_EQ(report.measured, 1u);
  EXPECT_EQ(report.taken, 1u);
  EXPECT_EQ(second.kernels[0].name, "a2");
  EXPECT_EQ(second.kernels[2].name, "b2");
}

TEST_F(TuneKernelsTest, AnotherDriverMeasuresAnew) {
  Bundle first = bundle, second = bundle;
  tune(first, candidates);
  EXPECT_EQ(tune(second, candidates, "13010").measured, 2u);
}

TEST_F(TuneKernelsTest, WithoutCandidatesNothingIsOpened) {
  const TuningReport report = tune(bundle, {});
  EXPECT_EQ(report.measured + report.taken, 0u);
  EXPECT_EQ(script.opened, 0u);
  EXPECT_FALSE(bundle.kernels[0].tuning);
}

TEST_F(TuneKernelsTest, AWrongCandidateIsAnError) {
  script.wrong = "a1";
  try {
    tune(bundle, candidates);
    FAIL() << "a kernel that is wrong was passed over";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::Verification);
    EXPECT_NE(std::string(error.what()).find("kernel a1 does not do what a does: entry 3"),
              std::string::npos);
  }
  EXPECT_EQ(bundle.kernels[0].name, "a");
  EXPECT_FALSE(TunedKernels::any(folder.path())) << "nothing is remembered";
}

TEST_F(TuneKernelsTest, MachineCodeThatIsThereStays) {
  bundle.kernels[0].cubins.push_back({"sm_90", "image"});
  tune(bundle, candidates);
  EXPECT_EQ(bundle.kernels[0].name, "a");
  EXPECT_FALSE(bundle.kernels[0].cubins.empty());
}

TEST_F(TuneKernelsTest, ADamagedChoiceIsMeasuredAnewWithANote) {
  Bundle first = bundle;
  tune(first, {&candidates[0], 1});
  for (const auto &file : std::filesystem::directory_iterator(folder.path()))
    std::filesystem::resize_file(file.path(), 50);
  const TuningReport report = tune(bundle, candidates);
  EXPECT_EQ(report.measured, 2u);
  EXPECT_NE(report.note.find("cannot be read"), std::string::npos);
  EXPECT_EQ(bundle.kernels[0].name, "a2");
}

TEST(TuningPattern, EntriesStayInRangeAndDiffer) {
  const auto real = [](ElementType type, bool log) {
    const std::vector<std::byte> bytes = tuningPattern(type, log);
    std::vector<double> entries(bytes.size() / sizeof(double));
    std::memcpy(entries.data(), bytes.data(), bytes.size());
    return entries;
  };
  const std::vector<double> linear = real(ElementType::F64, false),
                            log = real(ElementType::F64, true);
  ASSERT_EQ(linear.size(), log.size());
  for (size_t i = 0; i < linear.size(); ++i) {
    ASSERT_TRUE(linear[i] >= 0.5 && linear[i] < 1) << i;
    ASSERT_EQ(log[i], std::log2(linear[i])) << i;
    ASSERT_TRUE(i == 0 || linear[i] != linear[i - 1]) << i;
  }
  const std::vector<std::byte> whole = tuningPattern(ElementType::U64, false);
  for (size_t i = 0; i < whole.size(); i += sizeof(uint64_t)) {
    uint64_t entry = 0;
    std::memcpy(&entry, &whole[i], sizeof(entry));
    ASSERT_TRUE(entry == 1 || entry == 2) << i;
  }
}
