// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/idx_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/data/gzip_reader.h"

namespace dubito {
namespace {

/// No deflate stream expands further than this.
constexpr std::int64_t kLargestExpansion = 1040;
constexpr std::int64_t kLargestClaim = std::int64_t{1} << 40;

struct Header {
  std::vector<std::int64_t> shape;
  std::int64_t claimed_bytes = 1;
};

Expected<Header> readHeader(GzipReader& reader, const std::string& path) {
  std::array<std::uint8_t, 4> magic{};
  const Expected<std::int64_t> got = reader.read(magic);
  if (!got) {
    return failWith(got);
  }
  constexpr int kUnsignedByte = 0x08;
  constexpr int kMostDimensions = 4;
  const int dimensions = magic[3];
  if (*got < 4 || magic[0] != 0 || magic[1] != 0 || dimensions < 1 ||
      dimensions > kMostDimensions) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: this is not an idx file (its first bytes are {:02x}); give an idx "
                            "file such as t10k-images-idx3-ubyte.gz",
                            path, fmt::join(magic.begin(), magic.begin() + *got, " ")));
  }
  if (magic[2] != kUnsignedByte) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: its elements are of idx type 0x{:02x}; only unsigned bytes (0x08) "
                            "are read, convert it or use npz",
                            path, magic[2]));
  }
  std::vector<std::uint8_t> extents(static_cast<std::size_t>(4 * dimensions));
  const Expected<std::int64_t> extents_got = reader.read(extents);
  if (!extents_got) {
    return failWith(extents_got);
  }
  if (*extents_got < 4 * dimensions) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: the file ends inside its header; fetch the file again", path));
  }
  Header header;
  for (std::size_t at = 0; at < extents.size(); at += 4) {
    const std::int64_t extent = (std::int64_t{extents[at]} << 24) |
                                (std::int64_t{extents[at + 1]} << 16) |
                                (std::int64_t{extents[at + 2]} << 8) | extents[at + 3];
    header.shape.push_back(extent);
    // Both factors stay below 2^40 and 2^32, so that the product cannot overflow unnoticed.
    header.claimed_bytes = extent == 0 || header.claimed_bytes <= kLargestClaim / extent
                               ? header.claimed_bytes * extent
                               : kLargestClaim + 1;
    if (header.claimed_bytes > kLargestClaim) {
      break;
    }
  }
  if (header.claimed_bytes == 0) {
    return fail(
        ErrorCode::kMalformed,
        fmt::format("{}: its header says {}, which is no item at all; give a file with items", path,
                    fmt::join(header.shape, " x ")));
  }
  return header;
}

}  // namespace

Expected<Array<std::uint8_t>> readIdx(const std::string& path, RunContext& context) {
  Expected<GzipReader> reader = GzipReader::open(path);
  if (!reader) {
    return failWith(reader);
  }
  const Expected<Header> header = readHeader(*reader, path);
  if (!header) {
    return failWith(header);
  }
  const std::int64_t claim = header->claimed_bytes;
  const std::string claim_text = fmt::format("{} bytes", fmt::join(header->shape, " x "));
  const bool too_large_for_file =
      claim > (reader->compressed() ? reader->fileSize() * kLargestExpansion : reader->fileSize());
  if (too_large_for_file) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: its header says {}, but the file of {} bytes cannot hold them; "
                            "fetch the file again",
                            path, claim_text, reader->fileSize()));
  }
  if (context.memory_budget_bytes > 0 && claim > context.memory_budget_bytes) {
    return fail(ErrorCode::kOutOfMemory,
                fmt::format("{}: needs {} MB of memory, more than the {} MB allowed; allow more",
                            path, claim >> 20, context.memory_budget_bytes >> 20));
  }
  // The buffer grows with what is really there, not with what the header claims; one byte more is
  // asked for to notice what follows.
  constexpr std::int64_t kChunk = std::int64_t{1} << 22;
  std::vector<std::uint8_t> bytes;
  std::int64_t filled = 0;
  for (bool more = true; more && filled < claim + 1;) {
    if (context.step("read", filled, claim) == Step::kCancel) {
      return cancelled();
    }
    const std::int64_t wanted = std::min(kChunk, claim + 1 - filled);
    bytes.resize(static_cast<std::size_t>(filled + wanted));
    const Expected<std::int64_t> got =
        reader->read({bytes.data() + filled, static_cast<std::size_t>(wanted)});
    if (!got) {
      return failWith(got);
    }
    filled += *got;
    more = *got == wanted;
  }
  if (filled != claim) {
    return fail(ErrorCode::kMalformed,
                filled < claim
                    ? fmt::format("{}: its header says {}, but only {} bytes follow; the file is "
                                  "cut short, fetch it again",
                                  path, claim_text, filled)
                    : fmt::format("{}: its header says {}, but more data follows; fetch the file "
                                  "again",
                                  path, claim_text));
  }
  bytes.resize(static_cast<std::size_t>(claim));
  return Array<std::uint8_t>::fromVector(header->shape, std::move(bytes));
}

}  // namespace dubito
