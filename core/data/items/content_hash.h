// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace dubito {

/// A hash of a set of items as the network sees them: ids, labels and inputs. It does not depend on
/// item order or batching, because it is a sum of the hashes of single items; for the same reason,
/// the hashes of parts of the set can be merged.
class ContentHash {
 public:
  /// `input` is the item's network input, hashed bit by bit.
  void add(std::int64_t id, std::int64_t label, std::span<const float> input);
  /// Adds the items of another hash.
  void merge(const ContentHash& other);

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(count_); }
  /// The state of the hash: continued(sum(), count()) restores it.
  [[nodiscard]] std::uint64_t sum() const { return sum_; }
  [[nodiscard]] static ContentHash continued(std::uint64_t sum, std::int64_t count);
  /// 16 hexadecimal digits.
  [[nodiscard]] std::string hex() const;

 private:
  std::uint64_t sum_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace dubito
