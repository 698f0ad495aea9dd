// Builds Models from text in tests, with files in memory.
#pragma once

#include "dsl/model/build/build_model.h"
#include "dsl/support/check.h"
#include "tests/support/memory_cases.h"
#include "tests/unit/dsl/model/model_fixture.h"

#include <map>
#include <optional>
#include <string>

namespace mpf::test {

/// The numbers of a file.
struct MemoryArray {
  std::vector<uint64_t> shape;
  std::vector<double> values;
};

/// Arrays by path.
class MemoryArrays final : public ArraySource {
public:
  explicit MemoryArrays(const std::map<std::string, MemoryArray> &arrays) : arrays_(arrays) {}

  std::shared_ptr<const ArrayFile> numbers(const ArrayRequest &request, Diagnostics &diagnostics,
                                           const SourcePlace &place) override {
    const auto found = arrays_.find(request.path);
    if (found == arrays_.end()) {
      diagnostics.error(place, "cannot open '{}'", request.path);
      return nullptr;
    }
    return std::make_shared<const ArrayFile>(ArrayFile{
        found->second.shape, std::make_shared<const std::vector<double>>(found->second.values)});
  }
  std::optional<WordFile> words(const ArrayRequest &request, Diagnostics &diagnostics,
                                const SourcePlace &place) override {
    const auto array = numbers(request, diagnostics, place);
    if (!array)
      return std::nullopt;
    WordFile file;
    for (const double value : *array->values)
      file.words.push_back({fmt::format("{}", value)});
    return file;
  }

private:
  const std::map<std::string, MemoryArray> &arrays_;
};

/// Files by path; any other path "cannot be opened".
struct MemoryFiles {
  std::map<std::string, std::string> texts;
  std::map<std::string, std::vector<CaseVariable>> cases; ///< variables of the headers, by path
  std::vector<std::string> caseParams;                    ///< params that all lists set
  std::map<std::string, MemoryArray> tables;
  std::map<std::string, Model> models;

  ModelFiles access() const {
    ModelFiles files;
    files.readText = [this](const std::string &path) { return find(texts, path); };
    files.openArrays = [this] { return std::make_unique<MemoryArrays>(tables); };
    files.openCases = [this](const std::string &path, const Model &, Diagnostics &) {
      return std::make_shared<MemoryCases>(path, find(cases, path), caseParams);
    };
    files.importModel = [this](const std::string &path, Diagnostics &) {
      return std::optional(find(models, path));
    };
    return files;
  }

private:
  template <class Value>
  static const Value &find(const std::map<std::string, Value> &map, const std::string &path) {
    const auto found = map.find(path);
    if (found == map.end())
      fail(ErrorKind::BadInput, "cannot open '{}'", path);
    return found->second;
  }
};

struct Built {
  std::optional<Model> model;
  std::string messages; ///< rendered
  size_t errors = 0;
};

inline Built build(std::string text, BuildOptions options = {}) {
  Diagnostics diagnostics;
  Built built;
  built.model = readMpf(source(std::move(text), "dir/m.mpf"), diagnostics, options);
  built.messages = renderDiagnostics(diagnostics);
  built.errors = diagnostics.errorCount();
  return built;
}

inline const Variable *variableNamed(const Model &model, const std::string &name) {
  for (const Variable &variable : model.variables)
    if (variable.name == name)
      return &variable;
  return nullptr;
}
inline const Factor *factorNamed(const Model &model, const std::string &name) {
  for (const Factor &factor : model.factors)
    if (factor.name == name)
      return &factor;
  return nullptr;
}

} // namespace mpf::test
