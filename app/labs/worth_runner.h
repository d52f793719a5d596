// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>

#include "app/jobs/job.h"
#include "app/labs/playback.h"
#include "core/labs/simplex/sample_worth.h"

namespace dubito {

/// The comparison of samples with closed forms so far.
struct WorthPicture {
  SampleWorthResult result;
  SampleWorthTimes times;
  std::int64_t done = 0;  ///< units of work
  std::int64_t total = 0;
};

/// Plays the laboratory "What a bridge is worth" on a worker thread. Everything can change at any
/// time; then it starts again. GUI thread only.
class WorthRunner : public QObject {
  Q_OBJECT
 public:
  /// `worker` must outlive this. `threads`: how many threads it may use.
  WorthRunner(WorkerThread& worker, int threads, QObject* parent = nullptr);
  ~WorthRunner() override;

  void setGaussian(LogitGaussian gaussian);
  [[nodiscard]] const LogitGaussian& gaussian() const { return gaussian_; }
  /// Edited in place by forms, then restart() applies them.
  [[nodiscard]] SampleWorthOptions& options() { return options_; }
  void setSeed(std::uint64_t seed);
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  void setSpeed(int index) { speed_ = index; }

  void play();
  void pause();
  /// Pauses, then does one unit of work.
  void step();
  /// Starts again, and plays or stays paused as before.
  void restart();

  /// Null: nothing computed yet.
  [[nodiscard]] const std::shared_ptr<const WorthPicture>& picture() const { return picture_; }
  /// Why it stopped, as a sentence for the user; empty: it did not.
  [[nodiscard]] const QString& error() const { return error_; }
  [[nodiscard]] bool isPlaying() const { return playing_; }
  [[nodiscard]] bool isFinished() const {
    return !error_.isEmpty() || (picture_ && picture_->done >= picture_->total);
  }
  /// Whether work is running or about to run.
  [[nodiscard]] bool busy() const { return isActive(job_.state()) || pause_.isActive(); }

 Q_SIGNALS:
  void pictureChanged();
  /// isPlaying(), isFinished() or busy() changed.
  void stateChanged();

 private:
  /// What only one thread has at a time: the laboratory, and how long its units take.
  struct Work {
    std::unique_ptr<SampleWorth> lab;
    UnitPacer pacer;
  };
  /// What one slice of work gives.
  struct Slice {
    std::shared_ptr<Work> work;
    std::shared_ptr<const WorthPicture> picture;
  };

  void startSlice();
  void deliver(const Expected<Slice>& slice);

  Job job_;
  QTimer pause_;
  int threads_;
  LogitGaussian gaussian_;
  SampleWorthOptions options_;
  std::uint64_t seed_ = 0;
  int speed_ = kNormalSpeed;
  bool playing_ = true;
  bool wants_step_ = false;
  std::shared_ptr<Work> work_;  ///< between slices; null: to be started
  std::shared_ptr<const WorthPicture> picture_;
  QString error_;
};

}  // namespace dubito
