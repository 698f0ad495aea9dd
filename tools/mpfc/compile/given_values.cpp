#include "tools/mpfc/compile/given_values.h"

#include <algorithm>
#include <string>
#include <variant>

namespace mpf::driver {

GivenValues givenValues(const CompileInput &input, const Options &options) {
  GivenValues given;
  const auto *const model = std::get_if<Model>(&input);
  const std::vector<Param> none;
  const std::vector<Param> &params = model != nullptr ? model->params : none;
  for (const auto &[name, param] : options.params.values) {
    const auto number = std::ranges::find(params, name, &Param::name);
    if (number != params.end()) {
      given.params.emplace_back(name, number->value);
      continue;
    }
    const std::string_view text = param.source()->text();
    const size_t value = text.find_first_not_of(' ', text.find('=') + 1);
    given.params.emplace_back(name, std::string(text.substr(std::min(value, text.size()))));
  }
  for (const auto &text : options.questions.observe)
    given.observed += fmt::format("{}{}", given.observed.empty() ? "" : ", ", text->text());
  for (const auto &text : options.questions.unobserve)
    given.unobserved += fmt::format("{}{}", given.unobserved.empty() ? "" : ", ", text->text());
  return given;
}

} // namespace mpf::driver
