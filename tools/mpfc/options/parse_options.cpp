#include "tools/mpfc/options/parse_options.h"

#include "dsl/support/check.h"
#include "tools/mpfc/options/option_table.h"
#include "tools/mpfc/options/usage_text.h"

#include <algorithm>
#include <optional>

namespace mpf::driver {

namespace {

class OptionParser {
public:
  OptionParser(const CommandRow &command, std::span<const std::string> words, Options &options)
      : command_(command), words_(words), options_(options) {}

  void parse() {
    bool mayBeOptions = true;
    while (at_ < words_.size() && options_.help == HelpKind::None) {
      const std::string &word = words_[at_++];
      if (mayBeOptions && word == "--")
        mayBeOptions = false;
      else if (mayBeOptions && word.size() > 1 && word.front() == '-')
        takeOption(word);
      else
        takeWord(word);
    }
    if (options_.help == HelpKind::None)
      requireAll();
  }

private:
  [[noreturn]] void refuse(const std::string &text) const {
    fail(ErrorKind::Usage, "{} (see mpfc {} --help)", text, command_.name);
  }

  void takeOption(const std::string &word) {
    const bool isLong = word.starts_with("--");
    const size_t end = isLong ? std::min(word.find('='), word.size()) : 2;
    const std::string name = word.substr(0, end);
    const OptionRow *row = findOption(name, command_.command);
    if (row == nullptr)
      refuse(unknownOptionText(command_, name));
    std::optional<std::string> value;
    if (end < word.size())
      value = word.substr(end + (isLong ? 1 : 0));
    if (!isLong && value && (row->isFlag() || value->front() == '='))
      refuse(fmt::format("{}: write {}", word,
                         row->isFlag() ? name : fmt::format("{} {}", name, value->substr(1))));
    if (row->isFlag() && value)
      refuse(fmt::format("{} takes no value", name));
    if (row->needsEquals && value && value->empty())
      refuse(fmt::format("{} has no value behind the equals sign", word));
    take(*row, value ? *value : row->isFlag() || row->needsEquals ? "" : nextWord(*row));
  }

  std::string nextWord(const OptionRow &row) {
    if (at_ == words_.size())
      refuse(
          fmt::format("{} needs a value: {} {}, {}", row.name, row.name, row.metavar, row.brief));
    return words_[at_++];
  }

  void takeWord(const std::string &word) {
    for (const OptionRow *row : optionsOf(command_.command))
      if (row->isWord() && !isTaken(row->name))
        return take(*row, word);
    refuse(unusedWordText(command_, word));
  }

  void take(const OptionRow &row, const std::string &value) {
    if (row.count != OptionCount::Any && isTaken(row.name))
      refuse(fmt::format("{} is given twice, once is enough", row.name));
    taken_.push_back(row.name);
    if (!row.isWord() && std::ranges::find(options_.given, row.name) == options_.given.end())
      options_.given.emplace_back(row.name);
    row.value.read(options_, row, value);
  }

  void requireAll() const {
    for (const OptionRow *row : optionsOf(command_.command))
      if (row->count == OptionCount::Required && !isTaken(row->name))
        refuse(fmt::format("{} is required", row->name));
  }

  bool isTaken(std::string_view name) const {
    return std::ranges::find(taken_, name) != taken_.end();
  }

  const CommandRow &command_;
  const std::span<const std::string> words_;
  Options &options_;
  size_t at_ = 0; ///< the next word
  std::vector<std::string_view> taken_;
};

} // namespace

void parseOptions(const CommandRow &command, std::span<const std::string> words, Options &options) {
  OptionParser(command, words, options).parse();
}

} // namespace mpf::driver
