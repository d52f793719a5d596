// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <QString>
#include <QWidget>
#include <functional>
#include <utility>
#include <vector>

#include "app/study/study_field_text.h"

class QComboBox;
class QFormLayout;
class QLineEdit;

namespace dubito {

/// Rows of a form, each for one value of a study file. The rows of a list member move to another
/// member with setBase().
class StudyFields : public QWidget {
  Q_OBJECT
 public:
  using Place = StudyJson::json_pointer;
  /// `draft` must outlive the form.
  explicit StudyFields(const StudyDraft& draft, QWidget* parent);

  /// A row of the form.
  struct Text {
    QString label;
    const char* name;   ///< object name
    const char* place;  ///< in the base: "/data"
    StudyFieldKind kind;
    QString tip;
    QString placeholder = {};
  };
  void addText(const Text& text);
  /// With a button whose menu `fill` fills with texts for the row.
  using Offer = std::function<void(const QString& text)>;
  void addText(const Text& text, std::function<void(QMenu& menu, const Offer& offer)> fill);
  /// A list of keys with titles. Unless the value is required, the first one is what a study
  /// without the value means: it removes the value.
  void addChoice(const QString& label, const char* name, const char* place, const QString& tip,
                 const std::vector<std::pair<std::string, QString>>& choices,
                 bool is_required = false);

  /// Shows the values at `base`.
  void setBase(const Place& base);
  /// Shows the values that the draft has now. A field that already means its value keeps its text.
  void reload();

 Q_SIGNALS:
  /// The user changed a value; null: removed.
  void edited(const dubito::StudyJson::json_pointer& place, const dubito::StudyJson& value);

 private:
  QLineEdit* makeEdit(const Text& text);
  struct Row {
    Place place;
    std::function<void(const StudyJson* value)> show;
  };
  const StudyDraft& draft_;
  QFormLayout* layout_;
  Place base_;
  std::vector<Row> rows_;
};

}  // namespace dubito
