// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "app/labs/sampler/sampler_scene.h"
#include "widgets/curve_plot.h"

namespace dubito {

/// A plot of chains and what its curves do not show.
struct SamplerPlot {
  CurvePlotValue curves;
  QString note = {};     ///< below the title; may be empty
  QString missing = {};  ///< why there is nothing to draw, one sentence; empty: there is
};

/// A plot at the right of the sampler laboratory, for the lists in the titles of its cards.
struct SamplerViewInfo {
  const char* key = nullptr;    ///< in presets: "trace"
  const char* title = nullptr;  ///< "Trace of %1"; %1, if present: the coordinate
  std::size_t axis = 0;         ///< of the coordinate, 0 or 1
  SamplerPlot (*make)(const SamplerPicture& picture, const SamplerScene& scene,
                      const LabSamplerInfo& sampler) = nullptr;
};

/// All views, in the order of lists.
[[nodiscard]] const std::vector<SamplerViewInfo>& samplerViews();
/// Index in samplerViews(); nullopt if there is no such view.
[[nodiscard]] std::optional<std::size_t> findSamplerView(std::string_view key);
/// The translated titles for `scene`.
[[nodiscard]] QStringList samplerViewTitles(const SamplerScene& scene);

}  // namespace dubito
