// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "app/labs/lab_runner.h"
#include "core/labs/simplex/sample_worth.h"

namespace dubito {

/// The comparison of samples with closed forms so far.
struct WorthPicture {
  SampleWorthResult result;
  SampleWorthTimes times;
  std::int64_t done = 0;  ///< units of work
  std::int64_t total = 0;
};

/// Plays the laboratory "What a bridge is worth".
class WorthRunner : public LabRunner {
  Q_OBJECT
 public:
  WorthRunner(WorkerThread& worker, int threads, QObject* parent = nullptr);

  /// Starts again with another Gaussian.
  void setGaussian(LogitGaussian gaussian);
  [[nodiscard]] const LogitGaussian& gaussian() const { return gaussian_; }
  /// Edited in place by forms, then restart() applies them.
  [[nodiscard]] SampleWorthOptions& options() { return options_; }
  /// Null: nothing computed yet.
  [[nodiscard]] const std::shared_ptr<const WorthPicture>& picture() const { return picture_; }

 protected:
  [[nodiscard]] Slice slice(const SlicePace& pace) override;
  void forget() override;
  /// Without samples there is nothing to show, so a paused run does not start.
  [[nodiscard]] bool hasStarted() const override { return true; }
  [[nodiscard]] bool isComplete() const override {
    return picture_ && picture_->done >= picture_->total;
  }
  [[nodiscard]] bool isReady() const override { return !gaussian_.mean.empty(); }

 private:
  /// What only one thread has at a time: the laboratory, and how long its units take.
  struct Work {
    std::unique_ptr<SampleWorth> lab;
    UnitPacer pacer;
  };

  LogitGaussian gaussian_;
  SampleWorthOptions options_;
  std::shared_ptr<Work> work_;  ///< between slices; null: to be started
  std::shared_ptr<const WorthPicture> picture_;
};

}  // namespace dubito
