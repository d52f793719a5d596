// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/jobs/job.h"
#include "app/jobs/newest_job.h"
#include "app/jobs/worker_thread.h"
#include "app/review/learn/learned_run.h"
#include "app/review/reviewer.h"
#include "core/review/learning_rounds.h"

namespace dubito {

class RunComputer;
class WindowJobs;

/// Labels of persons in one class.
struct LabelledClass {
  std::string name = {};
  std::int64_t labels = 0;
};

/// The labels to learn from, and the rounds of learning before.
struct LearningBasis {
  AnalysisPtr analysis = nullptr;
  std::vector<LabelledClass> classes = {};  ///< most labels first; without those that have none
  std::int64_t labels = 0;                  ///< of all classes
  std::int64_t without_class = 0;           ///< images in none of the classes, or undecidable
  /// Of the network under review and the one that it was made from, by number of labels.
  std::vector<LearningRound> rounds = {};
};
using LearningBasisPtr = std::shared_ptr<const LearningBasis>;

/// Trains a new last layer on the reviewed labels and computes a run with it over the same items.
/// The networks and the rounds of learning are kept in a folder next to the label store. GUI thread
/// only.
class Learner : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this.
  Learner(Reviewer& reviewer, WindowJobs& jobs, RunComputer& computer, QObject* parent = nullptr);
  ~Learner() override;

  /// Reads labels and rounds again, in the background.
  void refresh();
  /// Null until it was read.
  [[nodiscard]] const LearningBasisPtr& basis() const { return basis_; }
  /// Why nothing can be learned now and what to do, as one sentence; empty: it can.
  [[nodiscard]] QString obstacle() const;
  /// Where networks and rounds are kept.
  [[nodiscard]] QString folder() const;

  /// Learns from the labels of now. Emits learned(), or failed().
  void start();
  void cancel() { job_.cancel(); }
  [[nodiscard]] bool learning() const { return isActive(job_.state()); }
  /// The result that is not in use yet; null if there is none for the items under review.
  [[nodiscard]] const LearnedRun* ready() const;
  /// Adds the new network and its run to the session, which shows it: the review continues with it,
  /// and its queue is sorted anew.
  void use();
  [[nodiscard]] bool busy() const { return learning() || basis_job_.busy(); }

 Q_SIGNALS:
  /// basis(), learning() or ready() changed.
  void changed();
  void progressed(const dubito::Progress& progress);
  /// ready() is a new result.
  void learned();
  void failed(const QString& message);

 private:
  [[nodiscard]] QString networkObstacle(const Model& model) const;

  Reviewer& reviewer_;
  WindowJobs& jobs_;
  RunComputer& computer_;
  WorkerThread thread_;  ///< outlives the job
  NewestJob basis_job_;
  Job job_;  ///< on the thread of torch
  LearningBasisPtr basis_;
  std::shared_ptr<const LearnedRun> ready_;
  /// A network whose last layer turned out to be of no use, and why.
  ModelPtr refused_model_;
  QString refusal_;
};

}  // namespace dubito
