// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/label_reasons.h"

#include <numeric>
#include <stdexcept>

#include "core/context/scene_model.h"

namespace dubito {
namespace {

double differenceOf(std::span<const double> row, std::int64_t from, std::int64_t to) {
  return row[static_cast<std::size_t>(to)] - row[static_cast<std::size_t>(from)];
}

}  // namespace

std::vector<LabelReasons> explainLabels(const Array<double>& log_probs,
                                        std::span<const std::int64_t> requested,
                                        std::span<const std::int64_t> from,
                                        std::span<const std::int64_t> to,
                                        const PairFactors& factors, const ContextOptions& options) {
  if (from.size() != requested.size() || to.size() != requested.size()) {
    throw std::invalid_argument("explainLabels: two classes for each object");
  }
  const std::int64_t objects = log_probs.extent(0);
  const ScenePairs pairs = everyPair(objects);
  const SceneModel model{log_probs, pairs, factors};
  const SceneMarginals marginals = sceneMarginals(model, options);
  const ScenePropagation beliefs = propagateBeliefs(model, options);
  std::vector<LabelReasons> result;
  for (std::size_t i = 0; i < requested.size(); ++i) {
    LabelReasons& reasons = result.emplace_back();
    reasons.from = from[i];
    reasons.to = to[i];
    reasons.own = differenceOf(log_probs.row(requested[i]), from[i], to[i]);
    reasons.total = differenceOf(marginals.log_probs.row(requested[i]), from[i], to[i]);
    reasons.messages.assign(static_cast<std::size_t>(objects), 0.0);
    for (std::size_t m = 0; m < beliefs.messages.size(); ++m) {
      if (beliefs.messages[m].to == requested[i]) {
        reasons.messages[static_cast<std::size_t>(beliefs.messages[m].from)] =
            differenceOf(beliefs.log_messages.row(static_cast<std::int64_t>(m)), from[i], to[i]);
      }
    }
    reasons.loops = reasons.total - reasons.own -
                    std::accumulate(reasons.messages.begin(), reasons.messages.end(), 0.0);
  }
  return result;
}

LabelReasons explainLabel(const Array<double>& log_probs, std::int64_t object, std::int64_t from,
                          std::int64_t to, const PairFactors& factors,
                          const ContextOptions& options) {
  return explainLabels(log_probs, std::span(&object, 1), std::span(&from, 1), std::span(&to, 1),
                       factors, options)
      .front();
}

}  // namespace dubito
