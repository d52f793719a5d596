// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/context/context_options.h"
#include "core/context/scene_model.h"
#include "core/context/scenes.h"
#include "core/io/run.h"

namespace dubito {

/// What the items of a run say alone: the log probabilities to which context is added. They are
/// those of each stored draw or, in runs without draws, the log softmax of the logits if the
/// probabilities are of them (probsAreOfLogits), else the logarithms of the probabilities
/// (clampedLog).
class LogProbsAlone {
 public:
  /// `run` must have probabilities and outlive this object.
  explicit LogProbsAlone(const Run& run);

  /// Number of stored draws; 1 without draws.
  [[nodiscard]] std::int64_t drawCount() const { return draws_; }
  [[nodiscard]] std::int64_t classCount() const { return run_.classCount(); }
  [[nodiscard]] bool areOfDraws() const { return run_.drawCount() > 0; }
  /// [rows, K] of one draw.
  [[nodiscard]] Array<double> ofDraw(std::int64_t draw, std::span<const std::int64_t> rows) const;
  /// [rows, K] of the mean prediction, also in runs with draws.
  [[nodiscard]] Array<double> ofMean(std::span<const std::int64_t> rows) const;

 private:
  const Run& run_;
  std::int64_t draws_ = 1;
  bool has_logits_ = false;
};

/// kOutOfMemory, naming the scene, if belief propagation over the largest scene needs more than the
/// context's memory budget (or, without one, the available memory).
[[nodiscard]] Status checkSceneSizes(const Scenes& scenes, std::int64_t classes,
                                     const RunContext& context);

/// The number of scenes that are solved at a time: as many as the memory of checkSceneSizes has
/// room for, and as the context has threads; at least 1.
[[nodiscard]] int threadsForScenes(const Scenes& scenes, std::int64_t classes,
                                   const RunContext& context);

/// The marginals of one scene in one draw.
using TakeScene =
    std::function<void(std::int64_t scene, std::int64_t draw, const SceneMarginals& marginals)>;

/// Computes the marginals of every scene with several items, for every draw, and hands them to
/// `take`, which is called on threadsForScenes() threads, but for one scene on one thread
/// and in the order of the draws. Reports progress as `stage`. kCancelled.
[[nodiscard]] Status solveScenes(const LogProbsAlone& alone, const Scenes& scenes,
                                 const PairFactors& factors, const ContextOptions& options,
                                 const std::string& stage, RunContext& context,
                                 const TakeScene& take);

}  // namespace dubito
