// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/idx_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>
#include <utility>

#include "core/base/memory_budget.h"
#include "core/io/gzip_reader.h"

namespace dubito {
namespace {

/// Maximum expansion of a deflate stream.
constexpr std::int64_t kMaxExpansion = 1040;
constexpr std::int64_t kMaxClaim = std::int64_t{1} << 40;

struct Header {
  int type = 0;
  std::vector<std::int64_t> shape;
  std::int64_t claimed_bytes = 1;
};

/// The type bytes of the format.
enum : int {
  kUnsignedByte = 0x08,
  kSignedByte = 0x09,
  kShort = 0x0B,
  kInt = 0x0C,
  kFloat = 0x0D,
  kDouble = 0x0E
};

/// Bytes per element; 0 for an unknown type.
std::int64_t sizeOfType(int type) {
  switch (type) {
    case kUnsignedByte:
    case kSignedByte:
      return 1;
    case kShort:
      return 2;
    case kInt:
    case kFloat:
      return 4;
    case kDouble:
      return 8;
    default:
      return 0;
  }
}

/// Converts big-endian elements to this machine's byte order.
template <class T>
Array<T> elementsOf(std::vector<std::int64_t> shape, std::vector<std::uint8_t> bytes) {
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    return Array<T>::fromVector(std::move(shape), std::move(bytes));
  } else {
    auto array = Array<T>::zeros(std::move(shape));
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(T)) {
      std::array<std::uint8_t, sizeof(T)> element{};
      std::reverse_copy(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                        bytes.begin() + static_cast<std::ptrdiff_t>(i + sizeof(T)),
                        element.begin());
      array.mutableData()[i / sizeof(T)] = std::bit_cast<T>(element);
    }
    return array;
  }
}

AnyArray arrayOf(const Header& header, std::vector<std::uint8_t> bytes) {
  switch (header.type) {
    case kSignedByte:
      return elementsOf<std::int8_t>(header.shape, std::move(bytes));
    case kShort:
      return elementsOf<std::int16_t>(header.shape, std::move(bytes));
    case kInt:
      return elementsOf<std::int32_t>(header.shape, std::move(bytes));
    case kFloat:
      return elementsOf<float>(header.shape, std::move(bytes));
    case kDouble:
      return elementsOf<double>(header.shape, std::move(bytes));
    default:
      return elementsOf<std::uint8_t>(header.shape, std::move(bytes));
  }
}

Expected<Header> readHeader(GzipReader& reader, const std::string& path) {
  std::array<std::uint8_t, 4> magic{};
  const Expected<std::int64_t> got = reader.read(magic);
  if (!got) {
    return failWith(got);
  }
  constexpr int kMaxDimensions = 4;
  const int dimensions = magic[3];
  if (*got < 4 || magic[0] != 0 || magic[1] != 0 || dimensions < 1 || dimensions > kMaxDimensions) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: this is not an idx file (its first bytes are {:02x}); give an idx "
                            "file such as t10k-images-idx3-ubyte.gz",
                            path, fmt::join(magic.begin(), magic.begin() + *got, " ")));
  }
  if (sizeOfType(magic[2]) == 0) {
    return fail(
        ErrorCode::kUnsupported,
        fmt::format("{}: its element type 0x{:02x} is not an idx type; fetch the file again", path,
                    magic[2]));
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
  header.type = magic[2];
  header.claimed_bytes = sizeOfType(header.type);
  for (std::size_t at = 0; at < extents.size(); at += 4) {
    const std::int64_t extent = (std::int64_t{extents[at]} << 24) |
                                (std::int64_t{extents[at + 1]} << 16) |
                                (std::int64_t{extents[at + 2]} << 8) | extents[at + 3];
    header.shape.push_back(extent);
    // The factors stay below 2^40 and 2^32, so the product cannot overflow.
    header.claimed_bytes = extent == 0 || header.claimed_bytes <= kMaxClaim / extent
                               ? header.claimed_bytes * extent
                               : kMaxClaim + 1;
    if (header.claimed_bytes > kMaxClaim) {
      break;
    }
  }
  if (header.claimed_bytes == 0) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: its header says {}, which has no items; give a file with items",
                            path, fmt::join(header.shape, " x ")));
  }
  return header;
}

}  // namespace

Expected<AnyArray> readIdx(const std::string& path, RunContext& context) {
  Expected<GzipReader> reader = GzipReader::open(path);
  if (!reader) {
    return failWith(reader);
  }
  const Expected<Header> header = readHeader(*reader, path);
  if (!header) {
    return failWith(header);
  }
  const std::int64_t claim = header->claimed_bytes;
  const std::string claim_text = fmt::format(
      "{} elements of {} bytes", fmt::join(header->shape, " x "), sizeOfType(header->type));
  const bool too_large_for_file =
      claim > (reader->compressed() ? reader->fileSize() * kMaxExpansion : reader->fileSize());
  if (too_large_for_file) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: its header says {}, but the file of {} bytes cannot hold them; "
                            "fetch the file again",
                            path, claim_text, reader->fileSize()));
  }
  if (context.memory_budget_bytes > 0 && claim > context.memory_budget_bytes) {
    return fail(ErrorCode::kOutOfMemory,
                fmt::format("{}: needs {} of memory, more than the {} allowed; allow more memory",
                            path, bytesText(static_cast<double>(claim)),
                            bytesText(static_cast<double>(context.memory_budget_bytes))),
                {setting("memory")});
  }
  // The buffer grows with the actual data, not with the size in the header; one extra byte is
  // requested to detect trailing data.
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
                                  "truncated, fetch it again",
                                  path, claim_text, filled)
                    : fmt::format("{}: its header says {}, but more data follows; fetch the file "
                                  "again",
                                  path, claim_text));
  }
  bytes.resize(static_cast<std::size_t>(claim));
  return arrayOf(*header, std::move(bytes));
}

}  // namespace dubito
