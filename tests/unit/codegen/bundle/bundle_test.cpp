// Tests .mpfb files: a written bundle is read back; a damaged one is refused with its place.
#include "codegen/bundle/bundle_json.h"
#include "codegen/bundle/forms/program_file.h"
#include "codegen/bundle/print_bundle.h"
#include "codegen/bundle/verify_bundle.h"
#include "dsl/support/error.h"
#include "tests/oracle/bundle_builder.h"
#include "tests/support/input_error.h"

#include <functional>
#include <gtest/gtest.h>

namespace mpf {
namespace {

constexpr Semiring kSumProduct{Reduce::Sum, Combine::Times};

Bundle sampleBundle() {
  oracle::BundleBuilder builder;
  const VarId x = builder.variable(3), y = builder.variable(4);
  const BufferId f = builder.input({x, y}, std::vector<double>(12, 0.5));
  const BufferId m = builder.operation(kSumProduct, {f}, {x});
  builder.output(builder.operation(kSumProduct, {m}, {}));
  Bundle bundle = builder.finish();
  bundle.name = "Z";
  bundle.kind = QueryKind::Evidence;
  bundle.kernels.push_back({"k", "plan text", "source text", 7, 128, 64, {{"sm_90", "image"}}, {}});
  bundle.operations[0].kernel = 0;
  return bundle;
}

TEST(BundleFile, ReadsBackWhatWasWritten) {
  const Bundle bundle = sampleBundle();
  const std::string file = programBytes(bundle);
  const Bundle read = parseAs<Bundle>(file);
  EXPECT_EQ(programBytes(read), file);
  EXPECT_EQ(printBundle(read), printBundle(bundle));
  EXPECT_EQ(*read.tables[0], *bundle.tables[0]);
  EXPECT_EQ(read.kernels[0].cubins[0].contents, "image");
}

TEST(BundleFile, SaysHowAKernelWasChosen) {
  Bundle bundle = sampleBundle();
  bundle.kernels[0].tuning = KernelTuning{6, 12.3, 0.1 + 0.2};
  const std::string file = programBytes(bundle);
  const Bundle read = parseAs<Bundle>(file);
  ASSERT_TRUE(read.kernels[0].tuning);
  EXPECT_EQ(read.kernels[0].tuning->candidates, 6u);
  EXPECT_EQ(read.kernels[0].tuning->timeUs, 12.3);
  EXPECT_EQ(read.kernels[0].tuning->modelUs, 0.1 + 0.2);
  EXPECT_EQ(programBytes(read), file);
  bundle.kernels[0].tuning->timeUs = -1;
  EXPECT_NE(inputErrorOf([&] { parseAs<Bundle>(programBytes(bundle)); }).find("not a time"),
            std::string::npos);
}

TEST(BundleFile, EveryCutAndEveryFlippedByteIsRefused) {
  const std::string file = programBytes(sampleBundle());
  for (size_t length = 0; length < file.size(); ++length)
    EXPECT_NE(inputErrorOf([&] { parseAs<Bundle>(std::string_view(file).substr(0, length)); }), "")
        << "cut after " << length;
  for (size_t i = 0; i < file.size(); ++i) {
    std::string damaged = file;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    EXPECT_NE(inputErrorOf([&] { parseAs<Bundle>(damaged); }), "") << "byte " << i;
  }
  EXPECT_NE(inputErrorOf([&] { parseAs<Bundle>(file + "x"); }), "");
}

TEST(BundleFile, SaysWhatItIsNot) {
  EXPECT_NE(inputErrorOf([] { parseAs<Bundle>("MARKOV\n3\n"); }).find("not a bundle"),
            std::string::npos);
}

/// Breaks one rule of a sound bundle and expects the message to name it.
void expectRefused(const std::function<void(Bundle &)> &breakRule, const std::string &part) {
  Bundle bundle = sampleBundle();
  breakRule(bundle);
  const std::string message = inputErrorOf([&] { verifyBundle(bundle); });
  EXPECT_NE(message.find(part), std::string::npos) << "got: " << message;
}

TEST(VerifyBundle, NamesTheBrokenRule) {
  EXPECT_EQ(inputErrorOf([] { verifyBundle(sampleBundle()); }), "");
  expectRefused([](Bundle &b) { b.variables[0].extent = 0; }, "no states");
  expectRefused(
      [](Bundle &b) {
        b.evidence.add({{VarId(0), 3}});
      },
      "observed in state 3, it has 3 states");
  expectRefused([](Bundle &b) { b.buffers[0].offsetBytes = 8; }, "starts at byte 8");
  expectRefused([](Bundle &b) { b.inputArenaBytes = 50; }, "its arena has 50");
  expectRefused([](Bundle &b) { b.inputs[0].table = 9; }, "takes table 9 of 1");
  expectRefused([](Bundle &b) { b.inputs[0].scope.pop_back(); }, "12 values for 3 entries");
  expectRefused([](Bundle &b) { b.inputs[0].layout.pop_back(); }, "not its unobserved scope");
  expectRefused([](Bundle &b) { b.operations[0].operands.clear(); }, "0 operands");
  expectRefused([](Bundle &b) { b.operations[0].kernel = 1; }, "runs kernel 1 of 1");
  expectRefused([](Bundle &b) { b.operations[0].operands[0].stridesElems[0] = 5; },
                "reaches entry 13");
  expectRefused([](Bundle &b) { b.operations[0].operands[0].stridesElems[0] = UINT64_MAX; },
                "reaches entry");
  expectRefused([](Bundle &b) { b.operations[0].result.stridesElems[0] = 2; }, "reaches entry 4");
  expectRefused([](Bundle &b) { b.operations[0].digits[0].extent = 2; },
                "the result has 3 entries, its kept digits 2");
  expectRefused([](Bundle &b) { std::swap(b.operations[0], b.operations[1]); },
                "before anything wrote it");
  expectRefused([](Bundle &b) { b.buffers[2].offsetBytes = b.buffers[1].offsetBytes; },
                "share memory");
  expectRefused([](Bundle &b) { b.outputs[0].buffer = BufferId(size_t{99}); }, "buffer 99 of 3");
  expectRefused([](Bundle &b) { b.outputs[0].layout = {VarId(size_t{0})}; }, "has 3 entries");
  expectRefused([](Bundle &b) { b.kind = QueryKind::Samples; }, "kind samples is not supported");
  expectRefused(
      [](Bundle &b) {
        b.traceback.push_back({VarId(size_t{0}), {}});
      },
      "kind evidence has a traceback");
  expectRefused(
      [](Bundle &b) {
        b.operations[1].semiring = {Reduce::Max, Combine::Plus};
      },
      "combines otherwise");
}

/// An assignment that lacks a variable, or outputs that are no posteriors, would be printed as an
/// answer.
TEST(VerifyBundle, HoldsToWhatTheKindOfQueryGives) {
  const auto best = [](std::initializer_list<size_t> decided) {
    return [variables = std::vector<size_t>(decided)](Bundle &b) {
      b.kind = QueryKind::Mpe;
      for (const size_t variable : variables)
        b.traceback.push_back({VarId(variable), {}});
    };
  };
  expectRefused(best({}), "variable x0 is decided 0 times");
  expectRefused(best({0}), "variable x1 is decided 0 times");
  expectRefused(best({0, 1, 0}), "variable x0 is decided 2 times");
  EXPECT_EQ(inputErrorOf([&] {
              Bundle b = sampleBundle();
              best({0, 1})(b);
              verifyBundle(b);
            }),
            "");
  expectRefused([](Bundle &b) { b.kind = QueryKind::Marginals; }, "x0 is put out 0 times");
  expectRefused(
      [](Bundle &b) {
        b.kind = QueryKind::Marginals;
        b.outputs.clear();
      },
      "it has no output");
}

/// The variable x0 is held: it is neither decided nor an output, and assignments of slices are for
/// no state of it.
TEST(VerifyBundle, HoldsToWhatIsHeld) {
  const auto held = [](Bundle &b) {
    b.kind = QueryKind::Mpe;
    b.outputs.front().scope = b.outputs.front().layout = {VarId{size_t{0}}};
    b.outputs.front().buffer = b.operations[0].result.buffer;
    b.traceback = {{VarId{1}, {}}};
  };
  expectRefused(
      [&held](Bundle &b) {
        held(b);
        b.traceback.push_back({VarId{size_t{0}}, {}});
      },
      "variable x0 is decided 1 times");
}

TEST(VerifyBundle, NamesWhoCannotReadBits) {
  EXPECT_EQ(inputErrorOf([] {
              Bundle b = sampleBundle();
              b.buffers[0].packed = true;
              verifyBundle(b);
            }),
            "");
  expectRefused([](Bundle &b) { b.buffers[1].packed = true; }, "is packed, but is no input");
  const auto packed = [](Bundle &b) { b.buffers[0].packed = true; };
  expectRefused(
      [&](Bundle &b) {
        packed(b);
        for (BundleOperation &operation : b.operations)
          operation.semiring.reduce = Reduce::Min;
      },
      "is read by a minimum");
  expectRefused(
      [&](Bundle &b) {
        packed(b);
        b.kind = QueryKind::Mpe;
        b.traceback = {{VarId(size_t{1}), {}},
                       {VarId(size_t{0}), {{BufferId(size_t{0}), b.inputs[0].layout}}}};
      },
      "is read by the traceback");
  expectRefused(
      [&](Bundle &b) {
        packed(b);
        b.outputs.push_back(
            {{"f", b.inputs[0].layout, false}, BufferId(size_t{0}), b.inputs[0].layout});
      },
      "is a result");
}

/// y is conditioned on: m(x) = f(x, y) for one y, then added up over y.
Bundle slicedSample() {
  Bundle bundle = sampleBundle();
  bundle.sliced = {VarId(size_t{1})};
  bundle.loops = LoopTree({0});
  bundle.inputs[0].layout = {VarId(size_t{1}), VarId(size_t{0})};
  bundle.buffers.push_back(bundle.buffers[1]); // the sum beside the slice
  bundle.buffers[2].offsetBytes = 256;
  bundle.buffers[3].offsetBytes = 512;
  bundle.workArenaBytes = 1024;
  BundleOperation slice;
  slice.name = "slice";
  slice.semiring = kSumProduct;
  slice.digits = {{3, false}};
  slice.operands = {{BufferId(size_t{0}), {1}, {3}}};
  slice.result = {BufferId(size_t{1}), {1}, {}};
  slice.loop = 1;
  BundleOperation sum = slice;
  sum.name = "sum";
  sum.operands = {{BufferId(size_t{1}), {1}, {}}};
  sum.result.buffer = BufferId(size_t{3});
  sum.accumulates = true;
  BundleOperation last = bundle.operations[1];
  last.operands[0].buffer = BufferId(size_t{3});
  bundle.operations = {slice, sum, last};
  return bundle;
}

TEST(VerifyBundle, RawInputsHaveATableAndNoScope) {
  const auto raw = [](auto change) {
    Bundle bundle = sampleBundle();
    bundle.inputs[0].raw = true;
    bundle.inputs[0].scope.clear();
    bundle.inputs[0].layout.clear();
    change(bundle.inputs[0]);
    return inputErrorOf([&] { verifyBundle(parseAs<Bundle>(programBytes(bundle))); });
  };
  EXPECT_EQ(raw([](BundleInput &) {}), "");
  EXPECT_NE(raw([](BundleInput &i) { i.table.reset(); }).find("has no table"), std::string::npos);
  EXPECT_NE(raw([](BundleInput &i) { i.layout = {VarId(size_t{0})}; }).find("has a scope"),
            std::string::npos);
}

void expectLoopRefused(const std::function<void(Bundle &)> &breakRule, const std::string &part) {
  Bundle bundle = slicedSample();
  breakRule(bundle);
  const std::string message = inputErrorOf([&] { verifyBundle(bundle); });
  EXPECT_NE(message.find(part), std::string::npos) << "got: " << message;
}

TEST(VerifyBundle, NamesTheBrokenRuleOfLoops) {
  EXPECT_EQ(inputErrorOf([] { verifyBundle(slicedSample()); }), "");
  const Bundle read = parseAs<Bundle>(programBytes(slicedSample()));
  EXPECT_EQ(printBundle(read), printBundle(slicedSample()));
  EXPECT_EQ(read.operations[0].operands[0].sliceStridesElems, (std::vector<uint64_t>{3}));

  expectLoopRefused([](Bundle &b) { b.sliced[0] = VarId(size_t{9}); }, "refers to variable 9");
  expectLoopRefused([](Bundle &b) { b.sliced.push_back(b.sliced[0]); },
                    "2 sliced variables, 1 loops");
  expectLoopRefused( // the states of a traceback come from slices
      [](Bundle &b) {
        b.sliced.push_back(b.sliced[0]);
        b.kind = QueryKind::Mpe;
        b.traceback.push_back({VarId(size_t{0}), {}});
      },
      "twice");
  expectLoopRefused([](Bundle &b) { b.loops = LoopTree({0, 1}); }, "1 sliced variables, 2 loops");
  expectLoopRefused([](Bundle &b) { b.operations[0].loop = 2; }, "runs in loop 2 of 1");
  expectLoopRefused(
      [](Bundle &b) {
        std::rotate(b.operations.begin(), b.operations.end() - 1, b.operations.end());
      },
      "before anything wrote it");
  expectLoopRefused([](Bundle &b) { b.operations.push_back(b.operations[0]); }, "once more");
  expectLoopRefused([](Bundle &b) { b.operations[0].operands[0].sliceStridesElems = {4}; },
                    "reaches entry 14");
  expectLoopRefused(
      [](Bundle &b) {
        b.operations[0].operands[0].sliceStridesElems = {1, 1};
      },
      "2 strides for 1 loops");
  expectLoopRefused([](Bundle &b) { b.operations[2].operands[0].sliceStridesElems = {1}; },
                    "no input");
  expectLoopRefused([](Bundle &b) { b.operations[0].loop = 0; }, "moves with loop 1");
  expectLoopRefused([](Bundle &b) { b.operations[1].loop = 0; }, "outside of any loop");
  expectLoopRefused([](Bundle &b) { b.operations[1].kernel = 0; }, "something else");
  expectLoopRefused([](Bundle &b) { b.operations[1].operands[0].buffer = BufferId(size_t{2}); },
                    "");
  expectLoopRefused([](Bundle &b) { b.buffers[3].offsetBytes = 0; }, "share memory");
  expectLoopRefused([](Bundle &b) { b.buffers[0].packed = true; },
                    "slices that begin inside a word");
}

/// Sum over x of f(x, y) and g(y, z), then over y: a chain of two.
Bundle chainSample() {
  oracle::BundleBuilder builder;
  const VarId x = builder.variable(3), y = builder.variable(4), z = builder.variable(2);
  const BufferId f = builder.input({y, x}, std::vector<double>(12, 0.5));
  const BufferId g = builder.input({z, y}, std::vector<double>(8, 0.5));
  const BufferId m = builder.operation(kSumProduct, {f}, {y});
  const BufferId n = builder.operation(kSumProduct, {m, g}, {z});
  builder.output(builder.operation(kSumProduct, {n}, {}));
  Bundle bundle = builder.finish();
  bundle.kernels.push_back({"chain_k", "plan text", "source text", 7, 128, 64, {}, {}});
  bundle.chains = {{0, 2, 0, 0}};
  return bundle;
}

void expectChainRefused(const std::function<void(Bundle &)> &breakRule, const std::string &part) {
  Bundle bundle = chainSample();
  breakRule(bundle);
  const std::string message = inputErrorOf([&] { verifyBundle(bundle); });
  EXPECT_NE(message.find(part), std::string::npos) << "got: " << message;
}

TEST(VerifyBundle, NamesTheBrokenRuleOfChains) {
  EXPECT_EQ(inputErrorOf([] { verifyBundle(chainSample()); }), "");
  const Bundle read = parseAs<Bundle>(programBytes(chainSample()));
  EXPECT_EQ(printBundle(read), printBundle(chainSample()));
  ASSERT_EQ(read.chains.size(), 1u);
  EXPECT_EQ(read.chains[0].count, 2u);

  expectChainRefused([](Bundle &b) { b.chains[0].count = 1; }, "operations 0 to 1");
  expectChainRefused([](Bundle &b) { b.chains[0].count = UINT32_MAX; }, "of 3");
  expectChainRefused([](Bundle &b) { b.chains.push_back(b.chains[0]); }, "ends at 2");
  expectChainRefused([](Bundle &b) { b.chains[0].kernel = 1; }, "kernel 1 of 1");
  expectChainRefused([](Bundle &b) { b.tableDriven = 0; }, "none of its own");
  expectChainRefused([](Bundle &b) { b.chains[0].message = 1; }, "message 1 of 1");
  expectChainRefused([](Bundle &b) { b.operations[1].semiring.reduce = Reduce::Max; },
                     "another semiring than the one before");
  // One of the chain's own results read a second time.
  expectChainRefused(
      [](Bundle &b) {
        BundleAccess again = b.operations[1].operands[0];
        again.stridesElems = {0};
        b.operations[2].operands.push_back(again);
      },
      "is not the only reader of the message");
}

/// The result of the second operation lies where the message of the first one was.
TEST(VerifyBundle, AChainDoesNotWriteWhatItReads) {
  Bundle bundle = chainSample();
  // Make f and g results, because only the arena of results is reused.
  bundle.operations.insert(bundle.operations.begin(), bundle.operations[0]);
  BundleOperation &copy = bundle.operations[0];
  copy.name = "copy";
  copy.digits = {{4, false}, {3, false}};
  copy.operands[0].stridesElems = {3, 1};
  bundle.buffers.push_back({"copied", 12, 1024, false});
  const BufferId copied(bundle.buffers.size() - 1);
  copy.result = {copied, {3, 1}, {}};
  bundle.operations[1].operands[0].buffer = copied;
  bundle.workArenaBytes = 2048;
  bundle.chains = {{1, 2, 0, 0}};
  EXPECT_EQ(inputErrorOf([&] { verifyBundle(bundle); }), "");
  bundle.buffers[bundle.operations[2].result.buffer.index()].offsetBytes = 1024;
  EXPECT_NE(inputErrorOf([&] { verifyBundle(bundle); }).find("lies on copied"), std::string::npos);
  bundle.chains.clear();
  EXPECT_EQ(inputErrorOf([&] { verifyBundle(bundle); }), "") << "one by one it may";
}

} // namespace
} // namespace mpf
