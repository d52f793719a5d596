// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/base/note.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// How predictions agree with labels: enough to tell whether they belong together at all. Can be
/// added up over the parts of a run.
struct LabelFit {
  std::map<std::int64_t, std::int64_t> labelled;   ///< items with this label, by class
  std::map<std::int64_t, std::int64_t> predicted;  ///< labelled items predicted as this class
  std::int64_t items = 0;                          ///< labelled items
  std::int64_t correct = 0;
  std::int64_t classes = 0;   ///< K; 0 if there are no probabilities
  double loss = 0.0;          ///< sum of the negative log-probabilities of the labels
  double loss_squares = 0.0;  ///< sum of their squares

  /// Adds the labelled items of a run.
  void add(const Run& run);
  /// Those of its rows [begin, end).
  void add(const Run& run, std::int64_t begin, std::int64_t end);
  void add(const LabelFit& other);
};

/// Of a whole run, on the context's threads; of a part of it if the context is cancelled.
[[nodiscard]] LabelFit labelFitOf(const Run& run, const RunContext& context);

/// A warning of one sentence if labels and predictions do not fit; else none. There are two tests,
/// each at the level of 1 %:
/// - The accuracy is not above chance: not above what unrelated predictions with the same class
///   frequencies would give, sum over k of (share of label k) x (share of prediction k). So a class
///   that is frequent, in the labels, in the predictions or in both, is no skill. Labels of one
///   class alone have no frequencies to compare, so there chance is 1/K.
/// - The mean loss is above ln K, that of equal probabilities.
/// Silent for less than 20 labelled items, and for so few that a kappa of 0.25 could be chance.
[[nodiscard]] std::optional<Note> labelFitNote(const LabelFit& fit);

/// The same for a run; none for the roles OOD and unlabelled, and for corrupted items, which may
/// well be too hard.
[[nodiscard]] std::optional<Note> labelFitNote(const RunMeta& meta, const LabelFit& fit);

/// The notes of a run, with the warning that its present labels deserve at the end. Meaningless if
/// the context is cancelled.
[[nodiscard]] std::vector<Note> notesOfRun(const Run& run, const RunContext& context);

}  // namespace dubito
