#include "tools/mpf-bench/shapes/fixed_shapes.h"

#include <algorithm>
#include <string>

namespace mpf::bench {

namespace {

/// Contractions that share their extents (of a, b, c, ...), each as "result-left-right".
struct TccgGroup {
  std::vector<uint32_t> extents;
  std::vector<const char *> contractions;
};

const std::vector<TccgGroup> &tccgTable() {
  static const std::vector<TccgGroup> table = {
      // Changes of basis, four-index transforms and coupled-cluster terms.
      {{312, 312, 24, 312}, {"abc-bda-dc"}},
      {{312, 24, 296, 312}, {"abc-dca-bd"}},
      {{72, 72, 24, 72, 72}, {"abcd-dbea-ec", "abcd-ebad-ce"}},
      {{72, 24, 72, 72, 72}, {"abcd-deca-be"}},
      {{48, 32, 24, 32, 48, 32}, {"abcde-efbad-cf"}},
      {{48, 32, 32, 24, 48, 48}, {"abcde-ecbfa-fd"}},
      {{48, 24, 32, 32, 48, 32}, {"abcde-efcad-bf"}},
      {{72, 72, 72, 72, 72}, {"abcd-ea-ebcd", "abcd-eb-aecd", "abcd-ec-abed", "abc-adec-ebd"}},
      {{5136, 5120, 5136}, {"ab-ac-cb"}},
      {{312, 296, 296, 312}, {"ab-acd-dbc", "abc-acd-db", "abc-adc-db"}},
      {{312, 296, 312, 312}, {"ab-cad-dcb"}},
      {{312, 312, 296, 296}, {"abc-ad-bdc", "abc-adc-bd"}},
      {{72, 72, 72, 72, 72, 72},
       {"abcd-aebf-dfce", "abcd-aebf-fdec", "abcd-aecf-bfde", "abcd-aecf-fbed", "abcd-aedf-bfce",
        "abcd-aedf-fbec", "abcd-aefb-fdce", "abcd-aefc-fbed", "abcd-eafb-fdec", "abcd-eafc-bfde",
        "abcd-eafd-fbec"}},
      // Triples of coupled-cluster theory.
      {{24, 16, 16, 24, 16, 16, 24},
       {"abcdef-dega-gfbc", "abcdef-degb-gfac", "abcdef-degc-gfab", "abcdef-dfga-gebc",
        "abcdef-dfgb-geac", "abcdef-dfgc-geab", "abcdef-geab-dfgc", "abcdef-geac-dfgb",
        "abcdef-gebc-dfga", "abcdef-gfab-degc", "abcdef-gfac-degb", "abcdef-gfbc-dega"}},
      {{24, 16, 16, 16, 24, 16, 24},
       {"abcdef-efga-gdbc", "abcdef-efgb-gdac", "abcdef-efgc-gdab", "abcdef-gdab-efgc",
        "abcdef-gdac-efgb", "abcdef-gdbc-efga"}},
  };
  return table;
}

/// "abc-bda-dc", first index fastest -> "adb,cd->cba", last index fastest.
std::string rowMajor(std::string text) {
  std::reverse(text.begin(), text.end()); // right-left-result, each turned round
  const size_t first = text.find('-'), second = text.find('-', first + 1);
  return text.substr(first + 1, second - first - 1) + "," + text.substr(0, first) + "->" +
         text.substr(second + 1);
}

} // namespace

std::vector<BucketShape> tccgShapes() {
  std::vector<BucketShape> shapes;
  for (const TccgGroup &group : tccgTable()) {
    std::vector<std::pair<char, uint32_t>> extents;
    for (size_t i = 0; i < group.extents.size(); ++i)
      extents.emplace_back(static_cast<char>('a' + i), group.extents[i]);
    for (const char *contraction : group.contractions)
      shapes.push_back(shapeFromLetters("tccg", contraction, rowMajor(contraction), extents));
  }
  return shapes;
}

} // namespace mpf::bench
