// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string_view>

namespace dubito {

/// A pickle in memory as torch's unpickler reads it: copies the next bytes into a buffer and
/// returns their number. `pickle` must outlive it.
[[nodiscard]] inline std::function<std::size_t(char*, std::size_t)> bytesOf(
    std::string_view pickle) {
  return [rest = pickle](char* buffer, std::size_t count) mutable {
    const std::size_t copied = std::min(count, rest.size());
    std::memcpy(buffer, rest.data(), copied);
    rest.remove_prefix(copied);
    return copied;
  };
}

}  // namespace dubito
