// All faults of .npy files, with their messages.
#include "tests/unit/dsl/formats/npy_in_memory.h"

#include <gtest/gtest.h>

using namespace mpf;
using namespace std::string_literals;

namespace {

struct BrokenNpy {
  std::string file;
  const char *problem;
};

/// Returns a version 1.0 file with this header text and these entry bytes.
std::string versionOne(const std::string &header, const std::string &entries = "") {
  std::string file = "\x93NUMPY\1\0"s;
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  return file + header + entries;
}

/// Returns a dictionary with one value replaced.
std::string withDescr(const std::string &descr) {
  return versionOne("{'descr': " + descr + ", 'fortran_order': False, 'shape': (1,), }");
}
std::string withShape(const std::string &shape, const std::string &entries = "") {
  return versionOne("{'descr': '|u1', 'fortran_order': False, 'shape': " + shape + ", }", entries);
}

const std::vector<BrokenNpy> &brokenFiles() {
  static const std::vector<BrokenNpy> kFiles = {
      // the prelude
      {"", "it does not start like a .npy file"},
      {"1 2 3\n", "it does not start like a .npy file"},
      {"\x93NUMPZ\1\0"s, "it does not start like a .npy file"},
      {"\x93NUMPY", "it ends in its header, after 6 bytes"},
      {"\x93NUMPY\1\0\7"s, "it ends in its header, after 9 bytes"},
      {"\x93NUMPY\2\0\7\0\0"s, "it ends in its header, after 11 bytes"},
      {"\x93NUMPY\0\0\0\0"s, "its version is 0.0, 1.0 to 3.0 are known"},
      {"\x93NUMPY\4\0\0\0"s, "its version is 4.0, 1.0 to 3.0 are known"},
      {"\x93NUMPY\1\1\0\0"s, "its version is 1.1, 1.0 to 3.0 are known"},
      {"\x93NUMPY\1\0\x40\0{"s, "its header has 64 bytes, the file ends after 1 of them"},
      {"\x93NUMPY\2\0\xff\xff\xff\xff"s, "its header has 4294967295 bytes, the limit is 65535"},
      // the dictionary
      {versionOne(""), "expected '{' at character 0 of its header, found ''"},
      {versionOne("[]"), "expected '{' at character 0 of its header, found '[]'"},
      {versionOne("{"), "expected a key and ':' at character 1 of its header, found ''"},
      {versionOne("{}"), "its header has no 'descr'"},
      {versionOne("{} x"),
       "expected the end of the header at character 3 of its header, found 'x'"},
      {versionOne("{'descr'}"), "expected a key and ':' at character 8 of its header, found '}'"},
      {versionOne("{'descr: 1}"),
       "expected a key and ':' at character 2 of its header, found 'descr: 1}'"},
      {versionOne("{'order': 1}"), "its header has the unknown key 'order'"},
      {versionOne("{'descr': '<f8', 'descr': '<f8'}"), "its header has twice the key 'descr'"},
      {versionOne("{'descr': '<f8' 'shape': ()}"),
       "expected ',' or '}' at character 16 of its header, found ''shape': ()}'"},
      {versionOne("{'descr': '<f8', 'shape': ()}", "12345678"),
       "its header has no 'fortran_order'"},
      {versionOne("{'descr': '<f8', 'fortran_order': False}"), "its header has no 'shape'"},
      {versionOne("{'fortran_order': 0}"),
       "expected True or False at character 18 of its header, found '0}'"},
      {versionOne("{'\1\xff': 1}"), "its header has the unknown key '?\?'"},
      // types
      {withDescr("3"), "expected a type at character 10 of its header, found '3, 'fortran_'"},
      {withDescr("[('a', '<f8')]"), "it holds records, numbers are needed"},
      {withDescr("''"),
       "its type '' is not supported: bool, integers and floats of up to 8 bytes are"},
      {withDescr("'<f'"),
       "its type '<f' is not supported: bool, integers and floats of up to 8 bytes are"},
      {withDescr("'f8'"),
       "its type 'f8' is not supported: bool, integers and floats of up to 8 bytes are"},
      {withDescr("'|f8'"),
       "its type '|f8' is not supported: bool, integers and floats of up to 8 bytes are"},
      {withDescr("'<f1'"),
       "its type '<f1' is not supported: bool, integers and floats of up to 8 bytes are"},
      {withDescr("'<i3'"),
       "its type '<i3' is not supported: bool, integers and floats of up to 8 bytes are"},
      {withDescr("'<f16'"),
       "its type '<f16' is not supported: bool, integers and floats of up to 8 bytes are"},
      {withDescr("'<c8'"),
       "its type '<c8' is not supported: bool, integers and floats of up to 8 bytes are"},
      {withDescr("'|O'"),
       "its type '|O' is not supported: bool, integers and floats of up to 8 bytes are"},
      {withDescr("'|b2'"),
       "its type '|b2' is not supported: bool, integers and floats of up to 8 bytes are"},
      {withDescr("'<U1'"),
       "its type '<U1' is not supported: bool, integers and floats of up to 8 bytes are"},
      // shapes
      {withShape("3"), "expected '(' at character 50 of its header, found '3, }'"},
      {withShape("(3)"), "expected ',' at character 52 of its header, found '), }'"},
      {withShape("(-3,)"), "expected a size at character 51 of its header, found '-3,), }'"},
      {withShape("(2.5,)"), "expected ',' at character 52 of its header, found '.5,), }'"},
      {withShape("(,)"), "expected a size at character 51 of its header, found ',), }'"},
      {withShape("(99999999999999999999,)"),
       "expected a size at character 51 of its header, found '999999999999'"},
      {withShape("((1,),)"), "expected a size at character 51 of its header, found '(1,),), }'"},
      {withShape("(1,"), "expected a size at character 53 of its header, found ', }'"},
      {withShape("(2, 3)", "12345"), "its shape (2, 3) needs 6 bytes of entries, it has 5"},
      {withShape("(2, 3)", "1234567"), "its shape (2, 3) needs 6 bytes of entries, it has 7"},
      {withShape("()", ""), "its shape () needs 1 bytes of entries, it has 0"},
      {withShape("(4294967296, 4294967296)"),
       "its shape (4294967296, 4294967296) needs 2^64 or more bytes of entries, it has 0"},
  };
  return kFiles;
}

} // namespace

TEST(NpyBroken, EachIsRefusedInItsWords) {
  for (const BrokenNpy &broken : brokenFiles()) {
    std::string problem;
    EXPECT_FALSE(test::readNpyInMemory(broken.file, 1000, problem));
    EXPECT_EQ(problem, broken.problem);
  }
}

TEST(NpyBroken, MoreDimensionsThanNumpyAllows) {
  std::string shape = "(";
  for (int i = 0; i < 65; ++i)
    shape += "1, ";
  std::string problem;
  EXPECT_FALSE(test::readNpyInMemory(withShape(shape + ")", "1"), 1000, problem));
  EXPECT_EQ(problem, "it has more than 64 dimensions");
}

TEST(NpyBroken, EveryTruncationIsRefused) {
  const std::string file = formatNpy({2, 2}, std::vector<double>{1, 2, 3, 4});
  for (size_t size = 0; size < file.size(); ++size) {
    std::string problem;
    EXPECT_FALSE(test::readNpyInMemory(std::string_view(file).substr(0, size), 1000, problem))
        << size;
  }
}
