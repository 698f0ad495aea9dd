#include "tools/mpfc/help/complete_words.h"

#include "tools/mpfc/help/help_topics.h"
#include "tools/mpfc/help/model_names.h"
#include "tools/mpfc/options/option_table.h"

#include <algorithm>
#include <fmt/core.h>
#include <string_view>

namespace mpf::driver {

namespace {

/// Collects the answers that begin with what is typed.
class Offers {
public:
  explicit Offers(std::string typed) : typed_(std::move(typed)) {}

  /// A word with control characters is left out: answers are lines.
  void offer(std::string_view word, std::string_view meaning) {
    const bool isLine =
        std::ranges::none_of(word, [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; });
    if (isLine && word.starts_with(typed_))
      text_ += fmt::format("{}\t{}\n", word, meaning);
  }
  void offerFiles() { text_ += ":files\n"; }
  void offerFolders() { text_ += ":folders\n"; }

  const std::string &typed() const { return typed_; }
  const std::string &text() const { return text_; }

private:
  const std::string typed_;
  std::string text_;
};

/// The words of a command line by what they are.
class CompletedLine {
public:
  explicit CompletedLine(std::span<const std::string> words)
      : command_(commandOf(words)), words_(words.first(words.size() - 1)) {
    const bool isShort = std::ranges::any_of(
        words, [](const std::string &word) { return word.starts_with("--emit="); });
    if (command_ == nullptr && isShort)
      command_ = findCommand("emit");
    else if (command_ != nullptr)
      words_ = words_.subspan(1);
    for (size_t i = 0; command_ != nullptr && i < words_.size(); ++i)
      take(words_[i]);
  }

  const CommandRow *command() const { return command_; }
  const std::string &model() const { return model_; }
  /// The option whose value the last word is. Null: it is no value.
  const OptionRow *open() const { return open_; }

private:
  static const CommandRow *commandOf(std::span<const std::string> words) {
    return words.size() < 2 ? nullptr : findCommand(words.front());
  }

  void take(const std::string &word) {
    if (open_ != nullptr) {
      open_ = nullptr;
    } else if (word.size() > 1 && word.front() == '-') {
      const OptionRow *row = findOption(word, command_->command);
      open_ = row == nullptr || row->isFlag() || row->needsEquals ? nullptr : row;
    } else if (model_.empty()) {
      model_ = word;
    }
  }

  const CommandRow *command_;
  std::span<const std::string> words_;
  std::string model_;
  const OptionRow *open_ = nullptr;
};

/// Returns how long the name of the option is that its value follows in the same word: --query=P,
/// -Dbeta. No value: 0.
size_t nameLength(const std::string &word) {
  if (word.starts_with("--"))
    return std::min(word.find('='), word.size()) % word.size();
  return word.size() > 2 && word.front() == '-' ? 2 : 0;
}

/// Returns how much of a list of findings stands in front of the last one.
size_t startOfLast(std::string_view typed) {
  const size_t comma = typed.find_last_of(',');
  const size_t start = comma == std::string_view::npos ? 0 : comma + 1;
  return std::min(typed.find_first_not_of(' ', start), typed.size());
}

void offerEvidence(const ModelNames &names, bool withLabels, std::string_view before,
                   std::string_view typed, Offers &answers) {
  const size_t start = startOfLast(typed);
  const std::string front = fmt::format("{}{}", before, typed.substr(0, start));
  const std::string_view last = typed.substr(start);
  if (const size_t equals = last.find('='); withLabels && equals != std::string_view::npos) {
    const std::string_view variable = last.substr(0, equals);
    for (const ModelNames::Variable &known : names.variables)
      if (known.name == variable)
        for (const std::string &label : known.labels)
          answers.offer(fmt::format("{}{}={}", front, variable, label), "state");
    return;
  }
  for (const ModelNames::Variable &known : names.variables)
    answers.offer(fmt::format("{}{}{}", front, known.name, withLabels ? "=" : ""), "variable");
}

void offerQueries(const ModelNames &names, std::string_view before, Offers &answers) {
  for (const std::string &query : names.queries)
    answers.offer(fmt::format("{}{}", before, query), "query of the model");
  for (const std::string_view form : {"evidence", "marginals", "best"})
    answers.offer(fmt::format("{}{}", before, form), "query");
  for (const ModelNames::Variable &variable : names.variables)
    answers.offer(fmt::format("{}P({})", before, variable.name), "posterior");
}

/// Offers values of an option. `before` is the part of the word in front of the value.
void offerValues(const OptionRow &row, const std::string &model, std::string_view before,
                 Offers &answers) {
  const std::string_view typed = std::string_view(answers.typed()).substr(before.size());
  switch (row.value.completes) {
  case Completion::Nothing:
    return;
  case Completion::File:
    return answers.offerFiles();
  case Completion::Folder:
    return answers.offerFolders();
  case Completion::FileOrChoices:
    answers.offerFiles();
    [[fallthrough]];
  case Completion::Choices:
    for (const std::string_view word : row.value.choices())
      answers.offer(fmt::format("{}{}", before, word), row.brief);
    return;
  case Completion::Evidence:
  case Completion::Variables:
    return offerEvidence(namesOfModel(model), row.value.completes == Completion::Evidence, before,
                         typed, answers);
  case Completion::Queries:
    return offerQueries(namesOfModel(model), before, answers);
  case Completion::Params:
    for (const std::string &param : namesOfModel(model).params)
      answers.offer(fmt::format("{}{}=", before, param), "param");
    return;
  }
}

void offerOptions(const CommandRow &command, Offers &answers) {
  const bool isBegun = answers.typed().size() > 2; // developers' options are many
  for (const OptionRow *row : optionsOf(command.command))
    if (!row->isWord() &&
        (isBegun || command.isForDevelopers || row->group != OptionGroup::Developers))
      answers.offer(row->name, row->brief);
}

void offerCommands(Offers &answers) {
  for (const CommandRow &command : commandTable())
    answers.offer(command.name, command.brief);
  answers.offer("help", "the help of a command, or about a topic");
  for (const std::string_view option : {"-h", "--help", "--version"})
    answers.offer(option, "of mpfc");
}

void offerTopics(Offers &answers) {
  for (const HelpTopic &topic : helpTopics())
    answers.offer(topic.name, topic.brief);
  for (const CommandRow &command : commandTable())
    answers.offer(command.name, command.brief);
  answers.offer("man", "the manual as a man page");
}

} // namespace

std::string completions(std::span<const std::string> words) {
  if (words.empty())
    return {};
  Offers answers(words.back());
  const CompletedLine line(words);
  if (words.size() == 2 && words.front() == "help") {
    offerTopics(answers);
  } else if (line.command() == nullptr) {
    if (words.size() == 1)
      offerCommands(answers);
  } else if (line.open() != nullptr) {
    offerValues(*line.open(), line.model(), "", answers);
  } else if (const size_t length = nameLength(words.back()); length != 0) {
    const std::string &word = words.back();
    const size_t begin = word.starts_with("--") ? length + 1 : length;
    if (const OptionRow *row = findOption(word.substr(0, length), line.command()->command);
        row != nullptr && !row->isFlag())
      offerValues(*row, line.model(), word.substr(0, begin), answers);
  } else if (words.back().starts_with('-')) {
    offerOptions(*line.command(), answers);
  } else {
    for (const OptionRow *row : optionsOf(line.command()->command))
      if (row->isWord() && line.model().empty())
        offerValues(*row, "", "", answers);
  }
  return answers.text();
}

} // namespace mpf::driver
