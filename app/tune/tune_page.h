// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "app/page/page.h"
#include "app/tune/tune_controller.h"

class QComboBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace dubito {

class Card;
class CardRows;
class ChangeList;
class HistogramPlot;
class LandscapePlot;
class ReliabilityPlot;
class ValueSlider;

/// Re-evaluates the displayed run with a different temperature, link or prior, or fewer draws.
/// Calibration, uncertainty and metrics follow the sliders. The run itself never changes; the
/// result can be added as a new run.
class TunePage : public Page {
  Q_OBJECT
 public:
  /// All arguments outlive the page.
  TunePage(Session& session, WindowJobs& jobs, RunComputer& computer, QWidget* parent = nullptr);

  /// Has the same effect as releasing the temperature slider at `temperature`.
  void setTemperature(double temperature);
  [[nodiscard]] TuneController& tuner() { return tuner_; }
  [[nodiscard]] bool busy() const override { return tuner_.busy(); }
  [[nodiscard]] std::vector<ScreenshotStep> screenshots() override;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void buildControls(QVBoxLayout& layout);
  void buildButtons(QVBoxLayout& layout);
  void buildPlots(CardRows& rows);
  void connectControls();
  void connectTuner();
  void updateAnalysis();
  void showAvailable();
  /// Shows `text` instead of the plots until there is a result.
  void showPlaceholder(const QString& text);
  void reset();
  void change(bool moving);
  void followLandscape(double position, bool moving);
  void computeLandscape();
  void applyOptimum();
  /// Applies a temperature fitted for the tuning `fitted_for`. Ignored if draws, link or prior have
  /// changed since.
  void applyFit(const RunTuning& fitted_for, double temperature, const QString& source);
  /// Sets the temperature, clamped to the slider range, and shows its source.
  void applyTemperature(double temperature, const QString& source);
  void showResult();
  void showHistogram();
  void showLandscape();
  void showTauLandscape();
  void showMarks();
  /// Fades the plots that are being computed again.
  void showBusy(bool computes_result);
  void showState();
  [[nodiscard]] RunTuning tuning() const;
  [[nodiscard]] DatasetPtr calibration() const;

  Session& session_;
  TuneController tuner_;
  TunableParts parts_;  ///< of the displayed run
  /// Draws, link and prior for which temperature_source_ and calibrated_ are valid.
  RunTuning fit_key_;
  QString temperature_source_;
  std::optional<double> calibrated_;  ///< temperature fitted on the calibration items
  QString note_;                      ///< message shown until the next change
  bool moving_ = false;
  bool over_tau_ = false;  ///< true: curves by prior precision, false: by temperature
  Measure measure_ = Measure::kEntropy;
  /// Upper end of the share axis of the histogram, fixed while a slider moves.
  std::optional<double> held_top_;

  Card* controls_;
  ValueSlider* temperature_;
  ValueSlider* draws_;
  ValueSlider* tau_;
  QWidget* link_row_;
  QComboBox* link_;
  QPushButton* reset_;
  QPushButton* optimum_;
  QPushButton* fit_;
  QPushButton* keep_;
  QLabel* status_;
  Card* reliability_card_;
  ReliabilityPlot* reliability_;
  Card* histogram_card_;
  HistogramPlot* histogram_;
  Card* landscape_card_;
  LandscapePlot* landscape_;
  Card* changes_card_;
  ChangeList* changes_;
};

}  // namespace dubito
