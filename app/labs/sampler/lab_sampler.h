// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "app/labs/experiment_view.h"
#include "app/labs/sampler/sampler_scene.h"
#include "core/labs/sampling/sampler_lab.h"

namespace dubito {

class DensityPathPlot;
class KeyValueList;
class ValueSlider;
struct PlaneDensity;

/// Chains and their density.
struct SamplerChains {
  SamplerLab chains;
  SamplerScenePtr scene;
};

/// What SamplerRunner plays. A unit of work is one transition of every chain.
struct SamplerExperiment : LabExperiment<SamplerLabOptions, SamplerChains, SamplerPicture> {
  static constexpr bool kKeepsPicture = true;
  /// Transitions per chain at which a run ends.
  static constexpr std::int64_t kMaxTransitions = 50'000;

  /// Where all chains start; nullopt: at random places.
  std::optional<std::array<double, 2>> place;
  SamplerScenePtr scene;  ///< of the picture; null: none yet

  /// A transition takes microseconds, so its speeds count transitions, not seconds.
  [[nodiscard]] static const std::vector<PlaybackSpeed>& speeds();
  [[nodiscard]] Expected<std::shared_ptr<Lab>> start(std::uint64_t seed, RunContext& context) const;
  [[nodiscard]] static Status advance(Lab& lab, const SlicePace& pace, UnitPacer& /*pacer*/,
                                      RunContext& context) {
    const std::int64_t left = kMaxTransitions - lab.chains.transitions();
    return lab.chains.advance(std::min(pace.units(), left), context);
  }
  [[nodiscard]] static Picture picture(const Lab& lab, RunContext& /*context*/) {
    return lab.chains.picture();
  }
  [[nodiscard]] static bool isComplete(const Picture& picture) {
    return picture.transitions >= kMaxTransitions;
  }
  void keep(const Lab& lab) { scene = lab.scene; }
};
using SamplerRunner = ExperimentRunner<SamplerExperiment>;

/// The sampler laboratory: chains that draw from a density in two dimensions, and what tells
/// whether they have converged.
class LabSampler : public ExperimentView<SamplerRunner> {
 public:
  explicit LabSampler(const LabParts& parts, QWidget* parent = nullptr);

  [[nodiscard]] nlohmann::json setUp() const override;
  [[nodiscard]] Status applySetUp(const nlohmann::json& set_up) override;

 protected:
  /// Chains start at random places again.
  void reset() override;
  /// Density and sampler were chosen: other options belong to them.
  void showOptions() override;
  void showPicture() override;
  [[nodiscard]] LabBar::StateTexts stateTexts() const override;

 private:
  [[nodiscard]] QWidget* buildSetUp();
  [[nodiscard]] QWidget* buildResults();
  void buildPlots(QBoxLayout& row);
  void showView(std::size_t card);
  /// Shows `views`, indices in samplerViews(), in the cards.
  void setViews(const std::array<std::size_t, 2>& views);
  void connectParts();
  /// Enables the options that have an effect.
  void enableOptions();
  /// The step size is used as given, not adapted.
  void setStepSize(double step_size);

  SamplerScenePtr shown_scene_;  ///< of `density_`
  std::shared_ptr<const PlaneDensity> density_;

  QComboBox* densities_;
  QComboBox* samplers_;
  OptionsForm* form_;
  QCheckBox* laplace_;
  QCheckBox* mean_field_;
  ValueSlider* step_size_;
  QLabel* notes_;
  LabCard<DensityPathPlot> path_;
  std::array<LabCard<CurvePlot>, 2> plots_;  ///< at the right, from above
  std::array<std::size_t, 2> views_{0, 1};   ///< what they show: indices in samplerViews()
  LabCard<KeyValueList> numbers_;
};

}  // namespace dubito
