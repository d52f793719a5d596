// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/io/mutate.h"

#include <algorithm>
#include <random>

namespace dubito::test {
namespace {

class Mutator {
 public:
  Mutator(std::string& bytes, std::uint32_t seed) : bytes_(bytes), engine_(seed) {}

  void fault() {
    const std::size_t at = position();
    const std::size_t length = std::min(below(64) + 1, bytes_.size() - at);
    switch (below(7)) {
      case 0:
        bytes_[at] = static_cast<char>(bytes_[at] ^ static_cast<char>(1 << below(8)));
        break;
      case 1:
        bytes_[at] = static_cast<char>(below(256));
        break;
      case 2:
        std::fill_n(bytes_.begin() + offset(at), std::min<std::size_t>(length, 8), '\xFF');
        break;
      case 3:
        bytes_.erase(at, length);
        break;
      case 4:
        bytes_.insert(at, bytes_.substr(at, length));
        break;
      case 5:
        bytes_.resize(at);
        break;
      default:
        bytes_.replace(position(), 0, bytes_.substr(at, length));
    }
    if (bytes_.empty()) {
      bytes_.push_back('x');
    }
  }

  std::size_t below(std::size_t n) { return engine_() % n; }

 private:
  static std::ptrdiff_t offset(std::size_t at) { return static_cast<std::ptrdiff_t>(at); }

  std::size_t position() {
    const std::size_t edge = std::min<std::size_t>(bytes_.size(), 256);
    switch (below(4)) {
      case 0:
        return below(edge);
      case 1:
        return bytes_.size() - 1 - below(edge);
      default:
        return below(bytes_.size());
    }
  }

  std::string& bytes_;
  std::mt19937 engine_;
};

}  // namespace

std::string mutate(std::string bytes, std::uint32_t seed) {
  Mutator mutator(bytes, seed);
  const std::size_t faults = mutator.below(8) + 1;
  for (std::size_t i = 0; i < faults; ++i) {
    mutator.fault();
  }
  return bytes;
}

}  // namespace dubito::test
