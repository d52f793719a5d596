// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/onnx/wire.h"

#include <bit>
#include <cstring>

#include "core/models/onnx/refused_onnx.h"

namespace dubito {
namespace {

std::uint64_t takeVarint(std::string_view& rest) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    if (i >= rest.size()) {
      refuseDamaged("it ends in the middle of a number");
    }
    const auto byte = static_cast<std::uint8_t>(rest[i]);
    value |= static_cast<std::uint64_t>(byte & 0x7FU) << (7 * i);
    if ((byte & 0x80U) == 0) {
      rest.remove_prefix(i + 1);
      return value;
    }
  }
  refuseDamaged("it contains a number of more than 10 bytes");
}

std::string_view takeBytes(std::string_view& rest, std::uint64_t count) {
  if (count > rest.size()) {
    refuseDamaged("it ends before its contents do");
  }
  const std::string_view bytes = rest.substr(0, count);
  rest.remove_prefix(count);
  return bytes;
}

template <class T>
T littleEndian(std::string_view bytes) {
  static_assert(std::endian::native == std::endian::little);
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

}  // namespace

void refuseDamaged(const std::string& reason) {
  throw RefusedOnnx(ErrorCode::kMalformed, "the ONNX file is damaged (" + reason +
                                               "); copy it or export the network again");
}

void refuseUnsupported(const std::string& reason_and_remedy) {
  throw RefusedOnnx(ErrorCode::kUnsupported, reason_and_remedy);
}

float WireField::number32() const {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value));
}

bool WireReader::next(WireField& field) {
  if (rest_.empty()) {
    return false;
  }
  const std::uint64_t key = takeVarint(rest_);
  if (key >> 3U == 0 || key >> 3U > 0x1FFFFFFFU) {
    refuseDamaged("it is no protobuf message");
  }
  field = {};
  field.number = static_cast<std::uint32_t>(key >> 3U);
  switch (key & 7U) {
    case 0:
      field.kind = WireField::Kind::kVarint;
      field.value = takeVarint(rest_);
      return true;
    case 1:
      field.kind = WireField::Kind::kFixed64;
      field.value = littleEndian<std::uint64_t>(takeBytes(rest_, 8));
      return true;
    case 2:
      field.kind = WireField::Kind::kBytes;
      field.bytes = takeBytes(rest_, takeVarint(rest_));
      return true;
    case 5:
      field.kind = WireField::Kind::kFixed32;
      field.value = littleEndian<std::uint32_t>(takeBytes(rest_, 4));
      return true;
    default:
      refuseDamaged("it is no protobuf message");
  }
}

void appendIntegers(const WireField& field, std::vector<std::int64_t>& integers) {
  if (field.kind != WireField::Kind::kBytes) {
    integers.push_back(field.integer());
    return;
  }
  for (std::string_view rest = field.bytes; !rest.empty();) {
    integers.push_back(static_cast<std::int64_t>(takeVarint(rest)));
  }
}

void appendNumbers(const WireField& field, std::vector<float>& numbers) {
  if (field.kind != WireField::Kind::kBytes) {
    numbers.push_back(field.number32());
    return;
  }
  for (std::string_view rest = field.bytes; !rest.empty();) {
    numbers.push_back(littleEndian<float>(takeBytes(rest, sizeof(float))));
  }
}

}  // namespace dubito
