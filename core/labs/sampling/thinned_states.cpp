// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/thinned_states.h"

namespace dubito {

void ThinnedStates::add(std::int64_t number, std::span<const double> state) {
  if (number % thinning_ != 0) {
    return;
  }
  values_.insert(values_.end(), state.begin(), state.end());
  if (count() < kMaxCount) {
    return;
  }
  // Keeps the states whose number is a multiple of the new thinning.
  thinning_ *= 2;
  for (std::size_t i = 0; i < static_cast<std::size_t>(kMaxCount) / 2; ++i) {
    values_[2 * i] = values_[2 * (2 * i + 1)];
    values_[2 * i + 1] = values_[2 * (2 * i + 1) + 1];
  }
  values_.resize(static_cast<std::size_t>(kMaxCount));
}

}  // namespace dubito
