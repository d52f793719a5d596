// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/labs/preset/lab_preset.h"

namespace dubito {

/// A figure of the literature that a laboratory repeats, as a preset.
struct LabFigure {
  std::string key;    ///< "chan-4-1", the name of its preset and of its picture
  std::string title;  ///< "Chan 2019, figure 4.1"
  std::string text;   ///< what there is to see, and where ours differs; for students
};

/// All figures, in the order of figures.json, by document. The preset of each is a resource next to
/// it.
[[nodiscard]] const std::vector<LabFigure>& labFigures();
[[nodiscard]] Expected<LabPreset> presetOf(const LabFigure& figure);

}  // namespace dubito
