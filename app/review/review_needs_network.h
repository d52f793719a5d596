// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/review/review_mode.h"

class QLabel;

namespace dubito {

/// In place of a mode that is about the answers of a network, while the suggestions are the labels
/// of another program: says so and offers to let a network look at the images.
class ReviewNeedsNetwork : public ReviewMode {
  Q_OBJECT
 public:
  explicit ReviewNeedsNetwork(QWidget* parent = nullptr);

  /// The mode that is replaced, as its tab calls it.
  void setModeName(const QString& name);

  void showState() override {}
  void showItem() override {}
  bool takeKey(const QKeyEvent& /*event*/) override { return false; }
  [[nodiscard]] bool busy() const override { return false; }
  [[nodiscard]] bool showsQueue() const override { return false; }

 Q_SIGNALS:
  void networkRequested();

 private:
  QLabel* text_;
};

}  // namespace dubito
