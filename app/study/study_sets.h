// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/study/study_list.h"

class QComboBox;
class QPushButton;
class QSpinBox;

namespace dubito {

class Session;

/// The OOD sets of a study.
class StudyOodSets : public StudyList {
  Q_OBJECT
 public:
  StudyOodSets(const StudyDraft& draft, const Session& session, QWidget* parent);

 protected:
  [[nodiscard]] QString summaryOf(const StudyJson& member) const override;
  [[nodiscard]] StudyJson freshMember() const override;
};

/// The targets of a study. A series of corruptions of a target is one press of a button.
class StudyTargets : public StudyList {
  Q_OBJECT
 public:
  StudyTargets(const StudyDraft& draft, const Session& session, QWidget* parent);

 protected:
  [[nodiscard]] QString summaryOf(const StudyJson& member) const override;
  [[nodiscard]] StudyJson freshMember() const override;
  void showMember() override;

 private:
  void addSeries();

  QComboBox* kind_;
  QSpinBox* last_;
  QPushButton* series_;
};

}  // namespace dubito
