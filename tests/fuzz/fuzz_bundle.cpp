// Reads any bytes as a .mpfb file. Raw bytes test the container. To get past its checksums, the
// input is also taken as the text of a table program, with the tables that it announces, and as
// that of a lane program. An accepted program is written and read back as the same program.
#include "codegen/bundle/forms/program_file.h"
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

/// Returns a program, or none if the file is refused with the error of a wrong file.
std::optional<StoredProgram> read(std::string_view file) {
  try {
    return parseProgram(file);
  } catch (const Error &error) {
    MPF_CHECK(error.kind() == ErrorKind::BadInput, "refused with exit code {}: {}",
              exitCode(error.kind()), error.what());
    return std::nullopt;
  }
}

void check(std::string_view file) {
  const std::optional<StoredProgram> program = read(file);
  if (!program)
    return;
  const std::string written =
      std::visit([](const auto &body) { return programBytes(body); }, *program);
  const std::optional<StoredProgram> again = read(written);
  MPF_CHECK(again.has_value(), "a written program of {} bytes is refused", written.size());
  MPF_CHECK(printProgramOf(*again) == printProgramOf(*program),
            "a program changed on its way to a file");
}

/// Returns the file of the text of a lane program, with no tables beside it.
std::string fileAroundLanes(std::string_view text) {
  std::string file = sectionFileHeader();
  appendSection(file, SectionKind::Form, FormOf<LaneProgram>::row.word);
  appendSection(file, SectionKind::Text, text);
  return file;
}

/// Returns the file of a table program's text: its head up to the first '{', then its body. Its
/// tables are all zeros. They have the sizes in the text, but at most kMostElems entries.
std::string fileAround(std::string_view text) {
  constexpr uint64_t kMostElems = 256;
  const size_t bodyAt = std::min(text.find('{'), text.size());
  const std::string_view body = text.substr(bodyAt);
  std::string file = sectionFileHeader();
  appendSection(file, SectionKind::Form, FormOf<Bundle>::row.word);
  appendSection(file, SectionKind::Text, text.substr(0, bodyAt));
  appendSection(file, SectionKind::Body, body);
  const nlohmann::json root = nlohmann::json::parse(body, nullptr, false);
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
  check(fileAroundLanes(input));
  return 0;
}
