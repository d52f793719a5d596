// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/measures.h"

#include <algorithm>
#include <stdexcept>

namespace dubito {
namespace {

template <class T>
std::int64_t argmaxOf(std::span<const T> row) {
  if (row.empty()) {
    throw std::invalid_argument("argmax: empty row");
  }
  return std::max_element(row.begin(), row.end()) - row.begin();
}

}  // namespace

std::int64_t argmax(std::span<const double> row) {
  return argmaxOf(row);
}
std::int64_t argmax(std::span<const float> row) {
  return argmaxOf(row);
}

}  // namespace dubito
