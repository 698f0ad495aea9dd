#include "dsl/formats/codes/code_reader.h"

#include "dsl/formats/codes/received_words.h"
#include "dsl/formats/network/made_text.h"
#include "dsl/formats/network/model_name.h"
#include "dsl/formats/network/network_builder.h"
#include "dsl/formats/numbers/token_scanner.h"
#include "dsl/formats/tables/alist_file.h"
#include "dsl/model/build/build_model.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <array>
#include <bit>

namespace mpf {

namespace {

/// The most bits of a check that is one table, of 2^6 entries.
constexpr size_t kWidestCheckTable = 6;
/// Counts of the words of fewer bits fit u64.
constexpr uint64_t kU64Bits = 64;

class CodeFactors {
public:
  explicit CodeFactors(NetworkBuilder &network) : network_(network) {}

  /// Adds the factors of one check. Reports variables and factors beyond the limits.
  bool add(uint64_t number, std::vector<VarId> bits) {
    size_t first = 0; // the bits before it are in a parity
    for (size_t link = 1; bits.size() - first > (link > 1 ? 3 : kWidestCheckTable); ++link) {
      // The parity of the first two stands for both.
      const VarId parity(network_.model().variables.size());
      const std::string name = fmt::format("h{}_{}", number, link);
      if (!network_.addUnlabelledVariable(name, 2, {}) ||
          !addTable(name, {bits[first], bits[first + 1], parity}))
        return false;
      bits[++first] = parity;
    }
    bits.erase(bits.begin(), bits.begin() + static_cast<ptrdiff_t>(first));
    return bits.empty() || addTable(fmt::format("h{}", number), std::move(bits));
  }

private:
  /// Adds the factor that is 1 where an even number of the variables are 1.
  bool addTable(std::string name, std::vector<VarId> scope) {
    TableValues &table = parities_[scope.size()];
    if (table == nullptr) {
      std::vector<double> values(size_t{1} << scope.size(), 0);
      for (size_t entry = 0; entry < values.size(); ++entry)
        values[entry] = std::popcount(entry) % 2 == 0 ? 1 : 0;
      table = std::make_shared<const std::vector<double>>(std::move(values));
    }
    return network_.addStored(std::move(name), std::move(scope), table, {});
  }

  NetworkBuilder &network_;
  std::array<TableValues, kWidestCheckTable + 1> parities_; ///< by the number of variables
};

/// Whether the channel may bring the received number.
bool isReceivable(ChannelKind kind, double value) {
  return kind == ChannelKind::Symmetric ? value == 0 || value == 0.5 || value == 1
                                        : isNumberOf(ChannelKind::Ratios, value);
}

/// Reports values from outside that the channel or a received number cannot have. Only params are
/// read: messages about the evidence that follows from such values would say less.
bool checkGiven(const Channel &channel, uint64_t bits, const SourceBuffer &buffer,
                Diagnostics &diagnostics, const BuildOptions &building) {
  Diagnostics ignored; // the text with evidence reports the same
  const auto model = readMpf(
      madeText(buffer.name(), buffer.name() + " as .mpf", receivedParamsText(channel, bits)),
      ignored, building);
  if (!model)
    return true;
  const size_t errorsBefore = diagnostics.errorCount();
  const auto check = [&](const std::string &name, double value) {
    const bool isReceived = name.starts_with('y'), isBit = channel.kind == ChannelKind::Symmetric;
    const auto outside = building.params.values.find(name);
    if (outside == building.params.values.end() ||
        (isReceived ? isReceivable(channel.kind, value) : isNumberOf(channel.kind, value)))
      return;
    diagnostics.report(
        {Severity::Error,
         {outside->second.source(), {}},
         fmt::format("{} is {}: expected {}", name, value,
                     isReceived
                         ? (isBit ? "0 or 1, or 0.5 for nothing received" : "a finite number")
                         : (isBit ? "a probability" : "a finite number above 0")),
         {}});
  };
  for (const Param &param : model->params)
    if (!param.isSwept)
      check(param.name, param.value);
  for (const SweptParam &swept : model->sweeps)
    for (const double value : swept.values)
      check(swept.name, value);
  return diagnostics.errorCount() == errorsBefore;
}

/// Returns the code with soft evidence of what came over the channel.
std::optional<Model> withReceived(Model code, uint64_t bits, const SourceBuffer &buffer,
                                  Diagnostics &diagnostics, const ModelReadOptions &options) {
  if (!options.build.params.values.empty() &&
      !checkGiven(*options.channel, bits, buffer, diagnostics, options.build))
    return std::nullopt;
  std::string text = receivedText(*options.channel, bits, spellName(modelNameFor(buffer.name())),
                                  "the code.alist");
  BuildOptions building = options.build;
  building.files.importModel = [&code](const std::string &, Diagnostics &) {
    return std::optional(std::move(code));
  };
  return readMpf(madeText(buffer.name(), buffer.name() + " as .mpf", std::move(text)), diagnostics,
                 building);
}

/// Takes a line of two numbers, after comments and empty lines; false if the next line is another.
bool takePair(std::string_view &text) {
  constexpr std::string_view kDigits = "0123456789";
  const auto skip = [&text](std::string_view characters) {
    text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
  };
  skipHashComments(text);
  for (int number = 0; number < 2; ++number) {
    if (text.empty() || kDigits.find(text.front()) == kDigits.npos)
      return false;
    skip(kDigits);
    skip(" \t\r");
  }
  return text.empty() || text.front() == '\n';
}

} // namespace

std::optional<Model> readCode(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                              const ModelReadOptions &options) {
  if (const auto &given = options.build.params.values; !options.channel && !given.empty())
    diagnostics.error({buffer, {0, 0}}, "-D {}: a code has params with {} alone",
                      given.begin()->first, kChannelOption);
  const std::optional<std::vector<NamedArray>> arrays = readAlist(buffer, diagnostics);
  if (!arrays)
    return std::nullopt;
  NetworkBuilder network(buffer, diagnostics);
  CodeFactors factors(network);
  const auto numbers = [&arrays](size_t i) -> const ArrayFile & {
    return (*arrays)[i].stored.array;
  };
  const auto bits = static_cast<uint64_t>(numbers(0).values->front());
  for (uint64_t i = 0; i < bits && !network.failed(); ++i)
    network.addNumberedVariable(2, {}, i);
  const ArrayFile &checks = numbers(2);
  uint64_t at = 0;
  for (uint64_t check = 0; check < checks.rowEnds.size() && !network.failed(); ++check) {
    std::vector<VarId> scope;
    for (; at < checks.rowEnds[check]; ++at)
      scope.emplace_back(static_cast<uint64_t>((*checks.values)[at]));
    factors.add(check, std::move(scope));
  }
  std::optional<Model> model = network.finish(QueryKind::Evidence, options.check);
  if (model && options.channel)
    return withReceived(std::move(*model), bits, *buffer, diagnostics, options);
  if (model)
    model->queries.front().type = bits < kU64Bits ? ElementType::U64 : ElementType::U128;
  return model;
}

bool startsAsCode(std::string_view text) { return takePair(text) && takePair(text); }

} // namespace mpf
