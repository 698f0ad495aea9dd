// Reads any bytes as a .mpfb file. Raw bytes test the container. To get past its checksums, the
// input is also taken as the metadata text of a file, with the tables that it announces. An
// accepted bundle prints, and is written and read back as the same bundle.
#include "codegen/bundle/lanes/bundle_file.h"
#include "codegen/bundle/lanes/print_lane_program.h"
#include "codegen/bundle/print_bundle.h"
#include "codegen/bundle/read_bundle.h"
#include "codegen/bundle/section.h"
#include "codegen/bundle/write_bundle.h"
#include "dsl/support/check.h"
#include "dsl/support/error.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

using namespace mpf;

namespace {

/// Returns a bundle, or none if the file is refused with the error of a wrong file.
std::optional<Bundle> read(std::string_view file) {
  try {
    return parseBundle(file);
  } catch (const Error &error) {
    MPF_CHECK(error.kind() == ErrorKind::BadInput, "refused with exit code {}: {}",
              exitCode(error.kind()), error.what());
    return std::nullopt;
  }
}

void check(std::string_view file) {
  const std::optional<Bundle> bundle = read(file);
  if (!bundle)
    return;
  const std::string written = serializeBundle(*bundle);
  const std::optional<Bundle> again = read(written);
  MPF_CHECK(again.has_value(), "a written bundle of {} bytes is refused", written.size());
  MPF_CHECK(printBundle(*again) == printBundle(*bundle), "a bundle changed on its way to a file");
}

/// Tries a file of either kind. A lane program is written and read back as the same program.
void checkEither(std::string_view file) {
  const auto parsed = [](std::string_view bytes) -> std::optional<BundleFile> {
    try {
      return parseBundleFile(bytes);
    } catch (const Error &error) {
      MPF_CHECK(error.kind() == ErrorKind::BadInput, "refused with exit code {}: {}",
                exitCode(error.kind()), error.what());
      return std::nullopt;
    }
  };
  const std::optional<BundleFile> found = parsed(file);
  const auto *lanes = found ? std::get_if<LaneProgram>(&*found) : nullptr;
  if (lanes == nullptr)
    return;
  const std::optional<BundleFile> again = parsed(serializeLanes(*lanes));
  MPF_CHECK(again && printLaneProgram(std::get<LaneProgram>(*again)) == printLaneProgram(*lanes),
            "a lane program changed on its way to a file");
}

/// Returns the file of the text of a lane program, with no tables beside it.
std::string fileAroundLanes(std::string_view text) {
  std::string file = sectionFileHeader();
  appendSection(file, SectionKind::Lanes, text);
  return file;
}

/// Returns the file of a metadata text. Its tables are all zeros. They have the sizes in the text,
/// but at most kMostElems entries.
std::string fileAround(std::string_view metadata) {
  constexpr uint64_t kMostElems = 256;
  std::string file = sectionFileHeader();
  appendSection(file, SectionKind::Metadata, metadata);
  const nlohmann::json root = nlohmann::json::parse(metadata, nullptr, false);
  if (!root.is_object() || !root.contains("tables") || !root["tables"].is_array())
    return file;
  for (const nlohmann::json &table : root["tables"]) {
    uint64_t elems = 0;
    if (table.is_object() && table.contains("size_elems") &&
        table["size_elems"].is_number_unsigned())
      elems = std::min(kMostElems, table["size_elems"].get<uint64_t>());
    appendSection(file, SectionKind::Table, std::string(elems * sizeof(double), '\0'));
  }
  return file;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view input(reinterpret_cast<const char *>(data), size);
  check(input);
  check(fileAround(input));
  checkEither(input);
  checkEither(fileAroundLanes(input));
  return 0;
}
