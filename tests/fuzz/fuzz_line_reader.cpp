// Reads any bytes with the word reader of the printed artefacts: calls every function that takes a
// word, then prints the diagnostics.
#include "dsl/source/line_reader.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace mpf;
  const auto text = std::make_shared<const SourceBuffer>(
      "fuzz", std::string(reinterpret_cast<const char *>(data), size));
  Diagnostics diagnostics;
  LineReader reader(text, diagnostics);
  while (reader.next()) {
    // The keyword's first letter chooses what the reader expects next.
    const std::string keyword = reader.keyword().text;
    for (size_t i = 0; i < 4 && !reader.atEndOfLine(); ++i) {
      switch (keyword.empty() ? 0 : (keyword[0] + i) % 5) {
      case 0:
        reader.takeWord("a word");
        break;
      case 1:
        reader.takeUnsigned("a number", 1000);
        break;
      case 2:
        reader.takeDouble("a value");
        break;
      case 3:
        reader.takeUnsignedKey("elems", UINT64_MAX);
        break;
      default:
        reader.takeKey("name");
      }
    }
    reader.expectEndOfLine();
  }
  renderDiagnostics(diagnostics);
  return 0;
}
