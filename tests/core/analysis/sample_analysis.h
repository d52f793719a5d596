// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "core/analysis/analysis.h"
#include "core/analysis/item_refs.h"
#include "core/analysis/selection_index.h"

namespace dubito::test {

/// An analysis in memory: labelled items of three classes and OOD ones, eight draws each, with 8 x
/// 8 pictures. The same at every call. `ood`: 0 for none.
[[nodiscard]] AnalysisPtr sampleAnalysis(std::int64_t items = 60, std::int64_t ood = 20);

/// The same from one pass without draws and OOD.
[[nodiscard]] AnalysisPtr sampleAnalysisWithoutDraws();

/// The sample whose labelled items have attributes: the text `camera` is "south" for rows 0, 3,
/// ..., "north" for 1, 4, ... and missing for the rest; the number `hour` is row modulo 24, and
/// missing for row 5. The OOD items have `hour` alone, always 30.
[[nodiscard]] AnalysisPtr sampleAnalysisWithAttributes();

/// Predictions of `items` items over ten classes; the most likely class is right for every item
/// but each fifth one.
[[nodiscard]] std::shared_ptr<const Run> tenClassRun(std::int64_t items);

/// The items one after the other.
[[nodiscard]] std::vector<ItemRef> listed(const ItemRefs& items);

/// All that selections of `analysis` use, with its own reliability diagram and without a preview.
[[nodiscard]] SelectionBasis basisOf(const Analysis& analysis, const RunContext& context);

}  // namespace dubito::test
