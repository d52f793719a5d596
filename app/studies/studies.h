// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito::study {

/// An experiment as a subcommand.
struct Study {
  CLI::App* app = nullptr;
  std::function<Status(RunContext&)> run;
  /// Whether several processes can share the work (RunContext::ranks).
  bool shares_work = false;
};

/// Table 5.1 of Hobbhahn's thesis (2020): mean maximum confidence and OOD detection by sampling and
/// by the Laplace Bridge.
[[nodiscard]] Study oodTable(CLI::App& parent);
/// Figure 5.1 of the thesis: mean variance of the Dirichlets by true class.
[[nodiscard]] Study classVariance(CLI::App& parent);
/// Figure 5.3 of the thesis: number of samples needed to approximate the distribution of softmax(z)
/// as closely as the bridge.
[[nodiscard]] Study sampleDivergence(CLI::App& parent);
/// How many wrong labels a simulated review finds by each queue.
[[nodiscard]] Study labelFlips(CLI::App& parent);
/// How often labels given by the model miss the guaranteed precision.
[[nodiscard]] Study autolabelSplits(CLI::App& parent);
/// Learning curves of several acquisitions (Gal, Islam and Ghahramani 2017).
[[nodiscard]] Study activeLearning(CLI::App& parent);
/// Figure 4.1 of Chan's report (2019): posteriors of a network by several methods, compared with
/// HMC.
[[nodiscard]] Study regressionPosteriors(CLI::App& parent);
/// Figures 4.3 to 4.6 of the report: the ELBO against the dropout rate, and where learnt rates end.
[[nodiscard]] Study dropoutRates(CLI::App& parent);
/// Changes by context, by decile of uncertainty.
[[nodiscard]] Study contextScenes(CLI::App& parent);

}  // namespace dubito::study
