// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "app/labs/lab_runner.h"
#include "app/labs/sampler/sampler_scene.h"
#include "core/labs/sampling/sampler_lab.h"

namespace dubito {

using SamplerPicturePtr = std::shared_ptr<const SamplerPicture>;

/// Plays the chains of the sampler laboratory and keeps the latest picture. A unit of work is one
/// transition of every chain.
class SamplerRunner : public LabRunner {
  Q_OBJECT
 public:
  /// Transitions per chain at which a run ends.
  static constexpr std::int64_t kMaxTransitions = 50'000;

  SamplerRunner(WorkerThread& worker, int threads, QObject* parent = nullptr);

  /// Edited in place by forms; then restart() applies them.
  [[nodiscard]] SamplerLabOptions& options() { return options_; }
  [[nodiscard]] const SamplerLabOptions& options() const { return options_; }
  /// All chains start again at `place`; nullopt: at random places.
  void setPlace(std::optional<std::array<double, 2>> place);
  [[nodiscard]] const std::optional<std::array<double, 2>>& place() const { return place_; }

  /// The latest picture, of an earlier run until the new one shows its own; null: none yet.
  [[nodiscard]] const SamplerPicturePtr& picture() const { return picture_; }
  /// The density of that picture; null: none yet.
  [[nodiscard]] const SamplerScenePtr& scene() const { return scene_; }

 protected:
  [[nodiscard]] Slice slice(const SlicePace& pace) override;
  void forget() override { work_.reset(); }
  [[nodiscard]] bool hasStarted() const override { return work_ != nullptr; }
  [[nodiscard]] bool isComplete() const override {
    return work_ && picture_ && picture_->transitions >= kMaxTransitions;
  }

 private:
  SamplerLabOptions options_;
  std::optional<std::array<double, 2>> place_;
  std::shared_ptr<SamplerLab> work_;  ///< between slices; null: to be started
  SamplerPicturePtr picture_;
  SamplerScenePtr scene_;
};

}  // namespace dubito
