// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <nlohmann/json_fwd.hpp>

#include "core/base/expected.h"

namespace dubito {

class LabRunner;

/// A laboratory on the page Labs.
class LabView : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;

  /// The laboratory is shown; the first time, it opens its first data and starts.
  virtual void begin() = 0;
  /// Whether it is working or about to.
  [[nodiscard]] virtual bool busy() const = 0;

  /// Everything that decides what is shown, for a file that others can open.
  [[nodiscard]] virtual nlohmann::json setUp() const = 0;
  /// Shows what the laboratory showed whose setUp() this is; may replace begin(). Fails, with a
  /// reason and without a change, if a value is invalid; throws nlohmann's exceptions for missing
  /// keys and wrong types.
  [[nodiscard]] virtual Status applySetUp(const nlohmann::json& set_up) = 0;

 Q_SIGNALS:
  /// `message` states the file or input concerned, the reason and what to do.
  void failed(const QString& message);

 protected:
  /// Lets `runner`, which could run for ever, wait while another laboratory is shown.
  void pauseWhileHidden(LabRunner& runner) { pausing_ = &runner; }
  void hideEvent(QHideEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  LabRunner* pausing_ = nullptr;
  bool plays_when_shown_ = false;
};

}  // namespace dubito
