#include "dsl/syntax/token.h"

#include <array>

namespace mpf {

namespace {

struct Word {
  std::string_view spelling;
  TokenKind kind;
};

constexpr std::array kReserved = {
#define MPF_TOKEN(kind, description)
#define MPF_PUNCT(kind, spelling)
#define MPF_WORD(kind, spelling) Word{spelling, TokenKind::kind},
#include "dsl/syntax/token.def"
};

constexpr std::array<std::string_view, 13> kDeclarationWords = {
#define MPF_DECL(kind, spelling) spelling,
#define MPF_WORD(kind, spelling)
#include "dsl/syntax/token.def"
};

constexpr size_t kLongestReserved = 7;

} // namespace

std::optional<TokenKind> reservedWord(std::string_view text) {
  if (text.size() > kLongestReserved)
    return std::nullopt;
  for (const Word &word : kReserved)
    if (word.spelling == text)
      return word.kind;
  return std::nullopt;
}

bool isDeclarationWord(TokenKind kind) {
  return kind >= TokenKind::Model && kind <= TokenKind::Import;
}

std::span<const std::string_view> declarationWords() { return kDeclarationWords; }

} // namespace mpf
