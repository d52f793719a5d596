// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace dubito {

class LabPlayer;
struct PlaybackSpeed;

/// The controls that all laboratories share: play or pause, one step, start again, speed and seed.
class LabBar : public QWidget {
  Q_OBJECT
 public:
  explicit LabBar(QWidget* parent = nullptr);

  /// Offers the speeds of `runner`, which it plays, pauses and steps. Reset and seed are left to
  /// the laboratory, which may have more to start again.
  void control(LabPlayer& runner);
  /// What is said of a runner.
  struct StateTexts {
    QString stopped = {};   ///< by an error; empty: there is none
    QString finished = {};  ///< nothing is left to do
    QString progress = {};  ///< how far it is; empty: whether it works
    QString working = {};   ///< empty: "Working"
  };
  /// Shows seed and state of `runner`.
  void showState(const LabPlayer& runner, const StateTexts& texts);

 Q_SIGNALS:
  void playRequested();
  void pauseRequested();
  void stepRequested();
  void resetRequested();
  void speedChanged(int index);
  void seedChanged(std::uint64_t seed);

 private:
  void setSpeeds(const std::vector<PlaybackSpeed>& speeds);

  QPushButton* play_;
  QPushButton* step_;
  QPushButton* reset_;
  QComboBox* speed_;
  QSpinBox* seed_;
  QLabel* status_;
  bool playing_ = false;
};

}  // namespace dubito
