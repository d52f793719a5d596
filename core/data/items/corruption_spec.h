// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// Image corruptions for robustness studies, as functions of the severity s.
enum class CorruptionKind {
  kNoise,       ///< Gaussian noise on each value, standard deviation 0.06 s of the range
  kBlur,        ///< Gaussian blur, standard deviation s / 60 of the shorter side
  kBrightness,  ///< adds 0.1 s of the range
  kContrast,    ///< scales deviations from the image mean by 1 - 0.18 s (0.1 at s = 5)
  kRotation,    ///< 15 s degrees counter-clockwise about the centre, edge pixels repeated
  kOcclusion,   ///< covers 0.08 s of the image area, at a random place, with the channel means
  kInversion,   ///< moves each value s / 5 of the way to its mirror image in the range (s <= 5)
};
[[nodiscard]] const std::vector<CorruptionKind>& allCorruptions();
/// "noise", "blur", "brightness", "contrast", "rotation", "occlusion" or "inversion".
[[nodiscard]] std::string toString(CorruptionKind kind);

/// A corruption with severity s in [0, kMaxSeverity]: 0 leaves an item unchanged, 1 to 5 are the
/// usual levels, and 24 rotates by a full turn.
struct Corruption {
  static constexpr double kMaxSeverity = 24.0;

  CorruptionKind kind = CorruptionKind::kNoise;
  double severity = 0.0;
  friend bool operator==(const Corruption&, const Corruption&) = default;
};

/// Parses "noise:3" or "rotation:0.5". If this fails, the message lists the valid kinds and the
/// severity range.
[[nodiscard]] Expected<Corruption> parseCorruption(const std::string& text);
[[nodiscard]] std::string toString(const Corruption& corruption);

}  // namespace dubito
