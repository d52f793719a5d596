// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "app/labs/lab_runner.h"
#include "core/labs/bandit/bandit_lab.h"

namespace dubito {

using BanditPicturePtr = std::shared_ptr<const BanditPicture>;

/// Plays the bandit laboratory and keeps the latest picture. A unit of work is one round of every
/// game.
class BanditRunner : public LabRunner {
  Q_OBJECT
 public:
  BanditRunner(WorkerThread& worker, int threads, QObject* parent = nullptr);

  /// Edited in place by forms; then restart() applies them.
  [[nodiscard]] BanditLabOptions& options() { return options_; }
  /// The latest picture, of earlier games until the new ones show theirs; null: none yet.
  [[nodiscard]] const BanditPicturePtr& picture() const { return picture_; }

 protected:
  [[nodiscard]] Slice slice(const SlicePace& pace) override;
  void forget() override { work_.reset(); }
  [[nodiscard]] bool hasStarted() const override { return work_ != nullptr; }
  [[nodiscard]] bool isComplete() const override {
    return work_ && picture_ && picture_->done >= picture_->total;
  }

 private:
  BanditLabOptions options_;
  std::shared_ptr<BanditLab> work_;  ///< between slices; null: to be started
  BanditPicturePtr picture_;
};

}  // namespace dubito
