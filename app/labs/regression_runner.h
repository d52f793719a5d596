// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/job.h"
#include "app/labs/playback.h"
#include "core/base/stopwatch.h"
#include "core/labs/data/regression_data.h"
#include "core/labs/regression/regression_lab.h"
#include "core/labs/regression/regression_methods.h"
#include "core/labs/regression/regression_preset.h"

namespace dubito {

using RegressionPicturePtr = std::shared_ptr<const RegressionPicture>;

/// Lets several methods of the regression laboratory work on the same data, in turns on one worker
/// thread, and keeps the latest picture of each. Everything can change at any time: what does not
/// fit any more is dropped. GUI thread only.
class RegressionRunner : public QObject {
  Q_OBJECT
 public:
  /// A chosen method.
  struct Entry {
    const RegressionMethodInfo* info = nullptr;
    /// Its options; edited in place by forms, then restart(index) applies them.
    std::shared_ptr<RegressionMethod> method;
    RegressionPicturePtr picture;  ///< latest; null: none yet
    /// Why the method stopped, as a sentence for the user; empty: it did not.
    QString error;
    [[nodiscard]] bool isFinished() const {
      return !error.isEmpty() || (picture && picture->done >= picture->total);
    }
  };

  /// `worker` must outlive this. `threads`: how many threads a method may use.
  RegressionRunner(WorkerThread& worker, int threads, QObject* parent = nullptr);
  ~RegressionRunner() override;

  /// Replaces the data; all methods start again. Invalid data (too few points, for example) stop
  /// all methods, with the reason in dataError().
  void setData(RegressionData data);
  [[nodiscard]] const RegressionData& data() const { return data_; }
  [[nodiscard]] const QString& dataError() const { return data_error_; }
  /// Adds or removes methods so that exactly `keys` are chosen; the others keep their state.
  void setMethods(const std::vector<std::string>& keys);
  /// Replaces all methods, their options, the shared options and the seed. The data stay.
  void apply(const RegressionPreset& preset);
  /// Methods, options and seed; the caller adds the data.
  [[nodiscard]] RegressionPreset preset() const;
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  /// The method of entry `index`, to edit its options.
  [[nodiscard]] RegressionMethod& method(std::size_t index) { return *entries_[index].method; }
  [[nodiscard]] RegressionLabOptions& options() { return options_; }
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
  [[nodiscard]] bool isFinished() const;
  /// Whether work is running or about to run.
  [[nodiscard]] bool busy() const;

 Q_SIGNALS:
  /// entries() has other members.
  void methodsChanged();
  void dataChanged();
  /// Picture or error of entry `index` changed.
  void pictureChanged(int index);
  /// isPlaying(), isFinished() or busy() changed.
  void stateChanged();

 private:
  /// What only one thread has at a time: a learner, and how long its units take.
  struct Work {
    std::optional<RegressionLab> lab;
    UnitPacer pacer;
    RegressionPicturePtr scored;  ///< the latest picture with scores of its own
    Stopwatch since_scored;
  };
  /// What one slice of work gives.
  struct Slice {
    std::shared_ptr<Work> work;
    RegressionPicturePtr picture;
    bool old_scores = false;  ///< the scores of the picture are those of an earlier one
  };
  struct Turn {
    int id = 0;                  ///< new for each start, so that stale slices are recognised
    std::shared_ptr<Work> work;  ///< between slices; null: to be started
    bool wants_step = false;
    bool old_scores = false;  ///< of the picture shown
  };

  [[nodiscard]] Turn newTurn() { return {++last_id_, nullptr, false, false}; }
  void startSlice();
  void deliver(int id, const Expected<Slice>& slice);
  /// Makes an entry start again, and abandons its running slice.
  void drop(std::size_t index);
  /// The next entry with something to do, after the one that worked last; -1: none.
  [[nodiscard]] int nextEntry() const;

  Job job_;
  QTimer pause_;
  int threads_;
  RegressionData data_;
  QString data_error_;
  RegressionLabOptions options_;
  std::uint64_t seed_ = 0;
  int speed_ = kNormalSpeed;
  bool playing_ = true;
  std::vector<Entry> entries_;
  std::vector<Turn> turns_;  ///< one per entry
  std::size_t working_ = 0;  ///< entry whose slice runs or ran last
  int working_id_ = 0;       ///< id of that turn
  int last_id_ = 0;
};

}  // namespace dubito
