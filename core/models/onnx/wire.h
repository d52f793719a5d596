// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace dubito {

/// One field of a protobuf message.
struct WireField {
  enum class Kind : std::uint8_t { kVarint, kFixed64, kBytes, kFixed32 };

  std::uint32_t number = 0;
  Kind kind = Kind::kVarint;
  std::uint64_t value = 0;  ///< of a varint, or the bits of a fixed number
  std::string_view bytes;   ///< of kBytes: text, a message, or packed numbers

  [[nodiscard]] std::int64_t integer() const { return static_cast<std::int64_t>(value); }
  [[nodiscard]] float number32() const;
};

/// Reads the fields of a protobuf message in the order in which they are stored, without copying
/// anything. Messages inside a message are read by a reader of their bytes: memory and depth are
/// the caller's decision, which the parser of the protobuf library would take itself.
class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  /// Reads the next field; false at the end. Throws RefusedOnnx if the bytes are no message.
  bool next(WireField& field);

 private:
  std::string_view rest_;
};

/// Appends the integers of a repeated field, packed or not. Throws RefusedOnnx.
void appendIntegers(const WireField& field, std::vector<std::int64_t>& integers);
/// Appends the 32-bit numbers of a repeated field, packed or not. Throws RefusedOnnx.
void appendNumbers(const WireField& field, std::vector<float>& numbers);

}  // namespace dubito
