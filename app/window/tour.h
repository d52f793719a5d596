// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "core/analysis/item_query.h"

class QSettings;

namespace dubito {

class MainWindow;
class TourOverlay;

/// Five stops over what is open, or over the demo: from the first look at the uncertainty to why
/// one image is misclassified with confidence.
class Tour : public QObject {
  Q_OBJECT
 public:
  /// Both outlive the tour.
  Tour(MainWindow& window, QSettings& settings);

  /// Opens the demo first where nothing is computed yet, and begins when it is there.
  void start();
  /// The same, but only for a person who has not seen it.
  void startOnce();
  void end();
  [[nodiscard]] static int stopCount();
  /// From 0; -1 while it does not run.
  [[nodiscard]] int stop() const { return stop_; }

 private:
  void go(int stop);
  void showText();
  /// Lists the mistakes while the stops on Images are shown, and what was listed before after them.
  void listMistakes(bool wanted);
  /// The first of the images that the stop speaks of is the one that the inspector shows.
  void showFirst();

  MainWindow& window_;
  QSettings& settings_;
  TourOverlay* overlay_ = nullptr;
  int stop_ = -1;
  bool wanted_ = false;              ///< begins with the next analysis
  std::optional<ItemQuery> before_;  ///< what was listed before the tour listed mistakes
};

}  // namespace dubito
