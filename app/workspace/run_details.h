// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <memory>
#include <optional>

#include "app/session/session.h"

class QLineEdit;
class QPlainTextEdit;

namespace dubito {

/// A dialog with all details of one run: warnings, model, method, settings and datasets, and its
/// name and note, which can be edited. Not modal.
class RunDetails : public QDialog {
  Q_OBJECT
 public:
  /// `run` is the in-distribution run of an analysis in the session; the session outlives the
  /// dialog.
  RunDetails(Session& session, std::shared_ptr<const Run> run, QWidget* parent = nullptr);

 private:
  /// Index of the run in the session; nullopt after it was closed.
  [[nodiscard]] std::optional<std::size_t> position() const;
  void saveLabel();

  Session& session_;
  std::shared_ptr<const Run> run_;
  QLineEdit* name_;
  QPlainTextEdit* note_;
};

}  // namespace dubito
