// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/options.h"
#include "core/labs/methods/regression_method.h"
#include "core/labs/sampling/markov_chain.h"

namespace dubito {

/// How many chains run and how many of their states are kept.
struct ChainRunOptions {
  std::int64_t chains = 4;   ///< >= 2, so that they can be compared
  std::int64_t draws = 500;  ///< transitions per chain after the warm-up, >= 4
  std::int64_t kept = 250;   ///< states kept per chain, evenly thinned; >= 4

  [[nodiscard]] std::vector<Field> fields();
};

/// Several chains at work, with their kept states. They are compared by predictions, since the
/// weights of a network are not identified: hidden units can be exchanged and signs flipped.
class ChainRun {
 public:
  struct Setup {
    ChainRunOptions run;
    std::int64_t warm_up = 0;
    /// Whether the sampler rejects proposals; if not, acceptance says nothing.
    bool rejects = true;
    /// What is compared, for messages: "at x = 0.5". At least one.
    std::vector<std::string> compared;
    /// Predictions [compared.size()] of a state; called on several threads at once.
    std::function<void(std::span<const double> state, std::span<double> outputs)> outputs;
  };
  ChainRun(Setup setup, std::vector<std::unique_ptr<MarkovChain>> chains);

  /// Transitions of every chain, warm-up included.
  [[nodiscard]] std::int64_t done() const { return chains_.front()->done(); }
  [[nodiscard]] std::int64_t total() const { return setup_.warm_up + setup_.run.draws; }
  [[nodiscard]] Status advance(std::int64_t transitions, RunContext& context);
  /// Up to `max_states` states [T, P], from all chains in turn and evenly over each of them; any
  /// first few are of different chains and far apart in time. Before the first draws, the last ones
  /// of the warm-up, or where the chains start.
  [[nodiscard]] Array<double> states(std::int64_t max_states) const;
  [[nodiscard]] LabDiagnostics diagnostics() const;

 private:
  /// States of one chain and their predictions.
  struct Record {
    std::vector<double> states;   ///< [kept, P]
    std::vector<double> outputs;  ///< [kept, compared]
    ChainStatistics statistics;
  };
  void observe(std::int64_t chain, const Transition& transition);
  /// Whether a state after the warm-up is kept already; the kept states are from the warm-up until
  /// then.
  [[nodiscard]] bool hasDraws() const { return done() - setup_.warm_up >= thinning_; }
  [[nodiscard]] std::int64_t keptPerChain() const;
  /// [C, kept] of one of the compared predictions.
  [[nodiscard]] Array<double> outputsAt(std::size_t input) const;
  void addComparison(LabDiagnostics& diagnostics) const;

  Setup setup_;
  std::vector<std::unique_ptr<MarkovChain>> chains_;
  std::vector<Record> records_;
  std::int64_t thinning_ = 1;
};

}  // namespace dubito
