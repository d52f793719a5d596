// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "app/session/tune_controller.h"

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

/// What would become of the run shown with another temperature, fewer draws, another link or prior:
/// calibration, uncertainty and metrics while a slider moves. Nothing of the run changes; what was
/// found can be kept as a run of its own.
class TunePage : public QWidget {
  Q_OBJECT
 public:
  /// `workbench` outlives the page.
  explicit TunePage(Workbench& workbench, QWidget* parent = nullptr);

  /// As if the user had let go of the slider there.
  void setTemperature(double temperature);
  [[nodiscard]] TuneController& tuner() { return tuner_; }
  [[nodiscard]] bool busy() const { return tuner_.busy(); }

 Q_SIGNALS:
  void failed(const QString& message);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void buildControls(QVBoxLayout& layout);
  void buildButtons(QVBoxLayout& layout);
  void buildPlots(CardRows& rows);
  void connectControls();
  void connectTuner();
  void takeAnalysis();
  void showAvailable();
  /// Puts `text` in the place of the plots until there is a result.
  void showInPlaceOfPlots(const QString& text);
  void reset();
  void change(bool moving);
  void followLandscape(double position, bool moving);
  void findLandscape();
  void takeOptimum();
  /// What was fitted for other draws, another link or prior is not taken.
  void takeFit(const RunTuning& of, double temperature, const QString& source);
  /// Goes there, or to the end of the slider, and tells where it comes from.
  void takeTemperature(double temperature, const QString& source);
  void showResult();
  void showHistogram();
  void showLandscape();
  void showTauLandscape();
  void showMarks();
  void showState();
  [[nodiscard]] RunTuning tuning() const;
  [[nodiscard]] DatasetPtr calibration() const;

  Workbench& workbench_;
  Session& session_;
  TuneController tuner_;
  TunableParts parts_;   ///< of the analysis
  RunTuning found_for_;  ///< draws, link and prior that the next two belong to
  QString temperature_source_;
  std::optional<double> calibrated_;  ///< temperature fitted on the calibration items
  QString note_;                      ///< until the next change
  bool moving_ = false;
  bool over_tau_ = false;  ///< which landscape is shown
  Measure measure_ = Measure::kEntropy;
  std::optional<double> held_top_;  ///< of the histogram's axis while a slider moves

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
