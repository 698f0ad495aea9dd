#include "dsl/support/files/file_input.h"

#include "dsl/support/error.h"
#include "dsl/support/files/raw_file.h"
#include "dsl/support/number_text.h"
#include "dsl/support/system/growth_guard.h"

#include <lzma.h>
#include <memory>
#include <new>
#include <string_view>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

namespace mpf {

namespace {

constexpr size_t kChunkBytes = size_t{1} << 20;

/// A bomb unpacks to as much as memory holds; published networks of repeated tables are packed up
/// to 1200-fold too, but not that large.
constexpr uint64_t kPlausibleUnpackedBytes = uint64_t{256} << 20;
constexpr uint64_t kPlausibleRatio = 500;

void checkUnpacked(const std::string &path, uint64_t packed, uint64_t unpacked, uint64_t maxBytes) {
  if (unpacked > maxBytes)
    fail(ErrorKind::BadInput, "{}: unpacks to more than {}, the limit for such a file", path,
         formatBytes(maxBytes));
  if (unpacked > kPlausibleUnpackedBytes && unpacked / kPlausibleRatio > packed)
    fail(ErrorKind::BadInput,
         "{}: its {} unpack to more than {} and more than {} times as much, as decompression bombs "
         "do; unpack it yourself if it is none",
         path, formatBytes(packed), formatBytes(kPlausibleUnpackedBytes), kPlausibleRatio);
}

/// Runs `step(outBuffer, outSize) -> bytes written, done` until it says it is done.
template <class Step>
std::string unpack(const std::string &path, uint64_t packedBytes, uint64_t maxBytes,
                   const char *format, Step step) {
  std::string out;
  GrowthGuard guard(path);
  for (bool done = false; !done;) {
    guard.mayGrow(out);
    const size_t old = out.size();
    out.resize(old + kChunkBytes);
    size_t written = 0;
    if (!step(out.data() + old, kChunkBytes, written, done))
      fail(ErrorKind::BadInput, "{}: broken or truncated {} data", path, format);
    out.resize(old + written);
    checkUnpacked(path, packedBytes, out.size(), maxBytes);
  }
  return out;
}

std::string unpackGzip(const std::string &path, const std::string &packed, uint64_t maxBytes) {
  z_stream stream{};
  if (const int status = inflateInit2(&stream, 15 + 32); status == Z_MEM_ERROR)
    throw std::bad_alloc();
  else if (status != Z_OK)
    fail(ErrorKind::Internal, "zlib cannot start");
  const std::unique_ptr<z_stream, int (*)(z_stream *)> guard(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  return unpack(path, packed.size(), maxBytes, "gzip",
                [&](char *out, size_t size, size_t &written, bool &done) {
                  stream.next_out = reinterpret_cast<Bytef *>(out);
                  stream.avail_out = static_cast<uInt>(size);
                  const int status = inflate(&stream, Z_NO_FLUSH);
                  if (status == Z_MEM_ERROR)
                    throw std::bad_alloc();
                  written = size - stream.avail_out;
                  if (status == Z_STREAM_END) {
                    done = stream.avail_in == 0;
                    // Concatenated members are one file; anything else after the end is broken.
                    return done || inflateReset(&stream) == Z_OK;
                  }
                  return status == Z_OK && (written > 0 || stream.avail_in > 0);
                });
}

std::string unpackXz(const std::string &path, const std::string &packed, uint64_t maxBytes) {
  lzma_stream stream = LZMA_STREAM_INIT;
  constexpr uint64_t kDecoderMemoryBytes = uint64_t{256} << 20;
  const lzma_ret started = lzma_stream_decoder(&stream, kDecoderMemoryBytes, LZMA_CONCATENATED);
  if (started == LZMA_MEM_ERROR)
    throw std::bad_alloc();
  if (started != LZMA_OK)
    fail(ErrorKind::Internal, "liblzma cannot start");
  const std::unique_ptr<lzma_stream, void (*)(lzma_stream *)> guard(&stream, lzma_end);
  stream.next_in = reinterpret_cast<const uint8_t *>(packed.data());
  stream.avail_in = packed.size();
  return unpack(path, packed.size(), maxBytes, "xz",
                [&](char *out, size_t size, size_t &written, bool &done) {
                  stream.next_out = reinterpret_cast<uint8_t *>(out);
                  stream.avail_out = size;
                  const lzma_ret status =
                      lzma_code(&stream, stream.avail_in == 0 ? LZMA_FINISH : LZMA_RUN);
                  if (status == LZMA_MEM_ERROR)
                    throw std::bad_alloc();
                  written = size - stream.avail_out;
                  done = status == LZMA_STREAM_END;
                  return done || status == LZMA_OK;
                });
}

std::string unpackZstd(const std::string &path, const std::string &packed, uint64_t maxBytes) {
  const std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream *)> stream(ZSTD_createDStream(),
                                                                         ZSTD_freeDStream);
  if (stream == nullptr)
    throw std::bad_alloc();
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  return unpack(path, packed.size(), maxBytes, "zstd",
                [&](char *out, size_t size, size_t &written, bool &done) {
                  ZSTD_outBuffer buffer{out, size, 0};
                  const size_t status = ZSTD_decompressStream(stream.get(), &buffer, &in);
                  if (ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation)
                    throw std::bad_alloc();
                  written = buffer.pos;
                  done = status == 0 && in.pos == in.size;
                  return !ZSTD_isError(status) && (written > 0 || in.pos < in.size || done);
                });
}

constexpr std::string_view kGzip = "\x1f\x8b", kZstd = "\x28\xb5\x2f\xfd";
constexpr std::string_view kXz("\xfd"
                               "7zXZ\0",
                               6);

std::string unpacked(const std::string &path, std::string contents, uint64_t maxBytes) {
  if (contents.starts_with(kGzip))
    return unpackGzip(path, contents, maxBytes);
  if (contents.starts_with(kXz))
    return unpackXz(path, contents, maxBytes);
  if (contents.starts_with(kZstd))
    return unpackZstd(path, contents, maxBytes);
  return contents;
}

} // namespace

bool isPacked(std::string_view contents) {
  return contents.starts_with(kGzip) || contents.starts_with(kXz) || contents.starts_with(kZstd);
}

std::string readFile(const std::string &path, uint64_t maxBytes) {
  return unpacked(path, readRawFile(path, maxBytes), maxBytes);
}

std::string readStdin(uint64_t maxBytes) {
  return unpacked("standard input", readRawStdin(maxBytes), maxBytes);
}

std::string withoutCompressionSuffix(const std::string &path) {
  for (const std::string_view suffix : kCompressionEndings)
    if (path.size() > suffix.size() && path.ends_with(suffix))
      return path.substr(0, path.size() - suffix.size());
  return path;
}

} // namespace mpf
