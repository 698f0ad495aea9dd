#include "dsl/formats/network/made_text.h"

#include "dsl/support/system/growth_guard.h"

#include <utility>

namespace mpf {

namespace {

/// The memory for each word of the text: it has a syntax tree (model_formats.cpp).
constexpr uint64_t kBytesPerWord = 48;

} // namespace

std::shared_ptr<const SourceBuffer> madeText(const std::string &file, std::string name,
                                             std::string text) {
  requireMemoryToParse(file, text, kBytesPerWord);
  return std::make_shared<const SourceBuffer>(std::move(name), std::move(text));
}

} // namespace mpf
