// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Opens a run file of ours, or what another program saved of a classifier:
///   FILE.npz              probabilities under a usual name (probs, pred_probs, predictions, ...)
///   or
///                         logits, with labels (labels, y, y_true, ground_truth, ...) and ids
///   PROBS.npy,LABELS.npy  a pair; after NAME_pyx.npy alone the labels are looked for beside it
///   FILE.csv              a column for each class and one of labels, or true_label, pred_label and
///                         confidence, which leaves a run without probabilities
/// Other programs' files get method "predictions"; all that was assumed, rescaled, left out or
/// found beside it is in meta.notes. kMalformed names the row of NaN, infinite or negative
/// probabilities, of sums further than 1e-3 from 1, and of labels that are no class.
[[nodiscard]] Expected<Run> openPredictions(const std::string& spec, RunContext& context);

}  // namespace dubito
