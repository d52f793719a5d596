// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QCoreApplication>
#include <initializer_list>
#include <utility>
#include <vector>

#include "core/base/options.h"
#include "widgets/card.h"

class QCheckBox;
class QLabel;
class QScrollArea;
class QSpinBox;
class QVBoxLayout;

namespace dubito {

class OptionsForm;

/// Adds an entry per info to a list: the key as data, the translated name, and the explanation as
/// tooltip.
template <class Info>
void addInfos(QComboBox& list, const std::vector<Info>& infos) {
  for (const Info& info : infos) {
    list.addItem(QCoreApplication::translate("Labs", info.name), QLatin1String(info.key));
    list.setItemData(list.count() - 1, QCoreApplication::translate("Labs", info.explanation),
                     Qt::ToolTipRole);
  }
}

/// The column at the left of a laboratory in which data, methods and options are chosen: a card of
/// fixed width whose rows scroll.
class LabSetUp : public Card {
  Q_OBJECT
 public:
  LabSetUp(const QString& title, const char* name, int width, QWidget* parent);

  /// The parent of the rows, and their layout.
  [[nodiscard]] QWidget* body() const { return body_; }
  [[nodiscard]] QVBoxLayout& rows() const { return *rows_; }
  void addHeading(const QString& text);
  /// A muted text that wraps, to be filled later.
  QLabel* addText(const char* name);
  /// A list to choose from, to be filled later.
  QComboBox* addList(const QString& title, const char* name);
  /// A list of `infos` with a heading above it, and below it, in a text named `name` + "Text", the
  /// explanation of the chosen one.
  template <class Info>
  QComboBox* addChoice(const QString& title, const char* name, const std::vector<Info>& infos) {
    addHeading(title);
    QComboBox* const list = addList(title, name);
    addInfos(*list, infos);
    addExplanation(*list);
    return list;
  }
  QCheckBox* addCheck(const QString& text, const QString& name, const QString& tip);
  /// A number of 0 or more, with its label before it.
  std::pair<QLabel*, QSpinBox*> addNumber(const QString& title, const char* name,
                                          const QString& tip);
  OptionsForm* addForm(const char* name);

  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// A text with the explanation of the chosen entry of `list`.
  void addExplanation(QComboBox& list);
  /// Widens the card if a row does not fit into it.
  void fitWidth();

  int usual_width_;
  QWidget* body_;
  QScrollArea* scroll_;
  QVBoxLayout* rows_;
};

/// The fields for a form, without those of `names`, which have controls elsewhere, and those that
/// have no effect now.
[[nodiscard]] std::vector<Field> effectiveFieldsWithout(std::vector<Field> fields,
                                                        std::initializer_list<const char*> names);

}  // namespace dubito
