// Reads any bytes as a sum of products of tensors, with an archive of their numbers or without.
// They are read or refused with a message. The first byte says how long the axes of the arrays are.
#include "dsl/formats/tensors/tensor_reader.h"
#include "dsl/model/verify_model.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"

using namespace mpf;

namespace {

/// An archive of arrays of ones, of the number of axes that is asked for.
class ArraysOfOnes final : public ArraySource {
public:
  explicit ArraysOfOnes(uint8_t mode) : mode_(mode) {}
  std::shared_ptr<const ArrayFile> numbers(const ArrayRequest &request, Diagnostics &diagnostics,
                                           const SourcePlace &place) override {
    auto array = std::make_shared<ArrayFile>();
    uint64_t elems = 1;
    for (size_t axis = 0; axis < request.axes.value_or(1); ++axis) {
      array->shape.push_back((mode_ & 4) != 0 && axis == 1 ? 3 : mode_ & 3);
      elems = std::min<uint64_t>(elems * array->shape.back(), kMostElems + 1);
    }
    if (elems > kMostElems || request.member == "op7") {
      diagnostics.error(place, "no such array");
      return nullptr;
    }
    array->values = std::make_shared<const std::vector<double>>(elems, 1);
    return array;
  }
  std::optional<WordFile> words(const ArrayRequest &, Diagnostics &diagnostics,
                                const SourcePlace &place) override {
    diagnostics.error(place, "there are no words");
    return std::nullopt;
  }

private:
  static constexpr uint64_t kMostElems = 4096;
  uint8_t mode_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  const uint8_t mode = *data;
  ModelReadOptions options;
  options.build.limits.maxTableElems = 4096;
  options.build.limits.maxTotalElems = 1u << 18;
  if ((mode & 8) != 0) {
    options.tensors = "t.npz";
    options.build.files.openArrays = [mode] { return std::make_unique<ArraysOfOnes>(mode); };
  }
  Diagnostics diagnostics;
  const auto model = readTensors(fuzzSource(data + 1, size - 1), diagnostics, options);
  MPF_CHECK(model.has_value() == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
  renderDiagnostics(diagnostics);
  if (model)
    verifyModel(*model);
  return 0;
}
