// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Opens a run file, or the predictions of a classifier saved by another program:
/// - FILE.npz: probabilities or logits under a common name (probs, pred_probs, predictions,
///   logits, ...), with optional labels (labels, y, y_true, ground_truth, ...) and ids.
/// - PROBS.npy,LABELS.npy: a pair of files. For NAME_pyx.npy alone, a file with its labels is
///   searched for in the same folder.
/// - FILE.csv: one column per class and an optional column of labels; or the columns true_label,
///   pred_label and confidence, which give a run without probabilities.
/// What the columns and arrays are follows from all rows and all arrays of the file (makeRun,
/// findPredictionColumns). Files from other programs get the method "predictions". meta.notes
/// states what was assumed, rescaled, left out, found in another file, or contradicts the
/// probabilities. kMalformed for what can be read in several ways; it names the row of NaN,
/// infinite or negative probabilities, of sums that rounding does not explain, and of invalid
/// labels.
[[nodiscard]] Expected<Run> openPredictions(const std::string& spec, RunContext& context);

}  // namespace dubito
