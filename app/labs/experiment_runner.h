// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/labs/lab_runner.h"

namespace dubito {

/// What an ExperimentRunner plays: the inputs of an experiment, and what a slice does. Copied to
/// the worker thread. A subclass adds
/// - start(seed, context): an Expected<std::shared_ptr<Lab>>, on the worker thread;
/// - picture(lab, context), static and on the worker thread: what is shown of it.
/// It may replace all that is here.
template <class OptionsOf, class LabOf, class PictureOf>
struct LabExperiment {
  using Options = OptionsOf;
  using Lab = LabOf;
  using Picture = PictureOf;

  /// Whether the picture of an earlier run stays until the new one shows its own.
  static constexpr bool kKeepsPicture = false;
  /// Whether there is something to see before the first unit of work, so that a paused run starts.
  static constexpr bool kShowsStart = true;

  Options options{};

  [[nodiscard]] static const std::vector<PlaybackSpeed>& speeds() { return playbackSpeeds(); }
  /// Whether there is something to work on.
  [[nodiscard]] bool isReady() const { return true; }
  /// Does the units of work that fit into a slice.
  [[nodiscard]] static Status advance(Lab& lab, const SlicePace& pace, UnitPacer& pacer,
                                      RunContext& context) {
    return pacer.advance(lab, pace.units(pacer, lab.total()), context);
  }
  [[nodiscard]] static bool isComplete(const Picture& picture) {
    return picture.done >= picture.total;
  }
  /// Called on the GUI thread with each new picture: what the next run needs of this one.
  void keep(const Lab& /*lab*/) {}
};

/// Plays one experiment of a laboratory, a LabExperiment, and keeps its latest picture.
template <class Experiment>
class ExperimentRunner : public LabRunner {
 public:
  using Options = typename Experiment::Options;
  using Lab = typename Experiment::Lab;
  using Picture = typename Experiment::Picture;

  /// `worker` must outlive this. `threads`: how many threads a slice may use.
  ExperimentRunner(WorkerThread& worker, int threads, QObject* parent = nullptr)
      : LabRunner(worker, threads, Experiment::speeds(), parent) {}

  /// Edited in place by forms; then restart() applies them.
  [[nodiscard]] Options& options() { return experiment_.options; }
  [[nodiscard]] const Options& options() const { return experiment_.options; }
  [[nodiscard]] const Experiment& experiment() const { return experiment_; }
  /// Starts again with another input.
  template <class Value>
  void set(Value Experiment::*input, std::type_identity_t<Value> value) {
    experiment_.*input = std::move(value);
    restart();
  }
  /// The latest picture; null: none yet.
  [[nodiscard]] const std::shared_ptr<const Picture>& picture() const { return picture_; }

 protected:
  [[nodiscard]] Slice slice(const SlicePace& pace) override {
    return [this, work = work_, experiment = experiment_, seed = seed(),
            pace](RunContext& context) mutable -> Expected<Show> {
      if (!work) {
        auto lab = experiment.start(seed, context);
        if (!lab) {
          return failWith(lab);
        }
        work = std::make_shared<Work>();
        work->lab = *std::move(lab);
      }
      Lab& lab = *work->lab;
      if (pace.advances) {
        if (Status advanced = Experiment::advance(lab, pace, work->pacer, context); !advanced) {
          return failWith(advanced);
        }
      }
      auto picture = std::make_shared<const Picture>(Experiment::picture(lab, context));
      return [this, work, picture] {
        work_ = work;
        picture_ = picture;
        experiment_.keep(*work->lab);
      };
    };
  }
  void forget() override {
    work_.reset();
    if (!Experiment::kKeepsPicture) {
      picture_.reset();
    }
  }
  [[nodiscard]] bool hasStarted() const override { return work_ || !Experiment::kShowsStart; }
  [[nodiscard]] bool isReady() const override { return experiment_.isReady(); }
  [[nodiscard]] bool isComplete() const override {
    return work_ && picture_ && Experiment::isComplete(*picture_);
  }

 private:
  /// What only one thread has at a time: the laboratory, and how long its units take.
  struct Work {
    std::shared_ptr<Lab> lab;
    UnitPacer pacer;
  };

  Experiment experiment_;
  std::shared_ptr<Work> work_;  ///< between slices; null: to be started
  std::shared_ptr<const Picture> picture_;
};

}  // namespace dubito
