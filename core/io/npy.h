// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/io/any_array.h"
#include "core/io/bytes.h"
#include "core/io/text_array.h"

namespace dubito {

/// The array in the bytes of a .npy file. If the elements are stored as in memory (little-endian,
/// row-major, aligned), the result is a view of `bytes` that keeps `owner` alive; else it is a
/// row-major copy. Half precision is converted to float, bool to 0 or 1. `name` is used in
/// messages. Errors of parseNpyHeader; kUnsupported for text.
[[nodiscard]] Expected<AnyArray> decodeNpy(ByteSpan bytes, const std::shared_ptr<const void>& owner,
                                           const std::string& name);

/// The text, as UTF-8, of a .npy file that contains one string or a vector of UTF-8 bytes.
[[nodiscard]] Expected<std::string> decodeNpyText(ByteSpan bytes, const std::string& name);

/// The texts, as UTF-8, of a .npy file that contains an array of strings. kUnsupported for numbers.
[[nodiscard]] Expected<TextArray> decodeNpyTexts(ByteSpan bytes, const std::string& name);

/// Whether the .npy file in `bytes` contains strings.
[[nodiscard]] bool isNpyOfTexts(ByteSpan bytes);

/// Maps a .npy file and returns its array. Never allocates more memory than the file contains data.
[[nodiscard]] Expected<AnyArray> readNpy(const std::string& path);

/// The array of numbers or strings in a .npy file.
[[nodiscard]] Expected<std::variant<AnyArray, TextArray>> readNpyOrTexts(const std::string& path);

/// NumPy's descriptor of the element type T: "<f4".
template <class T>
[[nodiscard]] std::string npyDescr() {
  static_assert(std::is_arithmetic_v<T>);
  const char kind = std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
  return std::string(sizeof(T) == 1 ? "|" : "<") + kind + std::to_string(sizeof(T));
}

/// The raw bytes of the elements.
template <class T>
[[nodiscard]] ByteSpan elementBytes(const Array<T>& array) {
  return std::as_bytes(array.values());
}

/// The bytes of a .npy file that contains `text` as one NumPy string: str(numpy.load(path)) returns
/// the text. Invalid UTF-8 becomes U+FFFD; trailing NUL characters are lost.
[[nodiscard]] std::string encodeNpyText(const std::string& text);

/// Writes `array` as a .npy file, completely or not at all.
[[nodiscard]] Status writeNpy(const std::string& path, const AnyArray& array);

}  // namespace dubito
