// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/damping.h"

#include <algorithm>

namespace dubito {
namespace {

/// A window makes progress if its smallest change is below this share of the smallest so far.
constexpr double kProgress = 0.8;
/// Factor of the share of the new state.
constexpr double kSlower = 0.6;

}  // namespace

void Damping::add(double change) {
  smallest_ = std::min(smallest_, change);
  if (++steps_ % kWindow != 0) {
    return;
  }
  const bool progress = smallest_ < kProgress * before_;
  before_ = std::min(before_, smallest_);
  smallest_ = std::numeric_limits<double>::infinity();
  if (progress) {
    windows_lost_ = 0;
  } else if (share_ < kMaxShare) {
    share_ = std::min(kMaxShare, 1.0 - kSlower * (1.0 - share_));
  } else {
    ++windows_lost_;
  }
}

}  // namespace dubito
