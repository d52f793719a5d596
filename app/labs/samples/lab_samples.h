// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "app/labs/experiment_view.h"
#include "core/labs/simplex/gaussian_choice.h"
#include "core/labs/simplex/sample_worth.h"

namespace dubito {

class CompareTable;
struct SentGaussian;

/// The comparison of samples with closed forms so far.
struct WorthPicture {
  SampleWorthResult result;
  SampleWorthTimes times;
  std::int64_t done = 0;  ///< units of work
  std::int64_t total = 0;
};

/// What WorthRunner plays.
struct WorthExperiment : LabExperiment<SampleWorthOptions, SampleWorth, WorthPicture> {
  /// Without samples there is nothing to show.
  static constexpr bool kShowsStart = false;

  LogitGaussian gaussian;

  [[nodiscard]] bool isReady() const { return !gaussian.mean.empty(); }
  [[nodiscard]] Expected<std::shared_ptr<Lab>> start(std::uint64_t seed, RunContext&) const {
    return SampleWorth::start(gaussian, options, seed);
  }
  [[nodiscard]] static Picture picture(const Lab& lab, RunContext& /*context*/) {
    return {lab.result(), lab.times(), lab.done(), lab.total()};
  }
};
using WorthRunner = ExperimentRunner<WorthExperiment>;

/// The laboratory "What a bridge is worth": how many samples of softmax(z) are needed to be as near
/// to the true distribution as a closed form.
class LabSamples : public ExperimentView<WorthRunner> {
 public:
  explicit LabSamples(const LabParts& parts, QWidget* parent = nullptr);

  void begin() override;
  [[nodiscard]] nlohmann::json setUp() const override;
  [[nodiscard]] Status applySetUp(const nlohmann::json& set_up) override;
  [[nodiscard]] nlohmann::json defaults() const override;

 protected:
  void setSeed(std::uint64_t seed) override;
  void showOptions() override;
  void showPicture() override;
  [[nodiscard]] LabBar::StateTexts stateTexts() const override;

 private:
  [[nodiscard]] QWidget* buildSetUp();
  [[nodiscard]] QWidget* buildResults();
  /// Data of the chosen entry of the list of Gaussians.
  [[nodiscard]] QString chosen() const { return gaussians_->currentData().toString(); }
  /// Lists and chooses the Gaussian that was sent to the laboratories, if there is a new one.
  void takeSent();
  /// Takes over the chosen Gaussian and starts again.
  void chooseGaussian();

  SharedGaussian& shared_;
  GaussianChoice random_;                     ///< of a random Gaussian
  std::shared_ptr<const SentGaussian> sent_;  ///< the last one that was taken over
  bool shared_changed_ = false;               ///< since this laboratory was shown

  QComboBox* gaussians_;
  QLabel* explanation_;
  OptionsForm* random_form_;
  OptionsForm* form_;
  QLabel* sentence_;
  QLabel* notes_;
  LabCard<CurvePlot> by_samples_;
  LabCard<CurvePlot> by_time_;
  LabCard<CompareTable> table_;
};

}  // namespace dubito
