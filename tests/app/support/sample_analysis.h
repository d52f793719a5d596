// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/analysis.h"

namespace dubito::test {

/// An analysis in memory: 60 labelled items of three classes and 20 OOD ones, eight draws each,
/// with 8 x 8 pictures. The same at every call.
[[nodiscard]] AnalysisPtr sampleAnalysis();

/// The same from one pass without draws and OOD.
[[nodiscard]] AnalysisPtr sampleAnalysisWithoutDraws();

}  // namespace dubito::test
