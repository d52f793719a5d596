// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// What happens to images on their way from the world to a model.
enum class CorruptionKind {
  kNoise,       ///< normal noise of standard deviation 0.06 s of the range, for each value
  kBlur,        ///< Gaussian of standard deviation s / 60 of the shorter side
  kBrightness,  ///< 0.1 s of the range added
  kContrast,    ///< distances from the image's mean times 1 - 0.18 s, at s = 5 a tenth is left
  kRotation,    ///< 15 degrees s counter-clockwise about the centre, edges repeated
  kOcclusion,   ///< a square in the image's mean, of the share 0.08 s of its area, somewhere
};
[[nodiscard]] const std::vector<CorruptionKind>& allCorruptions();
/// "noise", "blur", "brightness", "contrast", "rotation", "occlusion".
[[nodiscard]] std::string toString(CorruptionKind kind);

/// A corruption with its severity s in [0, kMostSeverity]: 0 leaves an item as it is, 1 to 5 are
/// the usual steps; rotations may go once around.
struct Corruption {
  static constexpr double kMostSeverity = 24.0;

  CorruptionKind kind = CorruptionKind::kNoise;
  double severity = 0.0;
  friend bool operator==(const Corruption&, const Corruption&) = default;
};

/// Of "noise:3" or "rotation:0.5". An error names the kinds and the range.
[[nodiscard]] Expected<Corruption> parseCorruption(const std::string& text);
[[nodiscard]] std::string toString(const Corruption& corruption);

}  // namespace dubito
