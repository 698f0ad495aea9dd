// Reads any bytes as a code whose words come over a channel. They are read or refused with a
// message. The first byte says which channel.
#include "dsl/formats/codes/code_reader.h"
#include "dsl/model/verify_model.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"

using namespace mpf;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  constexpr Channel kChannels[] = {
      {ChannelKind::Ratios}, {ChannelKind::Symmetric, 0.1}, {ChannelKind::Gaussian, 0.8}};
  ModelReadOptions options;
  options.channel = kChannels[*data % std::size(kChannels)];
  options.build.params.varying = {"y0"};
  Diagnostics diagnostics;
  const auto model = readCode(fuzzSource(data + 1, size - 1), diagnostics, options);
  MPF_CHECK(model.has_value() == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
  renderDiagnostics(diagnostics);
  if (model)
    verifyModel(*model);
  return 0;
}
