// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QSize>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <memory>

#include "app/window/main_window.h"

namespace dubito {

/// What a window without a user is to show.
struct BatchInput {
  QStringList files;  ///< empty: the demo
  QStringList ood_files;
};

/// A window that is driven by the program: for reports and screenshots. Progress goes to stderr.
class BatchWindow {
 public:
  BatchWindow();

  /// Opens the input, computes where there is a model and a dataset, and waits for the result.
  /// False where something failed, or nothing can be shown of it: what was said.
  [[nodiscard]] bool fill(const BatchInput& input);
  /// More runs of the same, with another seed and another method, to compare, and a shift of it.
  void computeMore();
  /// Waits until nothing is computed and every visible picture is there.
  void settle();
  [[nodiscard]] MainWindow& window() { return *window_; }

 private:
  QTemporaryDir folder_;  ///< of settings that nobody keeps
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<MainWindow> window_;
  bool failed_ = false;
};

/// Fills a window and writes its report into `folder`; returns the exit status.
[[nodiscard]] int runReport(const BatchInput& input, const QString& folder);

/// Writes pictures of every page, light and dark, at single and double resolution, into `folder`;
/// of a window of `size`.
[[nodiscard]] int runScreenshots(const BatchInput& input, const QString& folder, const QSize& size);

}  // namespace dubito
