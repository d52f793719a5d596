// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

#include "app/labs/lab_player.h"

namespace dubito {

/// How much one slice of work may do.
struct SlicePace {
  bool advances = true;   ///< false: only a picture of the present state is wanted
  bool one_unit = false;  ///< a single step was requested
  PlaybackSpeed speed{};

  /// Units of work for this slice of a run of `total` units; `pacer` knows how long they take.
  [[nodiscard]] std::int64_t units(const UnitPacer& pacer, std::int64_t total) const;
  /// The same for a run without an end, whose units take no time worth measuring.
  [[nodiscard]] std::int64_t units() const { return one_unit ? 1 : speed.units; }
};

/// Plays one experiment of a laboratory on a worker thread: it works in slices, and each ends with
/// a picture of the state. Everything can change at any time; then it starts again. A subclass says
/// what a slice does. GUI thread only.
class LabRunner : public LabPlayer {
  Q_OBJECT
 public:
  using LabPlayer::LabPlayer;
  ~LabRunner() override;

  void restart() override;

  /// Why it stopped, as a sentence for the user; empty: it did not.
  [[nodiscard]] const QString& error() const { return error_; }
  [[nodiscard]] bool isFinished() const override { return !error_.isEmpty() || isComplete(); }

 Q_SIGNALS:
  /// The picture or error() changed.
  void pictureChanged();

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

  void startSlice() override;
  void requestStep() override { wants_step_ = true; }

 private:
  void deliver(const Expected<Show>& show);

  bool wants_step_ = false;
  QString error_;
};

}  // namespace dubito
