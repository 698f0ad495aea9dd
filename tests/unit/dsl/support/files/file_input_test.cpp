#include "dsl/support/files/file_input.h"
#include "dsl/support/files/file_output.h"

#include "dsl/support/error.h"
#include "tests/unit/temporary_folder.h"

#include <cstring>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <lzma.h>
#include <memory>
#include <sys/stat.h>
#include <thread>
#include <zlib.h>
#include <zstd.h>

using namespace mpf;

namespace {

std::string gzipped(const std::string &text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef *>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string xzPacked(const std::string &text) {
  std::string packed(lzma_stream_buffer_bound(text.size()), '\0');
  size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(
                6, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const uint8_t *>(text.data()),
                text.size(), reinterpret_cast<uint8_t *>(packed.data()), &size, packed.size()),
            LZMA_OK);
  packed.resize(size);
  return packed;
}

std::string zstdPacked(const std::string &text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  const std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx *)> context(ZSTD_createCCtx(),
                                                                    ZSTD_freeCCtx);
  // The zstd program writes a checksum too; without it, damage in a literal cannot be detected.
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  const size_t size =
      ZSTD_compress2(context.get(), packed.data(), packed.size(), text.data(), text.size());
  EXPECT_FALSE(ZSTD_isError(size));
  packed.resize(size);
  return packed;
}

struct Format {
  const char *name;
  std::function<std::string(const std::string &)> pack;
};

class FileInput : public ::testing::TestWithParam<Format> {
protected:
  std::string write(const std::string &contents) {
    const std::string path = folder_ / "file.uai";
    writeFile(path, contents);
    return path;
  }
  /// Returns the error of reading `contents`, without the path; empty if there is none.
  std::string problemOf(const std::string &contents, uint64_t maxBytes = kMaxTextFileBytes) {
    const std::string path = write(contents);
    try {
      readFile(path, maxBytes);
    } catch (const Error &error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with(path + ": ")) << message;
      return message.substr(path.size() + 2);
    }
    return {};
  }

  const TemporaryFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
};

std::string sampleText() {
  std::string text = "MARKOV\n";
  for (int i = 0; i < 150000; ++i)
    text += std::to_string(i * 2654435761u) + (i % 7 ? " " : "\n");
  return text;
}

} // namespace

TEST_P(FileInput, UnpacksWhateverTheNameSays) {
  const std::string text = sampleText();
  EXPECT_EQ(readFile(write(GetParam().pack(text))), text);
  EXPECT_EQ(readFile(write(GetParam().pack(""))), "");
}

TEST_P(FileInput, ConcatenatedPartsAreOneFile) {
  EXPECT_EQ(readFile(write(GetParam().pack("MARKOV 1 ") + GetParam().pack("2 0"))), "MARKOV 1 2 0");
}

TEST_P(FileInput, EveryTruncationIsRefused) {
  const std::string packed = GetParam().pack("MARKOV 3 2 2 2 0 and some more text to pack");
  // From two bytes on gzip is recognised; below six, xz is not, and the text is the file itself.
  for (size_t size = 6; size < packed.size(); ++size)
    EXPECT_EQ(problemOf(packed.substr(0, size)),
              std::string("broken or truncated ") + GetParam().name + " data")
        << size << " of " << packed.size() << " bytes";
}

TEST_P(FileInput, TruncationInTheMiddleOfALargeFile) {
  const std::string packed = GetParam().pack(sampleText());
  for (const size_t part : {4, 3, 2})
    EXPECT_EQ(problemOf(packed.substr(0, packed.size() - packed.size() / part)),
              std::string("broken or truncated ") + GetParam().name + " data");
}

TEST_P(FileInput, DamageAndTrailingBytesAreRefused) {
  std::string packed = GetParam().pack(sampleText());
  EXPECT_NE(problemOf(packed + "rubbish behind the end"), "");
  packed[packed.size() / 2] = static_cast<char>(~packed[packed.size() / 2]);
  EXPECT_NE(problemOf(packed), "");
}

