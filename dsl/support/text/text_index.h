// Numbers for distinct texts, such as the names of a large file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf {

/// The first distinct text has the number 0, the next one 1, and so on. Texts lie in one string,
/// and their hashes in a table, so that a look-up touches little memory. Not thread-safe.
class TextIndex {
public:
  /// Returns the number of the text, and whether the text is new.
  std::pair<uint32_t, bool> add(std::string_view text);
  /// Returns the number of the text; nothing: it was not added.
  std::optional<uint32_t> find(std::string_view text) const;
  /// Returns the text of a number, until the next one is added.
  std::string_view text(uint32_t number) const {
    const size_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::string_view(bytes_).substr(begin, ends_[number] - begin);
  }
  size_t size() const { return ends_.size(); }

private:
  static constexpr uint32_t kFree = UINT32_MAX;
  struct Slot {
    uint32_t hash = 0, number = kFree;
  };

  /// Returns the slot of the text, or the free one where it belongs.
  size_t slotOf(std::string_view text, uint32_t hash) const;
  void grow();

  std::string bytes_;
  std::vector<size_t> ends_; ///< of the texts in `bytes_`
  std::vector<Slot> slots_;  ///< a power of two, or none; at most half are taken
};

} // namespace mpf
