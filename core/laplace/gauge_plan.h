// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/laplace/laplace_settings.h"

namespace dubito {

/// How the honesty gauge of a run is taken.
struct GaugePlan {
  std::int64_t draws = 0;  ///< for each item that has a gauge; 0: none has
  double share = 1.0;      ///< of the items, in (0, 1]; which ones is keyed (isGauged)
  bool of_link = false;    ///< the draws are those of the link "mc"

  /// Items expected to have a gauge, of so many.
  [[nodiscard]] std::int64_t itemsOf(std::int64_t items) const;
  /// What a run must say of it; empty where all items have a gauge.
  [[nodiscard]] std::string note(std::int64_t items) const;
};

/// The plan for `items` items of `classes` classes. Draws that are asked for are taken for every
/// item, and so are those that the link makes anyway. Otherwise there are 1 000 draws for each of
/// at most 2 000 items, and of fewer where classes are many (the draws of an item take time
/// proportional to their square), down to 100. `settings.link` is a link, not "auto".
[[nodiscard]] GaugePlan gaugePlan(const LaplaceSettings& settings, std::int64_t classes,
                                  std::int64_t items);

}  // namespace dubito
