// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace dubito {

/// A laboratory on the page Labs.
class LabView : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;

  /// The laboratory is shown; the first time, it opens its first data and starts.
  virtual void begin() = 0;
  /// Whether it is working or about to.
  [[nodiscard]] virtual bool busy() const = 0;

 Q_SIGNALS:
  /// `message` states the file or input concerned, the reason and what to do.
  void failed(const QString& message);
};

}  // namespace dubito
