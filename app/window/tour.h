// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "core/analysis/item_query.h"

class QSettings;

namespace dubito {

class MainWindow;
class TourOverlay;

/// Five stops over the open data or the demo: from a first look at the uncertainty to why one image
/// is misclassified with confidence.
class Tour : public QObject {
  Q_OBJECT
 public:
  /// Both outlive the tour.
  Tour(MainWindow& window, QSettings& settings);

  /// Starts the tour; if nothing is computed yet, opens the demo first and waits for it.
  void start();
  /// Like start, but only for users who have not seen the tour.
  void startOnce();
  void end();
  [[nodiscard]] static int stopCount();
  /// Index from 0; -1 while not running.
  [[nodiscard]] int stop() const { return stop_; }

 private:
  void go(int stop);
  void showText();
  /// Lists the mistakes for the stops on the Images page and restores the previous list afterwards.
  void listMistakes(bool wanted);
  /// Shows the first of the listed images in the inspector.
  void showFirst();

  MainWindow& window_;
  QSettings& settings_;
  TourOverlay* overlay_ = nullptr;
  int stop_ = -1;
  bool wanted_ = false;              ///< starts with the next analysis
  std::optional<ItemQuery> before_;  ///< list before the tour changed it
};

}  // namespace dubito
