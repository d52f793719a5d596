// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace dubito {

/// How the curves of a compared run look, in all plots and in the table.
struct RunStyle {
  int color = 0;   ///< see Theme::runColor
  int dash = 0;    ///< see StyledCurve
  int marker = 0;  ///< see StyledCurve
};

/// The style of the run at this position. Dash pattern and marker alone distinguish 16 runs, and
/// the hues repeat before the dash patterns do.
[[nodiscard]] inline RunStyle runStyle(std::size_t run) {
  constexpr std::size_t kHues = 4;
  constexpr std::size_t kDashes = 4;
  constexpr std::size_t kMarkers = 4;
  return {static_cast<int>(run), static_cast<int>((run + run / kHues) % kDashes),
          static_cast<int>(run / kHues % kMarkers)};
}

}  // namespace dubito
