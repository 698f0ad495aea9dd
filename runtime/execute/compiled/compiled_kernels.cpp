#include "runtime/execute/compiled/compiled_kernels.h"

#include "runtime/execute/compiled/choose_compiled.h"

namespace mpf {

CompiledKernels::CompiledKernels(const Bundle &bundle, const CompiledKernelOptions &options) {
  std::vector<CompiledChoice> candidates = chooseCompiled(bundle, options.expectedRuns);
  std::vector<TextToLoad> texts;
  for (CompiledChoice &candidate : candidates)
    texts.push_back({candidate.name, std::move(candidate.source), candidate.name});
  LoadedTexts loaded =
      loadTexts(texts, options, saturatingAdd(bundle.inputArenaBytes, bundle.workArenaBytes));
  failed_ = loaded.failed;
  note_ = std::move(loaded.note);
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (!loaded.libraries[i])
      continue;
    kernels_.resize(bundle.operations.size());
    libraries_.push_back(std::move(*loaded.libraries[i]));
    void *function = libraries_.back().symbol(texts[i].symbol.c_str());
    for (const size_t operation : candidates[i].operations)
      kernels_[operation] = {function, candidates[i].pieces};
  }
}

} // namespace mpf
