#include "runtime/execute/lanes/compiled/compiled_strips.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf {

CompiledStrips::CompiledStrips(StripChoice choice, const CompiledKernelOptions &options) {
  const size_t steps = choice.isWritten.size();
  std::vector<TextToLoad> texts;
  for (const StripText &text : choice.texts)
    texts.push_back(
        {text.name, fmt::format("{}\n{}", kStripPreamble, text.functions), text.symbol(0)});
  LoadedTexts loaded = loadTexts(texts, options, 0, CppEffort::Written);
  failed_ = loaded.failed;
  note_ = std::move(loaded.note);
  functions_.assign(steps, nullptr);
  isRun_.assign(steps, 0);
  for (size_t i = 0; i < texts.size(); ++i) {
    if (!loaded.libraries[i])
      continue;
    libraries_.push_back(std::move(*loaded.libraries[i]));
    for (size_t s = 0; s < choice.texts[i].segments.size(); ++s) {
      const StripSegment &segment = choice.texts[i].segments[s];
      functions_[segment.first] = libraries_.back().symbol(choice.texts[i].symbol(s).c_str());
      std::fill(isRun_.begin() + static_cast<ptrdiff_t>(segment.first),
                isRun_.begin() + static_cast<ptrdiff_t>(segment.end), 1);
    }
  }
}

} // namespace mpf
