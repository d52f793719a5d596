// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/sources/annotated_images.h"
#include "core/io/run.h"

namespace dubito {

/// The labels of another program as a run of the method kLabelsMethod over their images, which
/// annotationsSpec(source) opens. N images, K classes. The given label is the class of the row; so
/// is the suggestion, unless the row has the scores of all classes and another one is highest.
/// - If every row has scores: `probs` [N, K]. They are the scores of all classes (divided by their
///   sum), or the score of the row's class, with the rest spread evenly over the other classes.
/// - Else there are no probabilities, and the confidence is the score, or NaN where it is unknown.
///   A score below 1/K cannot be the probability of the likeliest class and counts as unknown.
/// `meta.notes` states which, and what reading the labels has left out; `meta.skipped` lists the
/// labels without an image. Errors of readAnnotatedImages().
[[nodiscard]] Expected<Run> readLabelRun(const AnnotationSource& source, RunContext& context);

/// Whether the probabilities of a run are known for every class: not for labels that came with the
/// score of their own class only, whose rest is spread evenly.
[[nodiscard]] bool hasScoresOfAllClasses(const Run& run);

/// readLabelRun() of labels that were read already.
[[nodiscard]] Run labelRun(const AnnotatedImages& images, const AnnotationSource& source,
                           const RunContext& context);

}  // namespace dubito
