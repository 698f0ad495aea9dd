#include "dsl/formats/load_text.h"

#include "dsl/formats/model_formats.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/system/growth_guard.h"

namespace mpf {

namespace {

/// The memory for each word of other files (evidence, queries, plans): their numbers are stored
/// without a syntax tree.
constexpr uint64_t kOtherBytesPerByte = 12;

uint64_t readBytesPerByte(const std::string &path, std::string_view text) {
  const bool isStdin = path == kStdinPath;
  const ModelFormat *format = isStdin ? modelFormatByStart(text) : modelFormatOf(path, text);
  if (isStdin && format == nullptr)
    format = &defaultModelFormat();
  return format == nullptr ? kOtherBytesPerByte : format->readBytesPerByte;
}

} // namespace

std::shared_ptr<const SourceBuffer> loadText(const std::string &path) {
  static_assert(kMaxTextFileBytes < UINT32_MAX, "a SourceBuffer has 32-bit offsets");
  const bool isStdin = path == kStdinPath;
  std::string text = isStdin ? readStdin() : readFile(path);
  refuseUtf16(isStdin ? kStdinName : path, text);
  requireMemoryToParse(path, text, readBytesPerByte(path, text));
  return std::make_shared<const SourceBuffer>(isStdin ? kStdinName : path, std::move(text));
}

} // namespace mpf
