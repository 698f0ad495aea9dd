#include "dsl/model/names/name_index.h"

#include "dsl/syntax/spelling.h"

#include <algorithm>

namespace mpf {

std::string_view nameKindWord(NameKind kind) {
  switch (kind) {
  case NameKind::Model:
    return "model";
  case NameKind::Domain:
    return "domain";
  case NameKind::Label:
    return "label";
  case NameKind::Variable:
    return "variable";
  case NameKind::Param:
    return "param";
  case NameKind::Function:
    return "function";
  case NameKind::Argument:
    return "argument";
  case NameKind::Index:
    return "index";
  case NameKind::Binding:
    return "name behind 'where'";
  case NameKind::Factor:
    return "factor";
  case NameKind::Query:
    break;
  }
  return "query";
}

const NameIndex::Text *NameIndex::text(std::string_view name) const {
  const auto found =
      std::ranges::find_if(texts, [name](const Text &text) { return text.source->name() == name; });
  return found == texts.end() ? nullptr : &*found;
}

const NameUse *NameIndex::useAt(const Text &text, uint32_t offset) {
  // The last use that begins at or before `offset`: it begins there if two of them touch.
  const auto after = std::ranges::upper_bound(text.uses, offset, {},
                                              [](const NameUse &use) { return use.range.begin; });
  if (after == text.uses.begin())
    return nullptr;
  const NameUse &use = *std::prev(after);
  return offset <= use.range.end ? &use : nullptr;
}

SourceRange nameAt(std::string_view text, uint32_t begin) {
  size_t end = begin;
  if (end < text.size() && text[end] == '`') {
    for (++end; end < text.size() && text[end] != '`'; ++end)
      end += text[end] == '\\' ? 1 : 0;
    end = std::min(end + 1, text.size());
  } else {
    while (end < text.size() && isNameChar(text[end]))
      ++end;
  }
  return {begin, static_cast<uint32_t>(end)};
}

} // namespace mpf
