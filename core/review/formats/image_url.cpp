// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/image_url.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace dubito {
namespace {

constexpr std::string_view kPlainInUrls =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";

std::string percentDecoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    if (text[i] == '%' && i + 2 < text.size()) {
      const char* const end = text.data() + i + 3;
      const auto [rest, error] = std::from_chars(text.data() + i + 1, end, byte, 16);
      if (error == std::errc() && rest == end) {
        result += static_cast<char>(byte);
        i += 2;
        continue;
      }
    }
    result += text[i];
  }
  return result;
}

/// Without the eight hexadecimal digits and the dash that Label Studio puts before uploaded files.
std::string_view withoutUploadPrefix(std::string_view name) {
  constexpr std::size_t kDigits = 8;
  const std::string_view digits = name.substr(0, kDigits);
  const bool prefixed = name.size() > kDigits + 1 && name[kDigits] == '-' &&
                        digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  return prefixed ? name.substr(kDigits + 1) : name;
}

}  // namespace

std::string imageUrl(std::string_view prefix, std::string_view path) {
  if (prefix.empty()) {
    return std::string(path);
  }
  std::string url(prefix);
  for (const char c : path) {
    if (kPlainInUrls.find(c) != std::string_view::npos) {
      url += c;
    } else {
      url += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return url;
}

std::string pathOfImageUrl(std::string_view url) {
  for (const std::string_view query : {"?d=", "&d="}) {
    if (const std::size_t start = url.find(query); start != std::string_view::npos) {
      const std::string_view value = url.substr(start + query.size());
      return percentDecoded(value.substr(0, value.find('&')));
    }
  }
  if (url.starts_with("/data/upload/")) {
    return percentDecoded(withoutUploadPrefix(url.substr(url.rfind('/') + 1)));
  }
  if (const std::size_t scheme = url.find("://"); scheme != std::string_view::npos) {
    const std::string_view address = url.substr(scheme + 3);
    const std::string_view path = address.substr(std::min(address.find('/'), address.size()));
    return percentDecoded(path.substr(path.empty() ? 0 : 1, path.find_first_of("?#") - 1));
  }
  return std::string(url);
}

std::string plainImagePath(std::string_view reference) {
  std::string path = pathOfImageUrl(reference);
  if (path.starts_with("file:")) {
    path.erase(0, std::string_view("file:").size());
  }
  path = percentDecoded(path);
  std::ranges::replace(path, '\\', '/');
  return path;
}

}  // namespace dubito
