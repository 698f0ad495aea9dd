#include "runtime/execute/compiled/print_compiled.h"

#include "runtime/execute/compiled/choose_compiled.h"
#include "runtime/execute/compiled/compiled_text.h"
#include "runtime/execute/compiled/plan_compiled.h"

#include <map>

namespace mpf {

namespace {

/// Replaces characters of a name that could end or extend a line comment.
std::string commentName(std::string name) {
  for (char &c : name)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7F' || c == '\\')
      c = '_';
  return name;
}

} // namespace

std::string printCompiledTexts(const Bundle &bundle) {
  std::string builtIn;
  std::vector<CompiledText> texts;
  std::vector<std::string> users; ///< by text: names of its operations
  std::map<std::string, size_t> known;
  for (size_t i = 0; i < bundle.operations.size(); ++i) {
    const BundleOperation &operation = bundle.operations[i];
    if (!mayBeCompiled(bundle, i)) {
      builtIn += ' ' + commentName(operation.name);
      continue;
    }
    CompiledText text =
        writeCompiledText(planCompiled(prepareLoops(operation, bundle.logInputs), bundle.type));
    const auto [at, isNew] = known.try_emplace(text.name, texts.size());
    if (isNew) {
      texts.push_back(std::move(text));
      users.emplace_back();
    }
    users[at->second] += ' ' + commentName(operation.name);
  }
  std::string all(kCompiledPreamble);
  for (size_t i = 0; i < texts.size(); ++i)
    all += fmt::format("\n// operations{}\n{}", users[i], texts[i].function);
  if (!builtIn.empty())
    all += fmt::format("\n// built-in kernels only:{}\n", builtIn);
  return all;
}

} // namespace mpf
