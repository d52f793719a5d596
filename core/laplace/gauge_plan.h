// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/note.h"
#include "core/laplace/laplace_settings.h"

namespace dubito {

/// How the honesty gauge of a run is computed.
struct GaugePlan {
  std::int64_t draws = 0;        ///< number of draws per gauged item; 0: no gauge
  double share = 1.0;            ///< share of the items, in (0, 1]; isGauged selects them
  bool uses_link_draws = false;  ///< the draws are those of the link "mc"

  /// Expected number of gauged items out of `items`.
  [[nodiscard]] std::int64_t itemsOf(std::int64_t items) const;
  /// A note for the run on how many of its `items` items are gauged; none if all of them are or
  /// none is.
  [[nodiscard]] std::optional<Note> note(std::int64_t items) const;
};

/// The plan for `items` items of `classes` classes. All items are gauged if the number of draws is
/// set in `settings`, or if the draws of the link can be used. Otherwise at most 2000 items are
/// gauged, with 1000 draws each; fewer items (but at least 100) if there are many classes, because
/// the time per item grows with the square of their number. `settings.link` must be resolved: not
/// "auto".
[[nodiscard]] GaugePlan gaugePlan(const LaplaceSettings& settings, std::int64_t classes,
                                  std::int64_t items);

}  // namespace dubito
