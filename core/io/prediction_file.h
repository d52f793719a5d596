// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Opens a run file, or the predictions of a classifier saved by another program:
///   FILE.npz              probabilities under one of the usual names (probs, pred_probs,
///   predictions, ...)
///                         or logits, with labels (labels, y, y_true, ground_truth, ...) and ids
///   PROBS.npy,LABELS.npy  a pair; for NAME_pyx.npy alone, labels are looked for next to it
///   FILE.csv              one column per class and one of labels, or true_label, pred_label and
///                         confidence, which gives a run without probabilities
/// Files of other programs get the method "predictions"; everything assumed, rescaled, left out or
/// found next to the file is in meta.notes. kMalformed names the row of NaN, infinite or negative
/// probabilities, of sums more than 1e-3 from 1, and of invalid labels.
[[nodiscard]] Expected<Run> openPredictions(const std::string& spec, RunContext& context);

}  // namespace dubito
