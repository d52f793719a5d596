// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/npy_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "core/base/in_quotes.h"
#include "core/io/any_array.h"

namespace dubito {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::uint64_t kAlignment = 64;
constexpr std::size_t kMaxAxes = 32;  // NumPy's own limit up to version 1
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 62;

/// The three values of the dictionary; empty if missing.
struct Dictionary {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::int64_t>> shape;
  bool descr_is_list = false;
};

/// Parses the Python literal that NumPy writes: {'descr': '<f4', 'fortran_order': False, 'shape':
/// (3, 4), }. All functions return false for any other text.
class LiteralParser {
 public:
  explicit LiteralParser(std::string_view text) : text_(text) {}

  bool dictionary(Dictionary& out) {
    if (!take('{')) {
      return false;
    }
    while (!take('}')) {
      std::string key;
      if (!string(key) || !take(':') || !value(key, out)) {
        return false;
      }
      if (out.descr_is_list) {
        return true;  // rejected by the caller; its fields need not be parsed
      }
      if (!take(',') && !peek('}')) {
        return false;
      }
    }
    skipSpace();
    return text_.empty();
  }

 private:
  bool value(const std::string& key, Dictionary& out) {
    if (key == "descr" && !out.descr) {
      if (peek('[')) {
        out.descr_is_list = true;
        return true;
      }
      return string(out.descr.emplace());
    }
    if (key == "fortran_order" && !out.fortran_order) {
      return boolean(out.fortran_order.emplace());
    }
    if (key == "shape" && !out.shape) {
      return tuple(out.shape.emplace());
    }
    return false;
  }

  void skipSpace() {
    const std::size_t start = std::min(text_.find_first_not_of(" \t\r\n"), text_.size());
    text_.remove_prefix(start);
  }
  bool peek(char c) {
    skipSpace();
    return !text_.empty() && text_.front() == c;
  }
  bool take(char c) {
    if (!peek(c)) {
      return false;
    }
    text_.remove_prefix(1);
    return true;
  }
  bool takeWord(std::string_view word) {
    skipSpace();
    if (!text_.starts_with(word)) {
      return false;
    }
    text_.remove_prefix(word.size());
    return true;
  }

  bool string(std::string& out) {
    const char quote = peek('"') ? '"' : '\'';
    if (!take(quote)) {
      return false;
    }
    const std::size_t end = text_.find(quote);
    if (end == std::string_view::npos ||
        text_.substr(0, end).find('\\') != std::string_view::npos) {
      return false;
    }
    out = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return true;
  }
  bool boolean(bool& out) {
    out = takeWord("True");
    return out || takeWord("False");
  }
  bool tuple(std::vector<std::int64_t>& out) {
    if (!take('(')) {
      return false;
    }
    while (!take(')')) {
      std::int64_t extent = 0;
      if (!integer(extent) || out.size() == kMaxAxes) {
        return false;
      }
      out.push_back(extent);
      if (!take(',') && !peek(')')) {
        return false;
      }
    }
    return true;
  }
  bool integer(std::int64_t& out) {
    skipSpace();
    const char* const end = text_.data() + text_.size();
    const auto [rest, error] = std::from_chars(text_.data(), end, out);
    if (error != std::errc() || out < 0) {
      return false;
    }
    text_.remove_prefix(static_cast<std::size_t>(rest - text_.data()));
    if (!text_.empty() && text_.front() == 'L') {  // Python 2 wrote long integers as 3L
      text_.remove_prefix(1);
    }
    return true;
  }

