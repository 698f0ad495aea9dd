#include "tools/mpfc/options/option_meanings.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace mpf::driver {

namespace {

using Meaning = std::pair<std::string_view, std::string_view>;

constexpr Meaning kMeanings[] = {
    // earlier names
    {"--evid", "--evidence FILE"},
    {"--no-evid", "--evidence none"},
    {"--query-name", "--query"},
    {"--expected-runs", "--runs"},
    {"--virtual-evid", "--likelihoods"},
    {"--order-file", "--order FILE"},
    // names of other programs
    {"--elimination-order", "--order"},
    {"-e", "--observe"},
    {"--given", "--observe"},
    {"--condition", "--observe"},
    {"--param", "-D"},
    {"--parameter", "-D"},
    {"--set", "-D"},
    {"--define", "-D"},
    {"--output", "-o"},
    {"--out", "-o"},
    {"--csv", "--cases"},
    {"--batch", "--cases"},
    {"--input", "--cases"},
    {"--timeout", "--time-limit"},
    {"--memory", "--max-memory"},
    {"--mem", "--max-memory"},
    {"--jobs", "--threads"},
    {"-j", "--threads"},
    {"--gpu", "--device gpu"},
    {"--cuda", "--device gpu"},
    {"--cpu", "--device cpu"},
    {"--dtype", "--type"},
    {"--precision", "--type"},
};

} // namespace

std::string_view optionMeant(std::string_view name) {
  const auto *const found = std::ranges::find(kMeanings, name, &Meaning::first);
  return found == std::end(kMeanings) ? std::string_view() : found->second;
}

} // namespace mpf::driver
