// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <memory>
#include <optional>

#include "app/session/session.h"

class QLineEdit;
class QPlainTextEdit;

namespace dubito {

/// All that is known of one run: its name and note, which can be edited, its warnings, model,
/// method, settings and datasets. Not modal.
class RunDetails : public QDialog {
  Q_OBJECT
 public:
  /// `run` is the in-distribution run of an analysis of the session, which outlives the dialog.
  RunDetails(Session& session, std::shared_ptr<const Run> run, QWidget* parent = nullptr);

 private:
  /// Position of the run in the session; nothing after it was closed.
  [[nodiscard]] std::optional<std::size_t> position() const;
  void takeLabel();

  Session& session_;
  std::shared_ptr<const Run> run_;
  QLineEdit* name_;
  QPlainTextEdit* note_;
};

}  // namespace dubito
