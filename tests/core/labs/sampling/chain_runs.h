// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/labs/sampling/markov_chain.h"

namespace dubito::test {

using Chains = std::vector<std::unique_ptr<MarkovChain>>;

/// States of some chains after their warm-up, [C, N, D], and what was counted on the way.
struct ChainRuns {
  Array<double> states;
  std::vector<ChainStatistics> statistics;

  /// f(state) of every state, [C, N].
  [[nodiscard]] Array<double> scalars(
      const std::function<double(std::span<const double>)>& f) const {
    auto result = Array<double>::zeros({states.extent(0), states.extent(1)});
    const auto dimension = static_cast<std::size_t>(states.extent(2));
    for (std::size_t i = 0; i < static_cast<std::size_t>(result.size()); ++i) {
      result.mutableValues()[i] = f(states.values().subspan(i * dimension, dimension));
    }
    return result;
  }
};

/// Advances `chains` by `warm_up` and then `draws` transitions, in calls of at most `per_call`.
inline ChainRuns runChains(const Chains& chains, std::int64_t warm_up, std::int64_t draws,
                           int threads = 2, std::int64_t per_call = 1 << 30) {
  const auto count = static_cast<std::int64_t>(chains.size());
  const auto dimension = static_cast<std::int64_t>(chains[0]->position().size());
  ChainRuns runs{Array<double>::zeros({count, draws, dimension}),
                 std::vector<ChainStatistics>(chains.size())};
  RunContext context;
  context.threads = threads;
  const auto observe = [&](std::int64_t chain, const Transition& transition) {
    const auto& state = *chains[static_cast<std::size_t>(chain)];
    runs.statistics[static_cast<std::size_t>(chain)].add(transition);
    if (const std::int64_t draw = state.done() - warm_up - 1; draw >= 0) {
      std::ranges::copy(state.position(), runs.states.mutableRow(chain).begin() + draw * dimension);
    }
  };
  for (std::int64_t done = 0; done < warm_up + draws; done += per_call) {
    const Status status =
        advanceChains(chains, std::min(per_call, warm_up + draws - done), observe, context);
    if (!status) {
      throw std::runtime_error(status.error().message);
    }
  }
  return runs;
}

}  // namespace dubito::test
