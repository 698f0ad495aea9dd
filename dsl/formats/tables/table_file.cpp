#include "dsl/formats/tables/table_file.h"

#include "dsl/formats/tables/npy_file.h"
#include "dsl/formats/tables/text_table.h"
#include "dsl/support/counts.h"
#include "dsl/support/error.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/lower_case.h"

namespace mpf {

namespace {

/// The most bytes of a number in a .npy file.
constexpr uint64_t kNpyItemBytes = 8;
/// Files of this size are read even if the scope needs fewer entries, so that the message can say
/// how many they have.
constexpr uint64_t kSmallNpyBytes = uint64_t{64} << 20;

} // namespace

std::optional<TableFile> readTableFile(const std::string &path, uint64_t maxEntries,
                                       Diagnostics &diagnostics, const SourcePlace &place) {
  const std::string name = lowerCase(withoutCompressionSuffix(path));
  const bool npy = name.ends_with(".npy");
  const uint64_t maxBytes =
      npy ? saturatingAdd(saturatingMul(maxEntries, kNpyItemBytes), kSmallNpyBytes)
          : kMaxTextFileBytes;
  std::string contents;
  try {
    contents = npy ? readFile(path, maxBytes) : readTextFile(path, maxBytes);
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::BadInput)
      throw;
    diagnostics.error(place, "{}", error.what());
    return std::nullopt;
  }
  if (npy) {
    std::string problem;
    auto table = readNpy(contents, maxEntries, problem);
    if (!table)
      diagnostics.error(place, "{}: {}", path, problem);
    return table;
  }
  auto text = std::make_shared<const SourceBuffer>(path, std::move(contents));
  auto table = readTextTable(std::move(text), name.ends_with(".csv"), maxEntries, diagnostics);
  if (!table && place.buffer)
    diagnostics.note(place, "the file is read here");
  return table;
}

} // namespace mpf
