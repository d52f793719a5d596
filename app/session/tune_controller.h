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

/// Tunes one analysis after the other in the background. While a slider moves the newest position
/// wins: what is being computed is finished, so that there is something to see, then comes the
/// newest, never a queue of old ones. GUI thread only.
class TuneController : public QObject {
  Q_OBJECT
 public:
  /// `workbench` outlives it.
  explicit TuneController(Workbench& workbench, QObject* parent = nullptr);

  /// For the analyses that are taken from now on.
  void setLimits(const TuneLimits& limits) { limits_ = limits; }
  /// Forgets everything of the analysis before; may be null. Nothing is computed yet.
  void take(AnalysisPtr analysis);
  /// Gets the analysis ready, unless it is or cannot be tuned.
  void prepare();
  /// Computes what `tuning` does, of a part of the items while it is `moving`. Ready alone.
  void change(const RunTuning& tuning, bool moving);
  /// Looks at all temperatures, or at all priors for the link of `tuning`, unless that is known.
  void findLandscape(const RunTuning& tuning);
  void findTauLandscape(const RunTuning& tuning);
  /// Fits the temperature that comes after the rest of `tuning`.
  void fit(const DatasetPtr& calibration, const RunTuning& tuning);
  /// Adds the tuned analysis to the session.
  void keep(const RunTuning& tuning);

  [[nodiscard]] const AnalysisPtr& analysis() const { return analysis_; }
  [[nodiscard]] bool ready() const { return basis_ != nullptr; }
  [[nodiscard]] const TuneBasisPtr& basis() const { return basis_; }
  [[nodiscard]] const TuneResultPtr& result() const { return result_; }
  [[nodiscard]] const TuneNetworkPtr& network() const { return network_; }
  [[nodiscard]] const std::optional<TuneLandscape>& landscape() const { return landscape_; }
  /// Whether landscape() is of the draws, link and prior of `tuning`.
  [[nodiscard]] bool hasLandscapeOf(const RunTuning& tuning) const {
    return landscape_of_ == beforeTemperature(tuning);
  }
  [[nodiscard]] const std::optional<PriorLandscape>& tauLandscape() const { return tau_landscape_; }
  [[nodiscard]] bool busy() const;
  /// What takes long enough to be told.
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
  /// A result, with the network that it may have needed.
  struct Computed {
    TuneNetworkPtr network;
    TuneResultPtr result;
  };
  void compute();
  void takeComputed(const Expected<Computed>& computed);
  void report(const Error& error);
  [[nodiscard]] std::array<Job*, 7> jobs();

  Workbench& workbench_;
  TuneLimits limits_;
  // The threads outlive the jobs on them. The landscape has its own, so that sliders need not wait.
  WorkerThread thread_;
  WorkerThread landscape_thread_;
  Job prepare_job_;
  Job compute_job_;
  Job network_job_;  ///< the same through the network: torch
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
  bool pending_ = false;  ///< `wanted_` waits for what is being computed
};

}  // namespace dubito