TEST_P(FileInput, BombsStopAtTheLimit) {
  const std::string packed = GetParam().pack(std::string(size_t{64} << 20, '0'));
  ASSERT_LT(packed.size(), 100000u);
  EXPECT_EQ(problemOf(packed, 1000000),
            "unpacks to more than 976.6 KiB, the limit for such a file");
}

INSTANTIATE_TEST_SUITE_P(Formats, FileInput,
                         ::testing::Values(Format{"gzip", gzipped}, Format{"xz", xzPacked},
                                           Format{"zstd", zstdPacked}),
                         [](const auto &format) { return std::string(format.param.name); });

using PlainFile = FileInput;
TEST_F(PlainFile, ReadsUpToTheLimit) {
  EXPECT_EQ(readFile(write("12345"), 5), "12345");
  EXPECT_EQ(problemOf("123456", 5), "holds 6 B, more than 5 B, the limit for such a file");
  EXPECT_EQ(readFile(write("")), "");
  EXPECT_EQ(readFile(write("\x1f")), "\x1f") << "too short to be gzip";
}

/// Such a file would fill gigabytes before the limit is reached.
TEST_F(PlainFile, BombsStopAtAnImplausibleRatio) {
  const std::string problem = problemOf(zstdPacked(std::string(size_t{300} << 20, '0')));
  EXPECT_NE(problem.find("unpack to more than 256 MiB and more than 500 times as much"),
            std::string::npos)
      << problem;
}

/// A file of holes has the size that the system reports.
TEST_F(PlainFile, SizesAreCheckedBeforeReading) {
  const std::string path = write("");
  std::filesystem::resize_file(path, uint64_t{1} << 40);
  try {
    readFile(path);
    ADD_FAILURE() << "read a terabyte";
  } catch (const Error &error) {
    EXPECT_EQ(std::string(error.what()),
              path + ": holds 1 TiB, more than 2 GiB, the limit for such a file");
  }
}

TEST_F(PlainFile, DevicesAreBounded) {
  EXPECT_EQ(readFile("/dev/null"), "");
  try {
    readFile("/dev/zero");
    ADD_FAILURE() << "read all of it";
  } catch (const Error &error) {
    EXPECT_EQ(std::string(error.what()),
              "/dev/zero: holds more than 16 MiB, the limit for such a device");
  }
}

TEST_F(PlainFile, PipesAreReadWhenThereIsAWriter) {
  const std::string path = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const std::string text(size_t{3} << 20, 'x');
  std::jthread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    writeFile(path, text);
  });
  EXPECT_EQ(readFile(path), text);
  writer.join();
  try {
    readFile(path);
    ADD_FAILURE() << "read what nobody wrote";
  } catch (const Error &error) {
    EXPECT_EQ(std::string(error.what()),
              path + ": is a pipe that nobody has written to for 3 seconds");
  }
}

TEST_F(PlainFile, FoldersAndMissingFilesAreRefused) {
  const auto failure = [](const std::string &path) -> std::string {
    try {
      readFile(path);
    } catch (const Error &error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(failure(folder_), folder_.string() + ": is a directory, a file is needed");
  EXPECT_EQ(failure(folder_ / "none"),
            (folder_ / "none").string() + ": cannot be opened: No such file or directory");
}

TEST_F(PlainFile, FailedWritesLeaveNothing) {
  EXPECT_THROW(writeFile(folder_ / "no" / "such" / "folder", "x"), Error);
  EXPECT_THROW(writeFile(folder_, "a folder is in the way"), Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST(FileNames, CompressionSuffix) {
  EXPECT_EQ(withoutCompressionSuffix("a/b.uai.xz"), "a/b.uai");
  EXPECT_EQ(withoutCompressionSuffix("b.uai"), "b.uai");
  EXPECT_EQ(withoutCompressionSuffix(".gz"), ".gz");
}
