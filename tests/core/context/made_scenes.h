// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/context/pair_scores.h"
#include "core/context/scene_model.h"
#include "core/context/scenes.h"
#include "core/io/run.h"

namespace dubito::test {

/// Counts as they are, named "counts.csv".
[[nodiscard]] Cooccurrence countsOf(Array<double> counts);
/// Symmetric counts from 0 to 99; about one in five is 0.
[[nodiscard]] Cooccurrence randomCounts(std::int64_t classes, std::mt19937_64& random);
/// Log probabilities [objects, classes] of random logits times `scale`.
[[nodiscard]] Array<double> randomLogProbs(std::int64_t objects, std::int64_t classes, double scale,
                                           std::mt19937_64& random);
[[nodiscard]] PairScores scoresOf(const Cooccurrence& counts, const std::string& measure);
[[nodiscard]] PairFactors factorsOf(const PairScores& scores, double weight);

/// The sums of theory, section 10, labelling by labelling.
struct PlainMarginals {
  Array<double> probs;
  double log_partition = 0.0;
  std::vector<std::int64_t> most_likely = {};
};
[[nodiscard]] PlainMarginals plainMarginals(const Array<double>& log_probs, const ScenePairs& pairs,
                                            const Array<double>& scores, double weight);

/// Scene number row / size of every row: scenes of `size` neighbouring rows.
[[nodiscard]] Scenes scenesOfSize(std::int64_t rows, std::int64_t size);

}  // namespace dubito::test
