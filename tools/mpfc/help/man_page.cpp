#include "tools/mpfc/help/man_page.h"

#include "tools/mpfc/help/help_topics.h"
#include "tools/mpfc/help/option_text.h"
#include "tools/mpfc/help/text_block.h"
#include "tools/mpfc/options/option_table.h"

#include <fmt/core.h>
#include <string_view>

namespace mpf::driver {

namespace {

constexpr const char *kDate = "2026-11-29"; ///< of the form of this page, not of a build

/// Escapes a text for roff. Hyphens stay hyphens that can be copied; no line is a request.
std::string roff(std::string_view text) {
  std::string escaped;
  bool isLineStart = true;
  for (const char c : text) {
    if (isLineStart && (c == '.' || c == '\''))
      escaped += "\\&";
    isLineStart = c == '\n';
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
  }
  return escaped;
}

/// A text as it stands, in a fixed width.
std::string verbatim(std::string_view text) {
  std::string page = ".nf\n";
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    const std::string_view line = text.substr(at, end - at);
    page += line.empty() ? ".sp\n" : roff(line) + '\n';
    at = end + 1;
  }
  return page + ".fi\n";
}

/// A paragraph, in lines that roff tools do not find too long even with its escapes.
std::string paragraph(std::string_view text) {
  constexpr size_t kWidth = 66;
  return roff(textBlock("", 0, text, kWidth));
}

/// A text with one full stop at its end.
std::string sentence(const std::string &text) {
  return text.substr(0, text.find_last_not_of('.') + 1) + '.';
}

std::string optionItems(Command command) {
  std::string page;
  for (const OptionRow *row : optionsOf(command))
    if (row->group != OptionGroup::Developers)
      page += fmt::format(".TP\n.B {}\n{}", roff(optionTitle(*row)),
                          paragraph(sentence(optionText(*row))));
  return page;
}

std::string upperCase(std::string_view text) {
  std::string upper;
  for (const char c : text)
    upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

} // namespace

std::string manPage(std::string_view version) {
  std::string page = fmt::format(".TH MPFC 1 {} \"mpf {}\"\n.SH NAME\n"
                                 "mpfc \\- compile probabilistic models and answer their queries\n"
                                 ".SH SYNOPSIS\n",
                                 kDate, version);
  for (const CommandRow &command : commandTable())
    if (!command.isForDevelopers)
      page += fmt::format(".B {}\n.br\n", roff(usageLine(command)));
  page += ".B mpfc help\n[COMMAND or TOPIC]\n.SH DESCRIPTION\n" +
          paragraph("mpfc reads a Bayesian network or a factor graph and computes sums, marginals "
                    "and maxima over the product of its functions, on the CPU or on an NVIDIA "
                    "GPU.");
  for (const CommandRow &command : commandTable())
    page +=
        fmt::format(".SH {}\n{}:\n.PP\n{}.\n{}", upperCase(roff(command.name)),
                    roff(usageLine(command)), roff(command.brief), optionItems(command.command));
  for (const HelpTopic &topic : helpTopics())
    if (!topic.isPage)
      page += fmt::format(".SH {}\n{}", upperCase(roff(topic.name)), verbatim(topic.text()));
  page += ".SH EXAMPLES\n";
  for (const CommandRow &command : commandTable())
    for (const Example &example : command.examples)
      page += fmt::format(".TP\n{}\n{}\n", roff(example.line), roff(example.what));
  return page;
}

} // namespace mpf::driver