  std::string_view text_;
};

tl::unexpected<Error> malformedNpy(const std::string& name, const std::string& reason) {
  return fail(ErrorCode::kMalformed,
              fmt::format("{}: {}; save the array again with numpy.save", name, reason));
}

/// Offset and length of the dictionary.
struct Extent {
  std::uint64_t start = 0;
  std::uint64_t length = 0;
};

std::optional<Extent> dictionaryExtent(ByteSpan bytes) {
  if (bytes.size() < 10 ||
      !std::equal(kMagic.begin(), kMagic.end(), reinterpret_cast<const char*>(bytes.data()))) {
    return std::nullopt;
  }
  const auto major = std::to_integer<int>(bytes[6]);
  if (major == 1) {
    return Extent{10, loadLittleEndian<2>(bytes, 8)};
  }
  if ((major == 2 || major == 3) && bytes.size() >= 12) {
    return Extent{12, loadLittleEndian<4>(bytes, 8)};
  }
  return std::nullopt;
}

/// Parses kind, width and byte order from descr; an error for unsupported types.
Status readDescr(const std::string& descr, const std::string& name, NpyHeader& header) {
  std::string_view rest = descr;
  char order = '|';
  if (!rest.empty() && std::string_view("<>|=").find(rest.front()) != std::string_view::npos) {
    order = rest.front();
    rest.remove_prefix(1);
  }
  const char kind = rest.empty() ? '\0' : rest.front();
  if (kind == 'O') {
    return fail(ErrorCode::kUnsupported,
                name +
                    ": contains Python objects (dtype object), which are never unpickled; save "
                    "it as a plain array, for example numpy.save(f, numpy.stack(list))");
  }
  std::int64_t width = 0;
  const char* const end = rest.data() + rest.size();
  const bool has_width =
      rest.size() > 1 && std::from_chars(rest.data() + 1, end, width).ptr == end && width >= 0;
  constexpr std::int64_t kWidestText = std::int64_t{1} << 40;
  const bool known =
      has_width &&
      ((kind == 'b' && width == 1) ||
       ((kind == 'i' || kind == 'u') && (width == 1 || width == 2 || width == 4 || width == 8)) ||
       (kind == 'f' && (width == 2 || width == 4 || width == 8)) ||
       ((kind == 'U' || kind == 'S') && width <= kWidestText));
  if (!known) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: has elements of type {}, not real numbers, integers or bool; "
                            "convert it with astype(numpy.float32) before saving",
                            name, inQuotes(std::string_view(descr).substr(0, 40))));
  }
  header.kind = kind;
  header.item_bytes = kind == 'U' ? 4 * width : width;
  header.big_endian = order == '>';
  return {};
}

/// item_bytes * shape; nothing if that is larger than any file.
std::optional<std::uint64_t> totalBytes(std::int64_t item_bytes,
                                        const std::vector<std::int64_t>& shape) {
  auto total = static_cast<std::uint64_t>(std::max<std::int64_t>(item_bytes, 1));
  bool empty = item_bytes == 0;
  // The other extents of an empty array must not overflow either.
  for (const std::int64_t extent : shape) {
    if (extent == 0) {
      empty = true;
    } else if (static_cast<std::uint64_t>(extent) > kMaxBytes / total) {
      return std::nullopt;
    } else {
      total *= static_cast<std::uint64_t>(extent);
    }
  }
  return empty ? 0 : total;
}

}  // namespace

Expected<NpyHeader> parseNpyHeader(ByteSpan bytes, std::uint64_t file_bytes,
                                   const std::string& name) {
  const std::optional<Extent> extent = dictionaryExtent(bytes);
  if (!extent) {
    return malformedNpy(name, "is not a .npy file of version 1 to 3");
  }
  NpyHeader header;
  header.data_offset = extent->start + extent->length;
  if (header.data_offset > kMaxNpyHeaderBytes || header.data_offset > bytes.size() ||
      header.data_offset > file_bytes) {
    return malformedNpy(name, fmt::format("its header claims {} bytes, more than the file has",
                                          header.data_offset));
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + extent->start,
                              static_cast<std::size_t>(extent->length));
  Dictionary dictionary;
  const bool parsed = LiteralParser(text).dictionary(dictionary);
  if (parsed && dictionary.descr_is_list) {
    return fail(ErrorCode::kUnsupported,
                name +
                    ": is a structured array (records with named fields); save the wanted field "
                    "as a separate array");
  }
  if (!parsed || !dictionary.descr || !dictionary.fortran_order || !dictionary.shape) {
    return malformedNpy(name, "its header is not a dictionary with descr, fortran_order and shape");
  }
  if (Status known = readDescr(*dictionary.descr, name, header); !known) {
    return failWith(known);
  }
  header.fortran_order = *dictionary.fortran_order;
  header.shape = std::move(*dictionary.shape);
  const std::optional<std::uint64_t> data_bytes = totalBytes(header.item_bytes, header.shape);
  const std::uint64_t present = file_bytes - header.data_offset;
  if (!data_bytes || *data_bytes != present) {
    return malformedNpy(
        name, fmt::format("its header claims {} elements of {} bytes, but {} bytes follow",
                          shapeText(header.shape), header.item_bytes, present));
  }
  header.data_bytes = *data_bytes;
  return header;
}

std::string makeNpyHeader(const std::string& descr, const std::vector<std::int64_t>& shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr,
                                 shapeText(shape));
  const std::size_t unpadded = kMagic.size() + 2 + 2 + text.size() + 1;
  text.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::string header(kMagic);
  header += '\x01';
  header += '\0';
  appendLittleEndian<2>(header, text.size());
  return header + text;
}

}  // namespace dubito
