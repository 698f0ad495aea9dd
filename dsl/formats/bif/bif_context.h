// The state that the parts of the .bif reader share.
#pragma once

#include "dsl/formats/network/block_context.h"

#include <deque>
#include <string>
#include <vector>

namespace mpf {

inline constexpr BlockDialect kBifDialect("{}()[],;|", "//", true, false);

struct BifContext : BlockContext {
  BifContext(const std::shared_ptr<const SourceBuffer> &buffer, Diagnostics &diagnostics)
      : BlockContext(kBifDialect, buffer, diagnostics) {}

  /// Takes the names of a list, up to a mark other than `,`, and sets `names`. Each word is a name
  /// if there are `count` words. Otherwise all words between two commas form one name, as in
  /// `very low, high`; a word in quotes is not joined with others. If neither gives `count` names,
  /// `names` has the words. The names live as long as the context.
  void takeNames(uint64_t count, std::vector<PlacedText> &names);
  /// Skips `property ... ;`, which may be in any block; reports a property without an end.
  bool skipProperty();

private:
  /// Whether each word in quotes is all that stands between two commas.
  bool areQuotedAlone() const;
  void joinGroups(std::vector<PlacedText> &names);

  std::vector<BlockToken> words_; ///< words of the list that takeNames reads
  std::vector<size_t> groupEnds_; ///< for each comma: the number of words before it
  std::deque<std::string> joined_;
};

} // namespace mpf
