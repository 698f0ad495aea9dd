#include "dsl/support/file_input.h"

#include "dsl/support/error.h"
#include "dsl/support/number_text.h"
#include "dsl/support/raw_file.h"

#include <lzma.h>
#include <memory>
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
  for (bool done = false; !done;) {
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
  if (inflateInit2(&stream, 15 + 32) != Z_OK)
    throw std::bad_alloc(); // with these arguments nothing else can be missing
  const std::unique_ptr<z_stream, int (*)(z_stream *)> guard(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  return unpack(path, packed.size(), maxBytes, "gzip",
                [&](char *out, size_t size, size_t &written, bool &done) {
                  stream.next_out = reinterpret_cast<Bytef *>(out);
                  stream.avail_out = static_cast<uInt>(size);
                  int status = inflate(&stream, Z_NO_FLUSH);
                  written = size - stream.avail_out;
                  if (status == Z_MEM_ERROR)
                    throw std::bad_alloc();
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
  if (lzma_stream_decoder(&stream, kDecoderMemoryBytes, LZMA_CONCATENATED) != LZMA_OK)
    throw std::bad_alloc();
  const std::unique_ptr<lzma_stream, void (*)(lzma_stream *)> guard(&stream, lzma_end);
  stream.next_in = reinterpret_cast<const uint8_t *>(packed.data());
  stream.avail_in = packed.size();
  return unpack(path, packed.size(), maxBytes, "xz",
                [&](char *out, size_t size, size_t &written, bool &done) {
                  stream.next_out = reinterpret_cast<uint8_t *>(out);
                  stream.avail_out = size;
                  const lzma_ret status =
                      lzma_code(&stream, stream.avail_in == 0 ? LZMA_FINISH : LZMA_RUN);
                  written = size - stream.avail_out;
                  if (status == LZMA_MEM_ERROR)
                    throw std::bad_alloc();
                  done = status == LZMA_STREAM_END;
                  return done || status == LZMA_OK;
                });
}

std::string unpackZstd(const std::string &path, const std::string &packed, uint64_t maxBytes) {
  const std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream *)> stream(ZSTD_createDStream(),
                                                                         ZSTD_freeDStream);
  if (!stream)
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

std::string unpacked(const std::string &path, std::string contents, uint64_t maxBytes) {
  if (contents.starts_with("\x1f\x8b"))
    return unpackGzip(path, contents, maxBytes);
  if (contents.starts_with(std::string_view("\xfd"
                                            "7zXZ\0",
                                            6)))
    return unpackXz(path, contents, maxBytes);
  if (contents.starts_with("\x28\xb5\x2f\xfd"))
    return unpackZstd(path, contents, maxBytes);
  return contents;
}

} // namespace

std::string readFile(const std::string &path, uint64_t maxBytes) {
  return unpacked(path, readRawFile(path, maxBytes), maxBytes);
}

std::string readStdin(uint64_t maxBytes) {
  return unpacked("standard input", readRawStdin(maxBytes), maxBytes);
}

std::string withoutCompressionSuffix(const std::string &path) {
  for (const std::string_view suffix : {".gz", ".xz", ".zst"})
    if (path.size() > suffix.size() && path.ends_with(suffix))
      return path.substr(0, path.size() - suffix.size());
  return path;
}

} // namespace mpf
