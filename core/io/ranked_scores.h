// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/expected.h"
#include "core/io/raw_predictions.h"
#include "core/io/run.h"

namespace dubito {

/// Replaces scores [N, R] that are sorted by rank by scores in the order of the classes. If the
/// ranks cover only some of the classes (the five best of many), there are no probabilities of the
/// others: the first rank becomes the prediction with its confidence. Does nothing without
/// raw.ranks. kMalformed if a class has two ranks, or a number two names.
[[nodiscard]] Status applyRanks(RawPredictions& raw);

/// kMalformed if the columns of numbered classes are sorted from the largest in every row although
/// the labels differ, so that they must be ranks; a note if this cannot be told for lack of labels.
[[nodiscard]] Status rejectUnnamedRanks(const Run& run, RawPredictions& raw);

}  // namespace dubito
