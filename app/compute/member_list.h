// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "app/session/session.h"

class QCheckBox;
class QLabel;
class QVBoxLayout;

namespace dubito {

/// A check box for each run of the workspace; the ticked runs form an ensemble.
class MemberList : public QWidget {
  Q_OBJECT
 public:
  /// `session` outlives the list.
  explicit MemberList(Session& session, QWidget* parent = nullptr);

  [[nodiscard]] std::vector<AnalysisPtr> chosen() const;
  /// Why the ticked runs cannot form an ensemble and what to do; empty if they can.
  [[nodiscard]] const QString& problem() const { return problem_; }

 Q_SIGNALS:
  void edited();

 private:
  void refresh();
  void findProblem();
  [[nodiscard]] bool startsTicked(const Analysis& analysis) const;

  struct Entry {
    AnalysisPtr analysis;
    QCheckBox* box;
  };
  Session& session_;
  QVBoxLayout* layout_;
  QLabel* none_;
  std::vector<Entry> entries_;
  QString problem_;
};

}  // namespace dubito
