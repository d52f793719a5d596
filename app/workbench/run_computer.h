// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <functional>
#include <memory>
#include <string>

#include "app/jobs/window_jobs.h"
#include "app/session/messages.h"
#include "app/session/session.h"
#include "app/workbench/compute_queue.h"
#include "app/workbench/compute_request.h"
#include "app/workbench/compute_settings.h"
#include "app/workbench/run_evaluator.h"

namespace dubito {

/// Computes runs of the session's datasets with its active model, one after another.
class RunComputer : public QObject {
  Q_OBJECT
 public:
  /// All arguments must outlive this object. `stored` remembers whether to compute in a separate
  /// process.
  RunComputer(Session& session, WindowJobs& jobs, Messages& messages, RunEvaluator& evaluator,
              ComputeSettings& settings, QSettings& stored, QObject* parent = nullptr);

  [[nodiscard]] const ComputeSettings& settings() const { return settings_; }
  void setSettings(const ComputeSettings& settings) { settings_ = settings; }
  /// Job settings from the Compute panel, for jobs outside queue() that run the network.
  [[nodiscard]] JobSettings jobSettings() const;

  /// Whether compute() can start. If not, sets `reason` to a message for the user. `ensemble`: ask
  /// about combining runs, which needs no model and no dataset.
  [[nodiscard]] bool canCompute(QString* reason = nullptr, bool ensemble = false) const;
  /// Estimates the time and the result size of compute() in the background and emits estimated(),
  /// unless another estimate or computation is started first.
  void estimate(const ComputeSettings& settings);
  /// Abandons a running estimate.
  void dropEstimate() { estimate_job_.abandon(); }
  /// Why the computation cannot run in a separate process, as a message for the user; empty if it
  /// can. `ensemble`: runs are to be combined.
  [[nodiscard]] QString whyNotIsolated(const ComputeSettings& settings, bool ensemble) const;
  /// Stores whether to predict in a separate process, also for later starts of the program.
  void setIsolated(bool isolated);
  /// The program that computes in a separate process. Default: dubito-cli in the folder of this
  /// program.
  [[nodiscard]] const std::string& cliProgram() const { return cli_program_; }
  void setCliProgram(const std::string& path) { cli_program_ = path; }
  /// Adds a computation to queue(): predicts the session's datasets with its active model, or
  /// combines the members of an ensemble.
  void compute(const ComputeSettings& settings) { start(settings, true); }
  /// The same with the present settings, without a request by the user (the demo).
  void computeAutomatically() { start(settings_, false); }
  /// Whether computeAgain() can repeat `analysis`: its images are open, and its method is not
  /// fitted to data.
  [[nodiscard]] static bool canComputeAgain(const Analysis& analysis);
  /// Adds to queue() what computed `analysis`, with the same images, method and seed, but with
  /// `model`: the same network with other metadata.
  void computeAgain(const Analysis& analysis, const ModelPtr& model);
  /// Cancels running and pending computations that the user did not request.
  void cancelAutomatic() { queue_.cancelAutomatic(); }
  /// Running and waiting computations.
  [[nodiscard]] ComputeQueue& queue() { return queue_; }
  [[nodiscard]] const ComputeQueue& queue() const { return queue_; }
  /// Whether work requested by the user is running or waiting; the demo does not count.
  [[nodiscard]] bool hasUserRequestedWork() const;

 Q_SIGNALS:
  /// Result of estimate(): "about 12 s, 340 MB of results"; empty if unknown.
  void estimated(const QString& text);
  /// queue() or hasUserRequestedWork() changed.
  void computingChanged();
  /// The images have no common size, or are too large, and `model` states none: `message`, which
  /// was reported, says so.
  void inputSizeNeeded(const QString& message, const dubito::ModelPtr& model);

 private:
  [[nodiscard]] ComputeRequest requestOf(const ComputeSettings& settings) const;
  /// `wanted`: true if requested by the user, false if automatic (the demo).
  void start(const ComputeSettings& settings, bool wanted);
  void addRun(const ComputeRequest& request, const ComputeSettings& settings, bool wanted);
  /// A note on the result for the user; empty if there is none.
  using NoteOf = std::function<QString(const Expected<AnalysisPtr>& analysis)>;
  /// Adds a computation, which starts `started`, with what is done with its result. `model`: that
  /// runs; null for an ensemble.
  void add(ComputeQueue::Computation computation, const std::shared_ptr<QElapsedTimer>& started,
           const ModelPtr& model, const NoteOf& note_of);
  /// Selects a suitable method for a newly selected model, unless the user has chosen one.
  void selectSuitableMethod();

  Session& session_;
  WindowJobs& jobs_;
  Messages& messages_;
  RunEvaluator& evaluator_;
  ComputeSettings& settings_;
  QSettings& stored_;
  std::string cli_program_;
  ComputeQueue queue_;
  Job estimate_job_;
  QStringList not_computed_;  ///< messages since the last success, if they are still shown
  std::weak_ptr<const Model> suited_model_;  ///< last model passed to selectSuitableMethod()
  std::string suited_method_;  ///< methodJson of the method selected for suited_model_
};

}  // namespace dubito
