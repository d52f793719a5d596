// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/job.h"
#include "core/data/items/dataset.h"
#include "core/models/model.h"
#include "core/train/head/train_head.h"

namespace dubito {

class Messages;
class RecentFiles;
class RunComputer;
class Session;
class WindowJobs;

/// A head to train, and where it is written.
struct HeadRequest {
  ModelPtr backbone = nullptr;
  DatasetPtr dataset = nullptr;
  HeadOptions options = {};
  std::int64_t batch = 500;  ///< items per pass through the backbone
  std::uint64_t seed = 0;
  std::string path = {};  ///< of the new model; a file of that name is replaced
};

/// Progress of a training.
struct HeadCourse {
  std::vector<HeadEpoch> epochs = {};  ///< without their reliability diagrams and drop rates
  DropRateCourse drop_rates = {};      ///< empty unless they are learned
  std::int64_t best_epoch = 0;         ///< the one that is kept; 0: none yet
  /// Of the validation items after the newest epoch, and after the one that is kept.
  std::optional<ReliabilityDiagram> newest = {};
  std::optional<ReliabilityDiagram> kept = {};

  void add(HeadEpoch epoch);
};

/// A head that has been trained and saved.
struct TrainedHead {
  HeadRequest request;
  HeadReport report;
  ModelPtr model;        ///< the new network, as read from its file
  double seconds = 0.0;  ///< of everything
};

/// Trains heads on frozen networks, one at a time, on the thread of torch, and adds the new
/// networks to the session. The epochs are handed over in groups while the training runs. GUI
/// thread only.
class HeadTrainer : public QObject {
  Q_OBJECT
 public:
  /// All arguments must outlive this. The files of new networks are added to `recent`.
  HeadTrainer(Session& session, WindowJobs& jobs, Messages& messages, RunComputer& computer,
              RecentFiles& recent, QObject* parent = nullptr);
  ~HeadTrainer() override;

  /// Does nothing while a head is being trained. Emits failed() at once if the file would replace
  /// that of the backbone.
  void start(const HeadRequest& request);
  /// Ends the training after the running step and keeps the best head so far.
  void stop();
  /// Ends the training; a new file is removed.
  void cancel() { job_.cancel(); }
  [[nodiscard]] bool training() const { return isActive(job_.state()); }
  /// Of the training that was started last.
  [[nodiscard]] JobState state() const { return job_.state(); }
  /// Whether there is a head that stop() would keep.
  [[nodiscard]] bool canStop() const;

  /// Of the training that was started last.
  [[nodiscard]] const HeadRequest& request() const { return request_; }
  [[nodiscard]] const HeadCourse& course() const { return course_; }
  /// Null while a head is being trained, and if that failed or was cancelled.
  [[nodiscard]] const TrainedHead* trained() const { return trained_.get(); }

 Q_SIGNALS:
  /// training(), canStop() or trained() changed.
  void changed();
  void progressed(const dubito::Progress& progress);
  /// course() has new epochs, or begins again.
  void courseChanged();
  /// trained() is a new head, whose network is in the session.
  void saved();
  void failed(const QString& message);

 private:
  struct Feed;
  void takeEpochs();
  void deliver(const Expected<std::shared_ptr<const TrainedHead>>& trained);
  /// Adds the network to the session, or replaces the one that was read from the same file.
  void open(const TrainedHead& trained);

  Session& session_;
  WindowJobs& jobs_;
  Messages& messages_;
  RunComputer& computer_;
  RecentFiles& recent_;
  Job job_;  ///< on the thread of torch
  QTimer timer_;
  std::shared_ptr<Feed> feed_;  ///< of the training that was started last
  bool fits_directly_ = false;  ///< the direct fit of a head without epochs has begun
  HeadRequest request_;
  HeadCourse course_;
  std::shared_ptr<const TrainedHead> trained_;
};

}  // namespace dubito
