// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "app/study/study_fields.h"

class QHBoxLayout;
class QListWidget;
class QPushButton;
class QVBoxLayout;

namespace dubito {

/// A list of a study file (targets, networks, ...) and the values of the member that is chosen.
class StudyList : public QWidget {
  Q_OBJECT
 public:
  /// `place`: of the list in the file; `name`: begin of all object names. `draft` outlives this.
  StudyList(const StudyDraft& draft, const char* place, const char* name, QWidget* parent);

  /// Shows what the draft has now.
  virtual void reload();
  [[nodiscard]] int current() const;
  void setCurrent(int row);

 Q_SIGNALS:
  void edited(const dubito::StudyJson::json_pointer& place, const dubito::StudyJson& value);

 protected:
  [[nodiscard]] const StudyDraft& draft() const { return draft_; }
  [[nodiscard]] StudyFields& fields() const { return *fields_; }
  [[nodiscard]] QVBoxLayout& rows() const { return *rows_; }
  [[nodiscard]] QHBoxLayout& buttons() const { return *buttons_; }
  [[nodiscard]] QString nameOf(const char* part) const;
  [[nodiscard]] StudyJson::json_pointer listPlace() const { return place_; }
  /// Of the chosen member.
  [[nodiscard]] StudyJson::json_pointer currentPlace() const;
  /// The chosen member; null if there is none.
  [[nodiscard]] const StudyJson* currentMember() const;
  /// The whole list; empty if there is none.
  [[nodiscard]] StudyJson members() const;
  /// A name that no member has.
  [[nodiscard]] std::string freshName(const std::string& wish) const;

  /// A line about a member.
  [[nodiscard]] virtual QString summaryOf(const StudyJson& member) const = 0;
  [[nodiscard]] virtual StudyJson freshMember() const = 0;
  /// Another member is chosen, or its values changed.
  virtual void showMember() {}

 private:
  void add(StudyJson member);
  void remove();
  void showCurrent();

  const StudyDraft& draft_;
  StudyJson::json_pointer place_;
  QString name_;
  QVBoxLayout* rows_;
  QHBoxLayout* buttons_;
  QListWidget* list_;
  QPushButton* remove_;
  QPushButton* copy_;
  StudyFields* fields_;
};

}  // namespace dubito
