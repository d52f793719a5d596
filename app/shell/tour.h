// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "core/analysis/item_query.h"

class QSettings;

namespace dubito {

class MainWindow;
class TourOverlay;

/// Guided tour of the window, using the open run or the demo. It leads from a first look at the
/// uncertainty to one image that is misclassified with high confidence. It ends where the user goes
/// to another page.
class Tour : public QObject {
  Q_OBJECT
 public:
  /// Both references must outlive the tour.
  Tour(MainWindow& window, QSettings& settings);

  /// Starts the tour. Without a run, opens the demo first and starts when its run is computed and
  /// the Overview is shown.
  void start();
  /// Like start(), but does nothing if the user has seen the tour before.
  void startOnce();
  void end();
  [[nodiscard]] static int stopCount();
  /// Index of the current stop, from 0; -1 while the tour is not running.
  [[nodiscard]] int stop() const { return stop_; }

 private:
  void startIfWanted();
  void go(int stop);
  void showText();
  /// If `wanted`, lists the mistakes, for the stops on the Images page; else restores the previous
  /// list.
  void listMistakes(bool wanted);
  /// Shows the first of the listed images in the inspector.
  void showFirst();

  MainWindow& window_;
  QSettings& settings_;
  TourOverlay* overlay_ = nullptr;
  int stop_ = -1;
  bool wanted_ = false;              ///< the tour starts when Overview shows a run
  std::optional<ItemQuery> before_;  ///< query before the tour changed it
};

}  // namespace dubito
