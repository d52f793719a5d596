// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/items/content_hash.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "core/base/splitmix64.h"

namespace dubito {
namespace {

/// One step of a multiply-rotate hash over 64-bit words.
std::uint64_t mixed(std::uint64_t state, std::uint64_t word) {
  return std::rotl(state ^ (word * 0x9E3779B97F4A7C15ULL), 29) * 0xBF58476D1CE4E5B9ULL;
}

}  // namespace

void ContentHash::add(std::int64_t id, std::int64_t label, std::span<const float> input) {
  std::uint64_t state =
      mixed(splitmix64(static_cast<std::uint64_t>(id)), static_cast<std::uint64_t>(label));
  state = mixed(state, input.size());
  std::size_t at = 0;
  for (; at + 2 <= input.size(); at += 2) {
    std::uint64_t word = 0;
    std::memcpy(&word, input.data() + at, sizeof(word));
    state = mixed(state, word);
  }
  if (at < input.size()) {
    state = mixed(state, std::bit_cast<std::uint32_t>(input[at]));
  }
  sum_ += splitmix64(state);
  ++count_;
}

void ContentHash::merge(const ContentHash& other) {
  sum_ += other.sum_;
  count_ += other.count_;
}

ContentHash ContentHash::continued(std::uint64_t sum, std::int64_t count) {
  ContentHash hash;
  hash.sum_ = sum;
  hash.count_ = static_cast<std::uint64_t>(count);
  return hash;
}

std::string ContentHash::hex() const {
  return fmt::format("{:016x}", splitmix64(sum_ + splitmix64(count_)));
}

}  // namespace dubito
