// Literal arrays: reads characters directly into a flat vector of doubles.
//
// Most of the text of a large model is tables, so plain numbers are not made into tokens. The
// expression parser reads any other element (`1 - theta`, `1/3`).
#pragma once

#include "dsl/syntax/token_stream.h"

namespace mpf {

/// Reads one array. The stream's current token is its '['. After an error it goes on at the next
/// element, so that all errors of the array are reported. Then it throws Panic, which drops the
/// declaration.
class ArrayReader {
public:
  explicit ArrayReader(TokenStream &stream);
  ast::ArrayLiteral read();

private:
  /// One level of brackets. Its extent is known once the first row is closed.
  struct Level {
    uint64_t count = 0;  ///< elements of the open row so far
    uint64_t extent = 0; ///< 0: no row of this level is closed yet
    uint32_t begin = 0;  ///< offset of the open row's '['
    bool broken = false; ///< an element of the open row was dropped
  };

  bool skipBlanks(); ///< false at the end of the text
  void openRow();
  void closeRow();
  bool plainNumber(); ///< false: nothing was read, the element is an expression
  void computedElement();
  void addValue(double value);
  void checkLeafDepth(SourceRange range);
  void unevenLevels(SourceRange range, std::string message);
  void recover();
  void expectSeparator();

  TokenStream &stream_;
  std::string_view text_;
  uint32_t at_;
  uint32_t contentEnd_ = 0;   ///< end of the last bracket or element that was read
  bool broken_ = false;       ///< an error was reported: the result is dropped
  bool uneven_ = false;       ///< numbers and rows mixed, reported once
  std::vector<Level> levels_; ///< one per level ever opened, outermost first
  size_t open_ = 0;           ///< rows open now
  size_t leafDepth_ = 0;      ///< depth that holds numbers; 0 = not known yet
  uint64_t counted_ = 0;      ///< values already counted against the file's bound
  ast::ArrayLiteral array_;
};

} // namespace mpf
