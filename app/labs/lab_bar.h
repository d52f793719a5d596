// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>

class QLabel;
class QPushButton;
class QSpinBox;

namespace dubito {

class LabPlayer;

/// The controls that all laboratories share: play or pause, one step, start again, speed and seed.
class LabBar : public QWidget {
  Q_OBJECT
 public:
  /// Plays, pauses and steps `runner`, which outlives this, at one of its speeds. Reset and seed
  /// are left to the laboratory, which may have more to start again.
  explicit LabBar(LabPlayer& runner, QWidget* parent = nullptr);

  /// What is said of the runner.
  struct StateTexts {
    QString stopped = {};   ///< by an error; empty: there is none
    QString finished = {};  ///< nothing is left to do
    QString progress = {};  ///< how far it is; empty: whether it works
    QString working = {};   ///< empty: "Working"
  };
  /// Shows seed and state of the runner.
  void showState(const StateTexts& texts);

 Q_SIGNALS:
  void resetRequested();
  void seedChanged(std::uint64_t seed);

 private:
  LabPlayer& runner_;
  QPushButton* play_;
  QPushButton* step_;
  QSpinBox* seed_;
  QLabel* status_;
  bool playing_ = false;
};

}  // namespace dubito
