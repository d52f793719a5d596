// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "app/jobs/job.h"
#include "app/labs/playback.h"
#include "app/labs/sampler_scene.h"
#include "core/labs/sampling/sampler_lab.h"

namespace dubito {

using SamplerPicturePtr = std::shared_ptr<const SamplerPicture>;

/// From slow to fast: a unit of work is one transition of every chain, which takes microseconds.
[[nodiscard]] const std::vector<PlaybackSpeed>& samplerSpeeds();

/// Lets the chains of the sampler laboratory work on a worker thread and keeps the latest picture.
/// GUI thread only.
class SamplerRunner : public QObject {
  Q_OBJECT
 public:
  /// Transitions per chain at which a run ends.
  static constexpr std::int64_t kMaxTransitions = 50'000;

  /// `worker` must outlive this. `threads`: how many threads the chains may use.
  SamplerRunner(WorkerThread& worker, int threads, QObject* parent = nullptr);
  ~SamplerRunner() override;

  /// Edited in place by forms; then restart() applies them.
  [[nodiscard]] SamplerLabOptions& options() { return options_; }
  [[nodiscard]] const SamplerLabOptions& options() const { return options_; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  /// The chains start again.
  void setSeed(std::uint64_t seed);
  /// All chains start again at `place`; nullopt: at random places.
  void setPlace(std::optional<std::array<double, 2>> place);
  [[nodiscard]] const std::optional<std::array<double, 2>>& place() const { return place_; }
  void setSpeed(int index) { speed_ = index; }

  void play();
  void pause();
  /// Pauses, then lets every chain make one transition.
  void step();
  /// The chains start again, and play or stay paused as they were.
  void restart();

  /// The latest picture; null: none yet.
  [[nodiscard]] const SamplerPicturePtr& picture() const { return picture_; }
  /// The density of that picture; null: none yet.
  [[nodiscard]] const SamplerScenePtr& scene() const { return scene_; }
  /// Why the chains cannot run, as a sentence for the user; empty: they can.
  [[nodiscard]] const QString& error() const { return error_; }
  [[nodiscard]] bool isPlaying() const { return playing_; }
  /// Whether the run has ended or failed.
  [[nodiscard]] bool isFinished() const;
  /// Whether work is running or about to run.
  [[nodiscard]] bool busy() const;

 Q_SIGNALS:
  /// picture(), scene() or error() changed.
  void pictureChanged();
  /// isPlaying(), isFinished() or busy() changed.
  void stateChanged();

 private:
  /// What one slice of work gives.
  struct Slice {
    std::shared_ptr<SamplerLab> work;
    SamplerScenePtr scene;
    SamplerPicturePtr picture;
  };
  void startSlice();
  void deliver(const Expected<Slice>& slice);
  [[nodiscard]] const PlaybackSpeed& speed() const;

  Job job_;
  QTimer pause_;
  int threads_;
  SamplerLabOptions options_;
  std::uint64_t seed_ = 0;
  std::optional<std::array<double, 2>> place_;
  int speed_ = kNormalSpeed;
  bool playing_ = true;
  bool wants_step_ = false;
  std::shared_ptr<SamplerLab> work_;  ///< between slices; null: to be started
  SamplerPicturePtr picture_;
  SamplerScenePtr scene_;
  QString error_;
};

}  // namespace dubito
