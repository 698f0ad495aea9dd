#include "tests/oracle/models/structured_models.h"

#include <algorithm>

namespace mpf::oracle {

namespace {

/// Returns one of few values, so that some rows and factors are equal.
double coarse(std::mt19937_64 &random) {
  constexpr double kValues[] = {0.25, 0.5, 0.75, 1};
  return kValues[random() % 4];
}

uint32_t childExtent(const Model &model, const Factor &factor) {
  return factor.scope.empty() ? 1 : model.variable(factor.scope.back()).extent;
}

/// Makes rows with one state of the last variable each, with weight 1 or any.
void makeFunction(std::mt19937_64 &random, std::vector<double> &values, uint32_t child) {
  const bool weighted = random() % 2 != 0;
  const uint64_t shift = random() % 3, coarseness = 1 + random() % 2;
  for (size_t row = 0; row * child < values.size(); ++row)
    for (uint32_t s = 0; s < child; ++s)
      values[row * child + s] =
          s == (row / coarseness + shift) % child ? (weighted ? 1 - unit(random) : 1) : 0;
}

/// Makes rows over the last variable that sum to 1; some of them are equal.
void makeConditional(std::mt19937_64 &random, std::vector<double> &values, uint32_t child) {
  std::vector<double> previous(child, 1.0 / child);
  for (size_t row = 0; row * child < values.size(); ++row) {
    if (random() % 3 != 0) {
      double sum = 0;
      for (double &value : previous)
        sum += value = random() % 4 == 0 ? 0 : 0.1 + unit(random);
      for (double &value : previous)
        value = sum == 0 ? 1.0 / child : value / sum;
    }
    std::copy(previous.begin(), previous.end(),
              values.begin() + static_cast<std::ptrdiff_t>(row * child));
  }
}

} // namespace

Model structuredModel(std::mt19937_64 &random, const RandomModelOptions &options) {
  Model model = randomModel(random, options);
  for (Factor &factor : model.factors) {
    std::vector<double> values = *factor.values;
    const uint32_t child = childExtent(model, factor);
    switch (random() % 8) {
    case 0:
      makeFunction(random, values, child);
      break;
    case 1:
      makeConditional(random, values, child);
      factor.conditional = !factor.scope.empty();
      break;
    case 2:
      std::fill(values.begin(), values.end(), coarse(random));
      break;
    case 3:
      for (double &value : values)
        value = random() % 2 == 0 ? 0 : coarse(random);
      break;
    case 4: // constraints
      for (double &value : values)
        value = random() % 3 == 0 ? 0 : 1;
      break;
    default:
      break;
    }
    factor.values = std::make_shared<const std::vector<double>>(std::move(values));
  }
  return model;
}

} // namespace mpf::oracle
