// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <cstdint>
#include <vector>

#include "app/jobs/job.h"
#include "app/labs/playback.h"

namespace dubito {

/// Plays a laboratory in slices of work on a worker thread: what all runners have in common,
/// whatever they work on. GUI thread only.
class LabPlayer : public QObject {
  Q_OBJECT
 public:
  /// `worker` and `speeds` must outlive this. `threads`: how many threads a slice may use.
  LabPlayer(WorkerThread& worker, int threads, const std::vector<PlaybackSpeed>& speeds,
            QObject* parent = nullptr);
  ~LabPlayer() override;

  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  /// Starts again.
  void setSeed(std::uint64_t seed);
  [[nodiscard]] const std::vector<PlaybackSpeed>& speeds() const { return speeds_; }
  /// `index` counts in speeds().
  void setSpeed(int index) { speed_ = index; }

  void play();
  virtual void pause();
  /// Pauses, then does one unit of work.
  void step();
  /// Starts again, and plays or stays paused as before.
  virtual void restart() = 0;

  [[nodiscard]] bool isPlaying() const { return playing_; }
  /// Whether somebody sees what it does; else its work waits for that of others.
  void setWatched(bool watched) { watched_ = watched; }
  /// Whether all work has ended or failed.
  [[nodiscard]] virtual bool isFinished() const = 0;
  /// Whether work is running or about to run.
  [[nodiscard]] bool busy() const { return isActive(job_.state()) || pause_.isActive(); }

 Q_SIGNALS:
  /// isPlaying(), isFinished() or busy() changed.
  void stateChanged();

 protected:
  /// Starts a slice with job() if there is something to do. Called while none is running.
  virtual void startSlice() = 0;
  /// The next slice does one unit of work, even while paused.
  virtual void requestStep() = 0;

  /// Starts a slice unless one is running or there is nothing to do.
  void proceed();
  /// Lets the next slice start after a pause that depends on the speed.
  void proceedSoon();
  /// Abandons the running slice, and the next one if it waits.
  void stop();
  [[nodiscard]] Job& job() { return job_; }
  [[nodiscard]] JobSettings jobSettings() const;
  [[nodiscard]] const PlaybackSpeed& speed() const {
    return speeds_[static_cast<std::size_t>(speed_)];
  }
  void setSeedOfNextStart(std::uint64_t seed) { seed_ = seed; }

 private:
  Job job_;
  QTimer pause_;
  int threads_;
  const std::vector<PlaybackSpeed>& speeds_;
  std::uint64_t seed_ = 0;
  int speed_ = kNormalSpeed;
  bool playing_ = true;
  bool watched_ = true;
};

}  // namespace dubito
