// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/pixels/netpbm.h"

#include <charconv>
#include <string_view>

#include "core/data/pixels/image_size.h"

namespace dubito {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::uint64_t kMaxWhite = 65'535;

bool isBlank(char letter) {
  return letter == ' ' || (letter >= '\t' && letter <= '\r');
}

/// Words separated by blanks; a # begins a comment up to the end of its line.
class Words {
 public:
  Words(Bytes bytes, std::size_t at)
      : text_(reinterpret_cast<const char*>(bytes.data()), bytes.size()), at_(at) {}

  [[nodiscard]] std::size_t position() const { return at_; }

  std::string_view next() {
    while (at_ < text_.size() && (isBlank(text_[at_]) || text_[at_] == '#')) {
      if (text_[at_] == '#') {
        at_ = std::min(text_.size(), text_.find('\n', at_));
      } else {
        ++at_;
      }
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && !isBlank(text_[at_])) {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  std::optional<std::uint64_t> number() {
    const std::string_view word = next();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size() && !word.empty()
               ? std::optional(value)
               : std::nullopt;
  }

 private:
  std::string_view text_;
  std::size_t at_;
};

bool isPlausible(const NetpbmHeader& header) {
  return header.width > 0 && header.height > 0 && header.channels > 0 && header.white > 0 &&
         header.white <= kMaxWhite;
}

std::optional<NetpbmHeader> pamHeader(Bytes bytes) {
  NetpbmHeader header{.kind = 7};
  header.channels = 0;
  header.white = 0;
  Words words(bytes, 2);
  for (std::string_view key = words.next(); !key.empty(); key = words.next()) {
    if (key == "ENDHDR") {
      header.data_at = words.position() + 1;
      return isPlausible(header) ? std::optional(header) : std::nullopt;
    }
    if (key == "TUPLTYPE") {
      words.next();
      continue;
    }
    const auto value = words.number();
    if (!value) {
      return std::nullopt;
    }
    (key == "WIDTH"    ? header.width
     : key == "HEIGHT" ? header.height
     : key == "DEPTH"  ? header.channels
                       : header.white) = *value;
  }
  return std::nullopt;
}

}  // namespace

std::optional<NetpbmHeader> netpbmHeader(Bytes bytes) {
  if (bytes.size() < 7 || bytes[0] != 'P' || bytes[1] < '1' || bytes[1] > '7' ||
      (!isBlank(static_cast<char>(bytes[2])) && bytes[2] != '#')) {
    return std::nullopt;
  }
  if (bytes[1] == '7') {
    return pamHeader(bytes);
  }
  NetpbmHeader header{.kind = bytes[1] - '0'};
  const bool is_bitmap = header.kind == 1 || header.kind == 4;
  Words words(bytes, 2);
  const auto width = words.number();
  const auto height = words.number();
  const auto white = is_bitmap ? std::optional<std::uint64_t>(1) : words.number();
  if (!width || !height || !white) {
    return std::nullopt;
  }
  header.width = *width;
  header.height = *height;
  header.white = *white;
  header.channels = header.kind == 3 || header.kind == 6 ? 3 : 1;
  header.data_at = words.position() + 1;
  return isPlausible(header) ? std::optional(header) : std::nullopt;
}

std::string netpbmDefect(Bytes bytes) {
  const auto header = netpbmHeader(bytes);
  if (!header) {
    return "its header is damaged";
  }
  constexpr std::uint64_t kBitsPerByte = 8;
  if (std::string defect =
          imageSizeDefect(header->width, header->height, bytes.size(), kBitsPerByte);
      !defect.empty()) {
    return defect;
  }
  constexpr std::uint64_t kMaxChannels = 4;
  if (header->channels > kMaxChannels) {
    return "it has more than four channels, which are not supported";
  }
  const std::uint64_t samples = header->width * header->height * header->channels;
  const std::uint64_t rest = bytes.size() - std::min<std::uint64_t>(bytes.size(), header->data_at);
  if (header->isText()) {
    // Every sample takes a digit and, except in bitmaps, a blank.
    const std::uint64_t needed = header->kind == 1 ? samples : 2 * samples - 1;
    return rest < needed ? kImageTruncated : std::string();
  }
  const std::uint64_t needed =
      header->kind == 4 ? (header->width + kBitsPerByte - 1) / kBitsPerByte * header->height
                        : samples * (header->white > 255 ? 2 : 1);
  return rest < needed ? kImageTruncated : std::string();
}

}  // namespace dubito
