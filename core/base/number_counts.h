// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace dubito {

/// How often each number occurs, such as the number of a class. The usual ones are counted without
/// a search, which for each of a million items takes longer than reading them.
class NumberCounts {
 public:
  void add(std::int64_t number) {
    if (number >= 0 && number < kUsual) {
      ++usual_[static_cast<std::size_t>(number)];
    } else {
      ++others_[number];
    }
  }
  /// Calls visit(number, count) for each number that occurs.
  template <class Visit>
  void forEach(const Visit& visit) const {
    for (std::size_t number = 0; number < usual_.size(); ++number) {
      if (usual_[number] > 0) {
        visit(static_cast<std::int64_t>(number), usual_[number]);
      }
    }
    for (const auto& [number, count] : others_) {
      visit(number, count);
    }
  }

 private:
  static constexpr std::int64_t kUsual = 1024;

  std::vector<std::int64_t> usual_ = std::vector<std::int64_t>(kUsual);
  std::map<std::int64_t, std::int64_t> others_;
};

}  // namespace dubito
