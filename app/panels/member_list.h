// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "app/session/session.h"

class QCheckBox;
class QLabel;
class QVBoxLayout;

namespace dubito {

/// The runs of the workspace as check boxes; the ticked ones form an ensemble.
class MemberList : public QWidget {
  Q_OBJECT
 public:
  /// `session` outlives the list.
  explicit MemberList(Session& session, QWidget* parent = nullptr);

  [[nodiscard]] std::vector<AnalysisPtr> chosen() const;
  /// What is missing and how to fix it; empty if nothing is.
  [[nodiscard]] QString problem() const;

 Q_SIGNALS:
  void edited();

 private:
  void refresh();
  [[nodiscard]] bool startsTicked(const Analysis& analysis) const;

  struct Entry {
    AnalysisPtr analysis;
    QCheckBox* box;
  };
  Session& session_;
  QVBoxLayout* layout_;
  QLabel* none_;
  std::vector<Entry> entries_;
};

}  // namespace dubito
