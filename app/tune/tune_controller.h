// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <array>
#include <optional>
#include <string>

#include "app/jobs/job.h"
#include "app/jobs/window_jobs.h"
#include "app/jobs/worker_thread.h"
#include "app/session/session.h"
#include "app/tune/tune_computation.h"
#include "app/workbench/run_computer.h"

namespace dubito {

/// Tunes one analysis at a time in the background. While a slider moves, a running computation is
/// finished, so that results keep appearing; afterwards only the newest slider position is
/// computed. GUI thread only.
class TuneController : public QObject {
  Q_OBJECT
 public:
  /// The arguments must outlive this.
  TuneController(Session& session, WindowJobs& jobs, RunComputer& computer,
                 QObject* parent = nullptr);

  /// Sets limits for analyses prepared afterwards.
  void setLimits(const TuneLimits& limits) { limits_ = limits; }
  /// Switches to `analysis` (may be null) and drops the results of the previous one. Computes
  /// nothing.
  void setAnalysis(AnalysisPtr analysis);
  /// Starts preparing the analysis for tuning, unless it is already prepared or cannot be tuned.
  /// What was evaluated already is prepared at once.
  void prepare();
  /// Computes the effect of `tuning`. `moving`: a slider is being dragged, so only a sample of the
  /// items is evaluated. The result of a tuning that changes nothing is there at once, see
  /// untunedResult(). Requires ready().
  void change(const RunTuning& tuning, bool moving);
  // Compute metrics as functions of the temperature, or of the prior precision for the link of
  // `tuning`, unless already computed.
  void computeLandscape(const RunTuning& tuning);
  void computeTauLandscape(const RunTuning& tuning);
  /// Fits a temperature to the calibration items, with the draws, link and prior of `tuning`, and
  /// emits fitted().
  void fit(const DatasetPtr& calibration, const RunTuning& tuning);
  /// Adds the tuned analysis to the session.
  void addRun(const RunTuning& tuning);

  [[nodiscard]] const AnalysisPtr& analysis() const { return analysis_; }
  [[nodiscard]] bool ready() const { return basis_ != nullptr; }
  [[nodiscard]] const TuneBasisPtr& basis() const { return basis_; }
  [[nodiscard]] const TuneResultPtr& result() const { return result_; }
  [[nodiscard]] const TuneNetworkPtr& network() const { return network_; }
  [[nodiscard]] const std::optional<TuneLandscape>& landscape() const { return landscape_; }
  /// Whether landscape() was computed for the draws, link and prior of `tuning`.
  [[nodiscard]] bool hasLandscapeOf(const RunTuning& tuning) const {
    return landscape_of_ == beforeTemperature(tuning);
  }
  [[nodiscard]] const std::optional<PriorLandscape>& tauLandscape() const { return tau_landscape_; }
  [[nodiscard]] bool busy() const;
  /// Whether result() is being computed again.
  [[nodiscard]] bool computesResult() const;
  /// Whether landscape() or tauLandscape() is being computed again.
  [[nodiscard]] bool computesLandscape() const;
  /// Activities that take long enough to be displayed. kPassing: items pass through the network.
  enum class Activity { kNone, kPreparing, kPassing, kFitting, kAdding };
  [[nodiscard]] Activity activity() const;

 Q_SIGNALS:
  void prepared();
  void resultChanged();
  void landscapeChanged();
  /// fit() has finished. The temperature is valid for the draws, link and prior of `tuning`.
  /// `source` describes the fit, for display.
  void fitted(const RunTuning& tuning, double temperature, const QString& source);
  void activityChanged();
  void failed(const QString& message);

 private:
  /// A result and, if the computation passed items through the network, these items.
  struct Computed {
    TuneNetworkPtr network;
    TuneResultPtr result;
  };
  void compute();
  void handleComputed(const Expected<Computed>& computed);
  void report(const Error& error);
  [[nodiscard]] std::array<Job*, 7> jobs();

  Session& session_;
  WindowJobs& jobs_;
  RunComputer& computer_;
  TuneLimits limits_;
  // The threads outlive the jobs on them. The landscapes have a separate thread, so that sliders do
  // not wait for them.
  WorkerThread thread_;
  WorkerThread landscape_thread_;
  Job prepare_job_;
  Job compute_job_;
  Job network_job_;  ///< like compute_job_, but runs the network (torch)
  Job landscape_job_;
  Job tau_landscape_job_;
  Job fit_job_;
  Job add_job_;

  AnalysisPtr analysis_;
  TuneBasisPtr basis_;
  TuneNetworkPtr network_;
  TuneResultPtr result_;
  std::optional<TuneLandscape> landscape_;
  std::optional<RunTuning> landscape_of_;
  std::optional<PriorLandscape> tau_landscape_;
  std::optional<std::string> tau_landscape_of_;  ///< the link for which tau_landscape_ was computed
  RunTuning wanted_;
  bool moving_ = false;
  bool pending_ = false;  ///< wanted_ is computed once the running computation ends
};

}  // namespace dubito
