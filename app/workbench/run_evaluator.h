// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/jobs/window_jobs.h"
#include "app/session/messages.h"
#include "app/session/session.h"
#include "app/workbench/compute_settings.h"
#include "core/analysis/analysis_sample.h"

namespace dubito {

/// Evaluates runs that were opened or computed, one after another, and puts them into the session
/// with their notes.
class RunEvaluator : public QObject {
  Q_OBJECT
 public:
  /// All arguments must outlive this object. Of `settings`, only the evaluation is used.
  RunEvaluator(Session& session, WindowJobs& jobs, Messages& messages, ComputeSettings& settings,
               QObject* parent = nullptr);

  /// Calls `start`, which may call evaluate(), once no earlier one is being evaluated.
  void inTurn(std::function<void()> start);
  /// Evaluates `parts`. The result replaces `base`, or is added if `base` is null. While the first
  /// run of the session is evaluated, sample() is of it if it is large.
  void evaluate(std::vector<AnalysisPart> parts, const AnalysisPtr& base);
  /// Evaluates the active analysis again with `options`.
  void reevaluate(const EvaluationOptions& options);
  /// A part of the run that is being evaluated, if no run is shown; its analysis is null if there
  /// is none.
  [[nodiscard]] const AnalysisSample& sample() const { return sample_; }
  /// Puts an analysis into the session, or reports its error; `base`: as in evaluate().
  void take(const Expected<AnalysisPtr>& analysis, const AnalysisPtr& base, double seconds);
  /// The label store in which the review of `run`, which consists of labels, goes on; empty: the
  /// usual one.
  void setStore(const std::shared_ptr<const Run>& run, const std::string& store) {
    stores_[run] = store;
  }

 Q_SIGNALS:
  void sampleChanged();
  /// An analysis was computed or opened.
  void analysed();
  /// The labels of another program can be reviewed: their run is the active analysis. `store`: the
  /// label store to go on in; empty: the usual one.
  void labelsOpened(const QString& store);

 private:
  void startNext();
  void startSample(const AnalysisPart& part);
  void setSample(const AnalysisSample& sample);
  /// What notes on `analysis` name: its file, else its network and its items.
  [[nodiscard]] QString subjectOf(const Analysis& analysis) const;
  /// Shows a note on the analysis with this in-distribution run until that is closed.
  void note(const std::shared_ptr<const Run>& run, const QString& text);
  /// Withdraws the notes on runs that were closed.
  void withdrawNotes();
  /// Emits labelsOpened() if `analysis` is of labels.
  void offerReview(const Analysis& analysis);

  Session& session_;
  WindowJobs& jobs_;
  Messages& messages_;
  ComputeSettings& settings_;
  Job job_;
  Job sample_job_;
  AnalysisSample sample_;
  std::deque<std::function<void()>> waiting_;
  /// Notes that were shown, with their runs.
  std::vector<std::pair<std::weak_ptr<const Run>, QString>> notes_;
  /// Label stores of opened labels that are being evaluated.
  std::map<std::weak_ptr<const Run>, std::string, std::owner_less<>> stores_;
};

}  // namespace dubito
