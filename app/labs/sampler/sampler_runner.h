// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>

#include "app/labs/experiment_runner.h"
#include "app/labs/sampler/sampler_scene.h"
#include "core/labs/sampling/sampler_lab.h"

namespace dubito {

/// What SamplerRunner plays. A unit of work is one transition of every chain.
struct SamplerExperiment {
  /// Chains and their density.
  struct Lab {
    SamplerLab chains;
    SamplerScenePtr scene;
  };
  using Options = SamplerLabOptions;
  using Picture = SamplerPicture;
  static constexpr bool kKeepsPicture = true;
  /// Transitions per chain at which a run ends.
  static constexpr std::int64_t kMaxTransitions = 50'000;

  [[nodiscard]] static Status advance(Lab& lab, const SlicePace& pace, UnitPacer& pacer,
                                      RunContext& context);
  [[nodiscard]] static Picture picture(const Lab& lab, RunContext& /*context*/) {
    return lab.chains.picture();
  }
  [[nodiscard]] static bool isComplete(const Picture& picture) {
    return picture.transitions >= kMaxTransitions;
  }
};

/// Plays the chains of the sampler laboratory.
class SamplerRunner : public ExperimentRunner<SamplerExperiment> {
  Q_OBJECT
 public:
  SamplerRunner(WorkerThread& worker, int threads, QObject* parent = nullptr);

  /// All chains start again at `place`; nullopt: at random places.
  void setPlace(std::optional<std::array<double, 2>> place);
  [[nodiscard]] const std::optional<std::array<double, 2>>& place() const { return place_; }
  /// The density of the picture; null: none yet.
  [[nodiscard]] const SamplerScenePtr& scene() const { return scene_; }

 protected:
  [[nodiscard]] Start starter() const override;
  void keep(const Lab& lab) override { scene_ = lab.scene; }

 private:
  std::optional<std::array<double, 2>> place_;
  SamplerScenePtr scene_;
};

}  // namespace dubito
