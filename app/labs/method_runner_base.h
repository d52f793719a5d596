// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <cstdint>

#include "app/jobs/job.h"
#include "app/labs/playback.h"

namespace dubito {

/// What runners of several methods have in common, whatever the kind of their methods; see
/// MethodRunner. GUI thread only.
class MethodRunnerBase : public QObject {
  Q_OBJECT
 public:
  /// `worker` must outlive this. `threads`: how many threads a method may use.
  MethodRunnerBase(WorkerThread& worker, int threads, QObject* parent = nullptr);
  ~MethodRunnerBase() override;

  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  /// All methods start again.
  void setSeed(std::uint64_t seed);
  void setSpeed(int index) { speed_ = index; }
  [[nodiscard]] int speed() const { return speed_; }

  void play();
  void pause();
  /// Pauses, then lets every method do one unit of work.
  void step();
  /// All methods start again, and play or stay paused as they were.
  void restart();
  /// One method starts again, with the current values of its options.
  void restart(std::size_t index);

  [[nodiscard]] bool isPlaying() const { return playing_; }
  /// Whether every method has finished or failed.
  [[nodiscard]] virtual bool isFinished() const = 0;
  /// Whether work is running or about to run.
  [[nodiscard]] bool busy() const { return isActive(job_.state()) || pause_.isActive(); }

 Q_SIGNALS:
  /// The methods are others.
  void methodsChanged();
  void dataChanged();
  /// Picture or error of method `index` changed.
  void pictureChanged(int index);
  /// isPlaying(), isFinished() or busy() changed.
  void stateChanged();

 protected:
  /// Starts a slice of the method whose turn it is, unless one is running.
  virtual void startSlice() = 0;
  /// Makes a method start again, and abandons its running slice.
  virtual void drop(std::size_t index) = 0;
  [[nodiscard]] virtual std::size_t methodCount() const = 0;
  /// Every method is to do one unit of work.
  virtual void requestSteps() = 0;

  [[nodiscard]] Job& job() { return job_; }
  [[nodiscard]] JobSettings jobSettings() const;
  /// Of work per slice.
  [[nodiscard]] double budget() const;
  /// Lets the next slice start after a pause that depends on the speed.
  void startSoon();
  void setSeedOfNextStart(std::uint64_t seed) { seed_ = seed; }

 private:
  Job job_;
  QTimer pause_;
  int threads_;
  std::uint64_t seed_ = 0;
  int speed_ = kNormalSpeed;
  bool playing_ = true;
};

}  // namespace dubito
