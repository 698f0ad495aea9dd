#include "dsl/formats/load_text.h"

#include "dsl/formats/model_formats.h"
#include "dsl/support/system/growth_guard.h"

namespace mpf {

namespace {

/// The memory for each word of other files (evidence, queries, plans): their numbers are stored
/// without a syntax tree.
constexpr uint64_t kOtherBytesPerByte = 12;

uint64_t readBytesPerByte(const std::string &name, std::string_view text) {
  const ModelFormat *format = modelFormatOf(name, text);
  if (name == kStdinName && format == nullptr)
    format = &defaultModelFormat();
  return format == nullptr ? kOtherBytesPerByte : format->readBytesPerByte;
}

} // namespace

std::shared_ptr<const SourceBuffer> loadText(const std::string &path) {
  static_assert(kMaxTextFileBytes < UINT32_MAX, "a SourceBuffer has 32-bit offsets");
  const bool isStdin = path == kStdinPath;
  const std::string name = isStdin ? kStdinName : path;
  std::string text = isStdin ? readStdin() : readFile(path);
  refuseUtf16(name, text);
  requireMemoryToParse(path, text, readBytesPerByte(name, text));
  return std::make_shared<const SourceBuffer>(name, std::move(text));
}

} // namespace mpf
