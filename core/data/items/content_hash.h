// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace dubito {

/// A hash over a set of items as the network sees them: ids, labels and inputs. It is independent
/// of item order and batching, because the hashes of single items are summed; for the same reason,
/// partial hashes can be merged.
class ContentHash {
 public:
  /// `input` is the item's network input, hashed bit by bit.
  void add(std::int64_t id, std::int64_t label, std::span<const float> input);
  /// Adds the items of another partial hash.
  void merge(const ContentHash& other);

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(count_); }
  /// The state from which the hash can be continued.
  [[nodiscard]] std::uint64_t sum() const { return sum_; }
  [[nodiscard]] static ContentHash continued(std::uint64_t sum, std::int64_t count);
  /// 16 hexadecimal digits.
  [[nodiscard]] std::string hex() const;

 private:
  std::uint64_t sum_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace dubito
