// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <memory>

#include "app/labs/lab_view.h"
#include "app/labs/samples/worth_runner.h"
#include "core/labs/simplex/gaussian_choice.h"

class QComboBox;
class QLabel;

namespace dubito {

class Card;
class CompareTable;
class CurvePlot;
class LabBar;
class OptionsForm;
class SharedGaussian;
struct SentGaussian;

/// The laboratory "What a bridge is worth": how many samples of softmax(z) are needed to be as near
/// to the true distribution as a closed form.
class LabSamples : public LabView {
  Q_OBJECT
 public:
  /// `worker` and `shared`, the Gaussian of the simplex laboratory, must outlive this.
  LabSamples(WorkerThread& worker, int threads, SharedGaussian& shared, QWidget* parent = nullptr);
  ~LabSamples() override;

  void begin() override;
  [[nodiscard]] bool busy() const override { return runner_->busy(); }
  [[nodiscard]] nlohmann::json setUp() const override;
  [[nodiscard]] Status applySetUp(const nlohmann::json& set_up) override;
  [[nodiscard]] nlohmann::json defaults() const override;
  [[nodiscard]] WorthRunner& runner() { return *runner_; }

 private:
  [[nodiscard]] QWidget* buildSetUp();
  [[nodiscard]] QWidget* buildResults();
  void connectParts();
  /// Lists and chooses the Gaussian that was sent to the laboratories, if there is a new one.
  void takeSent();
  /// Takes over the chosen Gaussian and starts again.
  void chooseGaussian();
  void showPicture();
  void showState();

  WorthRunner* runner_;
  SharedGaussian& shared_;
  GaussianChoice random_;                     ///< of a random Gaussian
  std::shared_ptr<const SentGaussian> sent_;  ///< the last one that was taken over
  bool begun_ = false;
  bool shared_changed_ = false;  ///< since this laboratory was shown

  LabBar* bar_;
  QComboBox* gaussians_;
  QLabel* explanation_;
  OptionsForm* random_form_;
  OptionsForm* form_;
  QLabel* sentence_;
  QLabel* notes_;
  Card* samples_card_;
  Card* time_card_;
  Card* table_card_;
  CurvePlot* by_samples_;
  CurvePlot* by_time_;
  CompareTable* table_;
};

}  // namespace dubito
