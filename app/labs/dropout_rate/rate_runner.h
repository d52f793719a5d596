// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "app/labs/lab_runner.h"
#include "core/labs/dropout_rate/dropout_rate_lab.h"

namespace dubito {

/// Plays the laboratory "Dropout rate". A unit of work is one step of every run and grid point.
class RateRunner : public LabRunner {
  Q_OBJECT
 public:
  RateRunner(WorkerThread& worker, int threads, QObject* parent = nullptr);

  /// Edited in place by forms; then restart() applies them.
  [[nodiscard]] DropoutRateOptions& options() { return options_; }
  [[nodiscard]] const DropoutRateOptions& options() const { return options_; }

  /// Null: nothing computed yet.
  [[nodiscard]] const std::shared_ptr<const DropoutRatePicture>& picture() const {
    return picture_;
  }

 protected:
  [[nodiscard]] Slice slice(const SlicePace& pace) override;
  void forget() override;
  [[nodiscard]] bool hasStarted() const override { return work_ != nullptr; }
  [[nodiscard]] bool isComplete() const override {
    return picture_ && picture_->done >= picture_->total;
  }

 private:
  /// What only one thread has at a time: the laboratory, and how long its steps take.
  struct Work {
    std::unique_ptr<DropoutRateLab> lab;
    UnitPacer pacer;
  };

  DropoutRateOptions options_;
  std::shared_ptr<Work> work_;  ///< between slices; null: to be started
  std::shared_ptr<const DropoutRatePicture> picture_;
};

}  // namespace dubito
