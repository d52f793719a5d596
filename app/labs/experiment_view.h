// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/jobs/window_jobs.h"
#include "app/labs/experiment_runner.h"
#include "app/labs/lab_bar.h"
#include "app/labs/lab_results.h"
#include "app/labs/lab_set_up.h"
#include "app/labs/lab_view.h"
#include "core/base/json_integer.h"
#include "core/labs/preset/lab_options.h"
#include "widgets/options_form.h"

namespace dubito {

/// A laboratory that plays one experiment. `Runner` is an ExperimentRunner. A subclass builds the
/// set-up, and the results with makeResults(); then it calls connectRunner().
template <class Runner>
class ExperimentView : public LabView {
 public:
  using Options = typename Runner::Options;

  void begin() override {
    if (beginsNow()) {
      runner_->restart();
    }
  }
  [[nodiscard]] bool busy() const override { return runner_->busy(); }
  [[nodiscard]] nlohmann::json setUp() const override {
    return {{"seed", runner_->seed()}, {"options", labOptionsToJson(runner_->options())}};
  }
  [[nodiscard]] Status applySetUp(const nlohmann::json& set_up) override {
    const auto seed = integerFrom<std::uint64_t>(set_up.at("seed"));
    Options options = runner_->options();
    Status read = readLabOptions(set_up.at("options"), options);
    if (read) {
      playWith(std::move(options), seed);
    }
    return read;
  }
  [[nodiscard]] Runner& runner() { return *runner_; }
  [[nodiscard]] const Runner& runner() const { return *runner_; }

 protected:
  ExperimentView(const LabParts& parts, QWidget* parent)
      : LabView(parent), runner_(new Runner(parts.worker, parts.jobs.threads(), this)) {
    setPlayer(*runner_);
  }

  /// Whether nothing was started before; to be called by begin().
  [[nodiscard]] bool beginsNow() { return !std::exchange(begun_, true); }
  /// The column of the results, which begins with the bar.
  [[nodiscard]] LabResults* makeResults() {
    auto* const results = new LabResults(this);
    bar_ = results->addBar(*runner_);
    return results;
  }
  /// Starts again with each valid change in `form`, which edits the options.
  void restartWith(OptionsForm& form) {
    connect(&form, &OptionsForm::edited, this, [this, &form] {
      if (form.check()) {
        runner_->restart();
      }
    });
  }
  /// Follows the bar, and shows from now on what the runner gives.
  void connectRunner() {
    connect(bar_, &LabBar::resetRequested, this, [this] { reset(); });
    connect(bar_, &LabBar::seedChanged, this, [this](std::uint64_t seed) { setSeed(seed); });
    connect(runner_, &LabRunner::pictureChanged, this, [this] { showPicture(); });
    connect(runner_, &LabPlayer::stateChanged, this, [this] { showState(); });
    showOptions();
    showState();
  }
  /// Starts again with other options and another seed.
  void playWith(Options options, std::uint64_t seed) {
    begun_ = true;
    runner_->options() = std::move(options);
    showOptions();
    runner_->setSeed(seed);
  }

  virtual void reset() { runner_->restart(); }
  virtual void setSeed(std::uint64_t seed) { runner_->setSeed(seed); }
  /// The options are others, or others have an effect.
  virtual void showOptions() = 0;
  /// The picture or the error of the runner is another; there may be no picture.
  virtual void showPicture() = 0;
  [[nodiscard]] virtual LabBar::StateTexts stateTexts() const = 0;

 private:
  void showState() { bar_->showState(stateTexts()); }

  Runner* runner_;
  bool begun_ = false;
  LabBar* bar_ = nullptr;
};

}  // namespace dubito
