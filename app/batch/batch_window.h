// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <memory>

#include "app/shell/main_window.h"

namespace dubito {

/// The files that a batch window shows.
struct BatchInput {
  QStringList files;  ///< empty: the demo
  QStringList ood_files;
};

/// A window driven by the program, for reports and screenshots. Progress goes to stderr.
class BatchWindow {
 public:
  BatchWindow();

  /// Opens the input, computes a run if there is a model and a dataset, and waits for the result.
  /// If something failed or there is nothing to show, prints the reason and returns false.
  [[nodiscard]] bool fill(const BatchInput& input);
  /// Computes further runs with another seed and another method, for the comparison, and runs on
  /// corrupted images (the shift page).
  void computeMore();
  /// Waits until nothing is being computed and all visible pictures are loaded.
  void settle();
  /// Lets `page` work until it has finished, but not longer than `seconds`.
  static void play(const Page& page, int seconds);
  [[nodiscard]] MainWindow& window() { return *window_; }

 private:
  QTemporaryDir folder_;  ///< for temporary settings
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<MainWindow> window_;
  bool failed_ = false;
};

/// Prints a line to stderr.
void say(const QString& text);

/// Returns false, with a message, if the folder cannot be made.
[[nodiscard]] bool makeFolder(const QString& folder);
/// The message that no picture can be written to `folder`.
void sayCannotWrite(const QString& folder);

}  // namespace dubito
