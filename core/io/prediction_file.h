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
/// Files from other programs get the method "predictions". meta.notes states what was assumed,
/// rescaled, left out or found in another file. kMalformed names the row of NaN, infinite or
/// negative probabilities, of probabilities whose sum deviates from 1 by more than 1e-3, and of
/// invalid labels.
[[nodiscard]] Expected<Run> openPredictions(const std::string& spec, RunContext& context);

}  // namespace dubito
