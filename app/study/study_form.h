// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "app/study/study_fields.h"

class QStackedWidget;
class QTabBar;
class QVBoxLayout;

namespace dubito {

class Session;
class StudyList;

/// The values of a study file as fields and lists, in sections.
class StudyForm : public QWidget {
  Q_OBJECT
 public:
  enum class Section { kData, kTargets, kOod, kNetworks, kMethods, kMeasures };

  /// Both must outlive the form.
  StudyForm(const StudyDraft& draft, const Session& session, QWidget* parent);

  void showSection(Section section);
  /// Shows what the draft has now. Without a document nothing can be changed here.
  void reload();

 Q_SIGNALS:
  void edited(const dubito::StudyJson::json_pointer& place, const dubito::StudyJson& value);

 private:
  void addSection(const QString& title, QWidget* content);
  void addList(const QString& title, StudyList* list);
  [[nodiscard]] QWidget* buildData(const Session& session);
  [[nodiscard]] QWidget* buildMeasures();

  const StudyDraft& draft_;
  QTabBar* tabs_;
  QStackedWidget* sections_;
  std::vector<StudyFields*> fields_;
  std::vector<StudyList*> lists_;
};

}  // namespace dubito
