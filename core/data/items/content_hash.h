// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace dubito {

/// A hash over a set of items as a network sees them: ids, labels and inputs. It depends neither on
/// the order of the items nor on how they were batched, because the hashes of single items are
/// added up; so parts can be merged as well.
class ContentHash {
 public:
  /// `input` is the item's network input, compared bit by bit.
  void add(std::int64_t id, std::int64_t label, std::span<const float> input);
  /// Adds the items of another part.
  void merge(const ContentHash& other);

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(count_); }
  /// The two numbers that the hash is made of, to go on with it later.
  [[nodiscard]] std::uint64_t sum() const { return sum_; }
  [[nodiscard]] static ContentHash continued(std::uint64_t sum, std::int64_t count);
  /// 16 hexadecimal digits.
  [[nodiscard]] std::string hex() const;

 private:
  std::uint64_t sum_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace dubito
