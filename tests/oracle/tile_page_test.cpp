// Tests pages of the CPU's tile path: operands of every group, results and operands in any order of
// digits. Sums have one page or several, digits are cut, and threads get parts.
#include "tests/oracle/bundle_builder.h"
#include "tests/oracle/run_on_cpu.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace mpf::oracle {
namespace {

struct PageShape {
  const char *operands; ///< scopes by letters as in einsum, separated by commas
  const char *result;
  std::vector<uint32_t> extents; ///< extents of a, b, c, ...
};

/// Returns one operation. Entries of logarithms are `spread` binary orders apart.
Bundle bundleOf(const PageShape &shape, Semiring semiring, ElementType type, double spread) {
  BundleBuilder builder(type);
  std::vector<VarId> variables;
  for (const uint32_t extent : shape.extents)
    variables.push_back(builder.variable(extent));
  const auto scopeOf = [&](std::string_view letters) {
    std::vector<VarId> scope;
    for (const char letter : letters)
      scope.push_back(variables[static_cast<size_t>(letter - 'a')]);
    return scope;
  };
  std::mt19937_64 random(7);
  std::vector<BufferId> operands;
  for (std::string_view rest = shape.operands; !rest.empty();) {
    const size_t comma = std::min(rest.find(','), rest.size());
    std::vector<VarId> scope = scopeOf(rest.substr(0, comma));
    size_t elems = 1;
    for (const VarId id : scope)
      elems *= builder.extent(id);
    std::vector<double> values(elems);
    for (double &value : values)
      value = std::exp2(spread * (static_cast<double>(random() >> 11) * 0x1p-53 - 0.5));
    operands.push_back(builder.input(std::move(scope), std::move(values)));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  builder.operation(semiring, operands, scopeOf(shape.result));
  return builder.finish();
}

const std::vector<PageShape> &pageShapes() {
  static const std::vector<PageShape> shapes = {
      {"ac,cb", "ab", {54, 144, 7}},                  // a short sum
      {"abd,bcd,acd", "abc", {13, 40, 37, 11}},       // an operand varies with rows and columns
      {"dab,cdb,adc", "abc", {13, 40, 37, 11}},       // the same, permuted
      {"dab,cdb,adc", "cba", {7, 33, 21, 11}},        // and the result as well
      {"abd,bcd,acd", "abc", {5, 17, 19, 300}},       // sums of several pages
      {"ac,bc", "ab", {3001, 8, 5}},                  // few columns: written across
      {"ac,bc", "ba", {1500, 3, 13}},                 //
      {"adc,bdc", "abc", {11, 7, 130, 5}},            // the batch is the fastest digit
      {"adc,db", "abc", {2000, 2, 2, 2}},             // variables of two states
      {"adc,db", "abc", {700, 3, 3, 3}},              //
      {"adc,db", "abc", {300, 2, 4, 4}},              //
      {"abcd,bcd", "abc", {31, 19, 5, 2}},            // a sum over the fastest digit
      {"acb,bc", "ab", {90, 250, 3}},                 // columns read where they lie
      {"acb,bc", "ab", {3, 1030, 5}},                 // and a rest of a tile
      {"ab,cb,b,c,a,bca,ac,cab", "ca", {23, 29, 31}}, // eight operands
      {"ab,cb,db,b", "dca", {13, 11, 7, 5}},          //
      {"ad,bd,cd", "cab", {1, 97, 101, 7}},           //
      {"ea,bec,ced", "abcd", {3, 9, 9, 40, 12}},      //
      {"ac,bc", "ab", {37, 29, 700}},                 // several pages of terms
      {"acd,dcb", "ba", {70, 29, 13, 40}},            //
      {"dcb,cad", "ab", {18, 9, 96, 31}},             // terms in neither operand's order
      {"fced,ebfa", "abcd", {4, 4, 9, 9, 13, 11}},    //
      {"ab,c", "abc", {61, 7, 50}},                   // no sum at all
      {"ad,bd,abd", "abc", {40, 21, 1, 17}},          //
  };
  return shapes;
}

class TilePages : public testing::TestWithParam<size_t> {};

TEST_P(TilePages, AgreeWithBruteForce) {
  const PageShape &shape = pageShapes()[GetParam()];
  for (const ElementType type : {ElementType::F64, ElementType::F32})
    for (const Semiring semiring :
         {Semiring{Reduce::Sum, Combine::Times}, Semiring{Reduce::Max, Combine::Times},
          Semiring{Reduce::Min, Combine::Times}, Semiring{Reduce::Max, Combine::Plus},
          Semiring{Reduce::Min, Combine::Plus}})
      for (const bool forcedLog : {false, true}) {
        if (forcedLog && semiring.combine == Combine::Plus)
          continue;
        Bundle bundle = bundleOf(shape, semiring, type, forcedLog ? 12 : 2);
        bundle.forcedLog = forcedLog;
        const auto executor = runOnCpu(bundle);
        const double tolerance = type == ElementType::F64 ? 3e-13 : 6e-5;
        EXPECT_EQ(compareWithBruteForce(bundle, *executor, tolerance), "")
            << shape.operands << " to " << shape.result << (forcedLog ? ", logarithms" : "");
      }
}

INSTANTIATE_TEST_SUITE_P(Shapes, TilePages, testing::Range(size_t{0}, pageShapes().size()));

/// The sums are large enough to be shared: pages are smaller for more threads, sums are not cut.
TEST(TilePagesOfThreads, HaveTheSameBits) {
  const std::vector<PageShape> shapes = {{"ac,cb", "ab", {400, 300, 200}},
                                         {"abd,bcd,acd", "abc", {40, 70, 90, 60}},
                                         {"adc,bdc", "abc", {60, 50, 130, 20}},
                                         {"ac,bc", "ba", {90001, 6, 17}},
                                         {"ac,cb", "ab", {12, 40, 20000}}};
  for (const PageShape &shape : shapes)
    for (const bool forcedLog : {false, true}) {
      Bundle bundle = bundleOf(shape, {Reduce::Sum, Combine::Times}, ElementType::F64, 2);
      bundle.forcedLog = forcedLog;
      const auto one = runOnCpu(bundle, 1);
      ASSERT_STREQ(one->profile().front().path, "tiles") << shape.operands;
      for (const unsigned threads : {2U, 5U}) {
        const auto several = runOnCpu(bundle, threads);
        EXPECT_TRUE(sameBits(bundle, *one, *several))
            << shape.operands << ": " << threads << " threads, other bits";
      }
    }
}

} // namespace
} // namespace mpf::oracle
