// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "app/labs/lab_runner.h"
#include "core/base/stopwatch.h"

namespace dubito {

/// Does the units of work that fit into a slice, and measures how long they take.
template <class Lab>
[[nodiscard]] Status advancePaced(Lab& lab, const SlicePace& pace, UnitPacer& pacer,
                                  RunContext& context) {
  const std::int64_t before = lab.done();
  const Stopwatch watch;
  if (Status advanced = lab.advance(pace.units(pacer, lab.total()), context); !advanced) {
    return advanced;
  }
  pacer.measured(lab.done() - before, watch.seconds());
  return {};
}

/// What most experiments have in common: slices as long as their pace, and a picture that counts
/// units of work.
template <class LabOf, class PictureOf>
struct PacedExperiment {
  using Lab = LabOf;
  using Picture = PictureOf;
  static constexpr bool kKeepsPicture = false;

  [[nodiscard]] static Status advance(Lab& lab, const SlicePace& pace, UnitPacer& pacer,
                                      RunContext& context) {
    return advancePaced(lab, pace, pacer, context);
  }
  [[nodiscard]] static bool isComplete(const Picture& picture) {
    return picture.done >= picture.total;
  }
};

/// Plays one experiment of a laboratory and keeps its latest picture.
///
/// `Experiment` names the types Options, Lab and Picture, and has
/// - static functions for the worker thread, advance(lab, pace, pacer, context) and
///   picture(lab, context): what a slice does;
/// - isComplete(picture): whether the run has reached its end;
/// - kKeepsPicture: whether the picture of an earlier run stays until the new one shows its own.
template <class Experiment>
class ExperimentRunner : public LabRunner {
 public:
  using Options = typename Experiment::Options;
  using Lab = typename Experiment::Lab;
  using Picture = typename Experiment::Picture;

  using LabRunner::LabRunner;

  /// Edited in place by forms; then restart() applies them.
  [[nodiscard]] Options& options() { return options_; }
  [[nodiscard]] const Options& options() const { return options_; }
  /// The latest picture; null: none yet.
  [[nodiscard]] const std::shared_ptr<const Picture>& picture() const { return picture_; }

 protected:
  /// Starts the experiment on the worker thread; owns all that it uses.
  using Start = std::function<Expected<std::shared_ptr<Lab>>(RunContext& context)>;
  [[nodiscard]] virtual Start starter() const = 0;
  /// Called on the GUI thread with each new picture.
  virtual void keep(const Lab& /*lab*/) {}

  [[nodiscard]] Slice slice(const SlicePace& pace) override {
    return [this, work = work_, start = starter(),
            pace](RunContext& context) mutable -> Expected<Show> {
      if (!work) {
        auto lab = start(context);
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
        keep(*work->lab);
      };
    };
  }
  void forget() override {
    work_.reset();
    if (!Experiment::kKeepsPicture) {
      picture_.reset();
    }
  }
  [[nodiscard]] bool hasStarted() const override { return work_ != nullptr; }
  [[nodiscard]] bool isComplete() const override {
    return work_ && picture_ && Experiment::isComplete(*picture_);
  }

 private:
  /// What only one thread has at a time: the laboratory, and how long its units take.
  struct Work {
    std::shared_ptr<Lab> lab;
    UnitPacer pacer;
  };

  Options options_;
  std::shared_ptr<Work> work_;  ///< between slices; null: to be started
  std::shared_ptr<const Picture> picture_;
};

}  // namespace dubito
