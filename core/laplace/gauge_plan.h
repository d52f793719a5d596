// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/laplace/laplace_settings.h"

namespace dubito {

/// How the honesty gauge of a run is computed.
struct GaugePlan {
  std::int64_t draws = 0;  ///< per gauged item; 0: no gauge
  double share = 1.0;      ///< of the items, in (0, 1]; isGauged selects them
  bool of_link = false;    ///< the draws are those of the link "mc"

  /// Expected number of gauged items out of `items`.
  [[nodiscard]] std::int64_t itemsOf(std::int64_t items) const;
  /// Note for the run; empty if all items have a gauge.
  [[nodiscard]] std::string note(std::int64_t items) const;
};

/// The plan for `items` items of `classes` classes. Requested draws are taken for every item, and
/// so are those that the link makes anyway. Otherwise there are 1000 draws for each of at most 2000
/// items, fewer if there are many classes (the time per item grows with their square), but at least
/// 100. `settings.link` must be a link, not "auto".
[[nodiscard]] GaugePlan gaugePlan(const LaplaceSettings& settings, std::int64_t classes,
                                  std::int64_t items);

}  // namespace dubito
