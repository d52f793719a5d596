// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <array>
#include <optional>
#include <string>

#include "app/jobs/job.h"
#include "app/jobs/worker_thread.h"
#include "app/session/tune_computation.h"
#include "app/session/workbench.h"

namespace dubito {

/// Tunes one analysis at a time in the background. While a slider moves, the running computation
/// finishes, so that something is shown, and then only the newest position is computed. GUI thread
/// only.
class TuneController : public QObject {
  Q_OBJECT
 public:
  /// `workbench` must outlive this.
  explicit TuneController(Workbench& workbench, QObject* parent = nullptr);

  /// Applies to analyses taken afterwards.
  void setLimits(const TuneLimits& limits) { limits_ = limits; }
  /// Switches to an analysis (may be null) and drops results of the previous one. Computes nothing.
  void take(AnalysisPtr analysis);
  /// Prepares the analysis, unless it is prepared or cannot be tuned.
  void prepare();
  /// Computes the effect of `tuning`, on a sample of the items while `moving`. Requires ready().
  void change(const RunTuning& tuning, bool moving);
  // Compute the curves over all temperatures, or all priors for the link of `tuning`, if not known.
  void findLandscape(const RunTuning& tuning);
  void findTauLandscape(const RunTuning& tuning);
  /// Fits the temperature applied after the rest of `tuning`.
  void fit(const DatasetPtr& calibration, const RunTuning& tuning);
  /// Adds the tuned analysis to the session.
  void keep(const RunTuning& tuning);

  [[nodiscard]] const AnalysisPtr& analysis() const { return analysis_; }
  [[nodiscard]] bool ready() const { return basis_ != nullptr; }
  [[nodiscard]] const TuneBasisPtr& basis() const { return basis_; }
  [[nodiscard]] const TuneResultPtr& result() const { return result_; }
  [[nodiscard]] const TuneNetworkPtr& network() const { return network_; }
  [[nodiscard]] const std::optional<TuneLandscape>& landscape() const { return landscape_; }
  /// Whether landscape() has the draws, link and prior of `tuning`.
  [[nodiscard]] bool hasLandscapeOf(const RunTuning& tuning) const {
    return landscape_of_ == beforeTemperature(tuning);
  }
  [[nodiscard]] const std::optional<PriorLandscape>& tauLandscape() const { return tau_landscape_; }
  [[nodiscard]] bool busy() const;
  /// Activities that take long enough to be shown.
  enum class Activity { kNone, kPreparing, kPassing, kFitting, kKeeping };
  [[nodiscard]] Activity activity() const;

 Q_SIGNALS:
  void prepared();
  void resultChanged();
  void landscapeChanged();
  /// For the draws, link and prior of `tuning`.
  void fitted(const RunTuning& tuning, double temperature, const QString& source);
  void activityChanged();
  void failed(const QString& message);

 private:
  /// A result, with the network if it needed one.
  struct Computed {
    TuneNetworkPtr network;
    TuneResultPtr result;
  };
  void compute();
  void handleComputed(const Expected<Computed>& computed);
  void report(const Error& error);
  [[nodiscard]] std::array<Job*, 7> jobs();

  Workbench& workbench_;
  TuneLimits limits_;
  // The threads outlive the jobs on them. The landscape has its own, so that sliders need not wait.
  WorkerThread thread_;
  WorkerThread landscape_thread_;
  Job prepare_job_;
  Job compute_job_;
  Job network_job_;  ///< like compute_job_, through the network: torch
  Job landscape_job_;
  Job tau_landscape_job_;
  Job fit_job_;
  Job keep_job_;

  AnalysisPtr analysis_;
  TuneBasisPtr basis_;
  TuneNetworkPtr network_;
  TuneResultPtr result_;
  std::optional<TuneLandscape> landscape_;
  std::optional<RunTuning> landscape_of_;
  std::optional<PriorLandscape> tau_landscape_;
  std::optional<std::string> tau_landscape_of_;  ///< its link
  RunTuning wanted_;
  bool moving_ = false;
  bool pending_ = false;  ///< `wanted_` waits for the running computation
};

}  // namespace dubito
