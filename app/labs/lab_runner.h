// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <cstdint>
#include <functional>
#include <vector>

#include "app/jobs/job.h"
#include "app/labs/playback.h"

namespace dubito {

/// How much one slice of work may do.
struct SlicePace {
  bool advances = true;         ///< false: only a picture of the present state is wanted
  bool one_unit = false;        ///< a single step was asked for
  double budget_seconds = 0.0;  ///< of work, about
  std::int64_t least_units = 1;

  /// Units of work for this slice; `pacer` knows how long they take.
  [[nodiscard]] std::int64_t units(const UnitPacer& pacer) const;
};

/// Plays one experiment of a laboratory on a worker thread: it works in slices, and each ends with
/// a picture of the state. Everything can change at any time; then it starts again. A subclass says
/// what a slice does. GUI thread only.
class LabRunner : public QObject {
  Q_OBJECT
 public:
  /// `worker` must outlive this. `threads`: how many threads a slice may use.
  LabRunner(WorkerThread& worker, int threads, const std::vector<PlaybackSpeed>& speeds,
            QObject* parent = nullptr);
  ~LabRunner() override;

  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  /// Starts again.
  void setSeed(std::uint64_t seed);
  [[nodiscard]] const std::vector<PlaybackSpeed>& speeds() const { return speeds_; }
  /// `index` counts in speeds().
  void setSpeed(int index) { speed_ = index; }

  void play();
  void pause();
  /// Pauses, then does one unit of work.
  void step();
  /// Starts again, and plays or stays paused as before.
  void restart();

  /// Why it stopped, as a sentence for the user; empty: it did not.
  [[nodiscard]] const QString& error() const { return error_; }
  [[nodiscard]] bool isPlaying() const { return playing_; }
  /// Whether the run has ended or failed.
  [[nodiscard]] bool isFinished() const { return !error_.isEmpty() || isComplete(); }
  /// Whether work is running or about to run.
  [[nodiscard]] bool busy() const { return isActive(job_.state()) || pause_.isActive(); }

 Q_SIGNALS:
  /// The picture or error() changed.
  void pictureChanged();
  /// isPlaying(), isFinished() or busy() changed.
  void stateChanged();

 protected:
  /// Shows on the GUI thread what a slice gave.
  using Show = std::function<void()>;
  /// One slice of work, run on the worker thread. It must own all that it uses.
  using Slice = std::function<Expected<Show>(RunContext&)>;

  /// The next slice. A run that has not started starts in it.
  [[nodiscard]] virtual Slice slice(const SlicePace& pace) = 0;
  /// The run starts again: what it computed no longer counts.
  virtual void forget() = 0;
  /// Whether a slice has been shown since the start.
  [[nodiscard]] virtual bool hasStarted() const = 0;
  /// Whether the run has reached its end.
  [[nodiscard]] virtual bool isComplete() const = 0;
  /// Whether there is something to work on.
  [[nodiscard]] virtual bool isReady() const { return true; }

 private:
  void startSlice();
  void deliver(const Expected<Show>& show);
  [[nodiscard]] const PlaybackSpeed& speed() const {
    return speeds_[static_cast<std::size_t>(speed_)];
  }

  Job job_;
  QTimer pause_;
  int threads_;
  const std::vector<PlaybackSpeed>& speeds_;
  std::uint64_t seed_ = 0;
  int speed_ = kNormalSpeed;
  bool playing_ = true;
  bool wants_step_ = false;
  QString error_;
};

}  // namespace dubito
