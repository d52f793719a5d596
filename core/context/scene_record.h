// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/context/label_reasons.h"
#include "core/context/pair_scores.h"
#include "core/context/scenes.h"
#include "core/io/run.h"

namespace dubito {

/// What is needed to explain the labels of a context run, kept in its file.
struct SceneRecord {
  Array<std::int64_t> scene;  ///< [N], number of the scene; -1: none
  Array<float> log_alone;     ///< [N, K], log probabilities of the items alone
  Array<double> scores;       ///< [K, K], of pairs
  double weight = 0.0;
};

/// The record of `run`, before context (LogProbsAlone::ofMean).
[[nodiscard]] SceneRecord sceneRecord(const Run& run, const Scenes& scenes,
                                      const PairScores& scores, double weight);

/// Like writeRun, with the record as the further arrays `scene`, `log_alone` and `pair_scores`,
/// which other readers ignore.
[[nodiscard]] Status writeContextRun(const Run& run, const SceneRecord& record,
                                     const std::string& path, RunContext& context);

/// Reads the record of a run file; nullopt if it has none (runs without context, or written by
/// another command). kMalformed if it does not fit the run, and errors of NpzFile.
[[nodiscard]] Expected<std::optional<SceneRecord>> readSceneRecord(const std::string& path,
                                                                   const Run& run);

/// One other item of the scene of an explained item.
struct SceneNeighbour {
  std::int64_t row = 0;
  std::int64_t before = 0;  ///< its class alone
  std::int64_t after = 0;   ///< its class with context
  double message = 0.0;     ///< nats in favour of the explained item's class `to`
};

/// An item of a context run among the others of its scene.
struct ExplainedItem {
  /// The class alone, and the class with context; where both are equal, `from` is the second class
  /// with context, so that the messages say what supports the label.
  std::int64_t from = 0;
  std::int64_t to = 0;
  bool changed = false;
  double own = 0.0;  ///< nats in favour of `to`, as in LabelReasons
  double loops = 0.0;
  double total = 0.0;
  std::vector<SceneNeighbour> others;  ///< those that say most first
};

/// Explains row `row` of `run`, a context run with this record; nullopt if the item is alone.
[[nodiscard]] Expected<std::optional<ExplainedItem>> explainItem(const Run& run,
                                                                 const SceneRecord& record,
                                                                 std::int64_t row);

}  // namespace dubito
