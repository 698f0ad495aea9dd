#include "tools/mpfc/help/model_names.h"

#include "dsl/formats/load_text.h"
#include "dsl/formats/model_files.h"
#include "dsl/formats/read_model_file.h"
#include "dsl/model/mpf_names.h"
#include "dsl/syntax/spelling.h"

#include <cstdint>
#include <exception>
#include <filesystem>
#include <fmt/core.h>
#include <optional>

namespace mpf::driver {

namespace {

constexpr uintmax_t kMostBytes = uintmax_t{4} << 20;

ModelNames namesIn(const Model &model) {
  ModelNames names;
  const MpfSpelling spelling(model);
  for (uint32_t i = 0; i < ownVariableCount(model); ++i) {
    const Variable &variable = model.variables[i];
    ModelNames::Variable named{spelling.variable(VarId{i}), {}};
    for (uint32_t state = 0; state < variable.extent; ++state)
      named.labels.push_back(variable.labels.empty() ? fmt::format("{}", state)
                                                     : spellName(variable.labels[state]));
    names.variables.push_back(std::move(named));
  }
  for (const Query &query : model.queries)
    names.queries.push_back(query.name);
  for (const Param &param : model.params)
    names.params.push_back(spellName(param.name));
  return names;
}

} // namespace

ModelNames namesOfModel(const std::string &path) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem) ||
      std::filesystem::file_size(path, problem) > kMostBytes)
    return {};
  try {
    Diagnostics unreported;
    ModelReadOptions reading;
    reading.build.files = filesOnDisk();
    const std::optional<Model> model = readModelFile(loadText(path), unreported, reading);
    return model ? namesIn(*model) : ModelNames();
  } catch (const std::exception &) { // the command that is being typed will say what is wrong
    return {};
  }
}

} // namespace mpf::driver
