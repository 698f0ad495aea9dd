// Reads any bytes as families and the files beside them. They are read or refused with a message.
// The first byte says which options are given; a byte 0 stands between the files.
#include "dsl/formats/pedigree/pedigree_format.h"
#include "dsl/model/verify_model.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"

using namespace mpf;

namespace {

/// Limits that are small enough that no input is slow; the checks are the usual ones.
ModelLimits smallLimits() {
  ModelLimits limits;
  limits.maxVariables = limits.maxFactors = 2000;
  limits.maxTableElems = 4096;
  limits.maxTotalElems = 1u << 18;
  limits.maxExpressionSteps = 1u << 20;
  return limits;
}

/// Takes the text before the next byte 0.
std::string take(std::string_view &text) {
  const size_t end = std::min(text.find('\0'), text.size());
  std::string part(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  const uint8_t mode = *data;
  std::string_view rest(reinterpret_cast<const char *>(data) + 1, size - 1);
  const std::string loci = take(rest), frequencies = take(rest);
  const auto source = std::make_shared<const SourceBuffer>("m.ped", std::string(rest));
  ModelReadOptions options;
  options.build.limits = smallLimits();
  options.build.files.readText = [&](const std::string &path) {
    return path == "m.frq" ? frequencies : loci;
  };
  const bool isPlink = (mode & 1) != 0;
  options.pedigree.loci = isPlink ? "m.map" : "m.dat";
  if (isPlink && (mode & 2) != 0)
    options.pedigree.frequencies = "m.frq";
  if (isPlink && (mode & 4) != 0)
    options.pedigree.trait = TraitModel{0.1, {0, 0.5, 1}};
  if ((mode & 8) != 0)
    options.pedigree.position = 12;
  Diagnostics diagnostics;
  try {
    const auto model = readPedigreeFile(source, diagnostics, options);
    MPF_CHECK(model.has_value() == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
    renderDiagnostics(diagnostics);
    if (model)
      verifyModel(*model);
  } catch (const Error &error) { // options that the files have no use for
    MPF_CHECK(error.kind() == ErrorKind::Usage, "{}", error.what());
  }
  return 0;
}
