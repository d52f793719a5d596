// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/settings/review_class_editor.h"

#include <QColorDialog>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>
#include <vector>

#include "app/review/labels/class_keys.h"
#include "app/review/reviewer.h"
#include "app/review/single/review_swatch.h"
#include "app/session/error_text.h"
#include "core/review/formats/class_list.h"
#include "widgets/muted_label.h"
#include "widgets/number_text.h"
#include "widgets/theme.h"
#include "widgets/theme_follower.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

constexpr int kEditedName = 0;
constexpr int kEditedKey = 1;
constexpr int kEditedMerges = 2;

std::int64_t editedClass(const QTreeWidgetItem& item) {
  return item.data(kEditedName, Qt::UserRole).toLongLong();
}

QStringList textsOf(const std::vector<LabelNote>& notes) {
  QStringList texts;
  for (const LabelNote& note : notes) {
    texts << QString::fromStdString(toText(note)) + u'.';
  }
  return texts;
}

}  // namespace

ReviewClassEditor::ReviewClassEditor(Reviewer& reviewer, QWidget* parent)
    : QWidget(parent), reviewer_(reviewer) {
  setObjectName(QStringLiteral("reviewClassEditor"));
  auto* const columns = new QHBoxLayout;
  columns->setSpacing(4 * kGrid);
  columns->addLayout(makeList(), 3);
  form_ = makeForm();
  columns->addWidget(form_, 2);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 2 * kGrid, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addLayout(columns, 1);
  layout->addLayout(makeFoot());
  connectParts();
  refresh();
}

QLayout* ReviewClassEditor::makeList() {
  list_ = new QTreeWidget(this);
  list_->setObjectName(QStringLiteral("reviewEditedClasses"));
  list_->setAccessibleName(tr("Classes"));
  list_->setHeaderLabels({tr("Class"), tr("Key"), tr("Includes")});
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->header()->setSectionResizeMode(kEditedName, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(kEditedKey, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(kEditedMerges, QHeaderView::ResizeToContents);
  list_->header()->setStretchLastSection(false);
  new_name_ = new QLineEdit(this);
  new_name_->setObjectName(QStringLiteral("reviewNewClass"));
  new_name_->setPlaceholderText(tr("Name of a new class"));
  auto* const add = new QPushButton(tr("Add class"), this);
  add->setObjectName(QStringLiteral("reviewAddClass"));
  add->setAutoDefault(false);
  auto* const below = new QHBoxLayout;
  below->setSpacing(2 * kGrid);
  below->addWidget(new_name_, 1);
  below->addWidget(add);
  auto* const left = new QVBoxLayout;
  left->setSpacing(2 * kGrid);
  left->addWidget(list_, 1);
  left->addLayout(below);
  connect(add, &QPushButton::clicked, this, &ReviewClassEditor::addClass);
  return left;
}

QLayout* ReviewClassEditor::makeFoot() {
  message_ = new WrappedLabel(this);
  message_->setObjectName(QStringLiteral("reviewClassMessage"));
  message_->setTextFormat(Qt::PlainText);
  message_->setMinimumHeight(9 * kGrid);
  auto* const undo = new QPushButton(tr("Undo"), this);
  undo->setObjectName(QStringLiteral("reviewClassUndo"));
  undo->setAutoDefault(false);
  undo->setToolTip(tr("Take back your last change or decision"));
  auto* const open_list = new QPushButton(tr("Take from file…"), this);
  open_list->setObjectName(QStringLiteral("reviewClassListOpen"));
  open_list->setAutoDefault(false);
  open_list->setToolTip(
      tr("Add the classes of a list, with their keys and colours: of this program (JSON), CVAT or "
         "Label Studio. No class is removed."));
  auto* const save_list = new QPushButton(tr("Save list…"), this);
  save_list->setObjectName(QStringLiteral("reviewClassListSave"));
  save_list->setAutoDefault(false);
  save_list->setToolTip(tr("Save names, keys and colours, for the next project or another tool"));
  auto* const bottom = new QHBoxLayout;
  bottom->setSpacing(2 * kGrid);
  bottom->addWidget(message_, 1);
  bottom->addWidget(open_list);
  bottom->addWidget(save_list);
  bottom->addWidget(undo);
  connect(undo, &QPushButton::clicked, &reviewer_, &Reviewer::undo);
  connect(open_list, &QPushButton::clicked, this, &ReviewClassEditor::openList);
  connect(save_list, &QPushButton::clicked, this, &ReviewClassEditor::saveList);
  return bottom;
}

void ReviewClassEditor::connectParts() {
  connect(list_, &QTreeWidget::currentItemChanged, this,
          [this](const QTreeWidgetItem*, const QTreeWidgetItem* before) {
            say({}, false);
            if (before != nullptr) {
              saveGuideline(editedClass(*before));
            }
            showChosen();
          });
  connect(new_name_, &QLineEdit::returnPressed, this, &ReviewClassEditor::addClass);
  LabelFile& file = reviewer_.file();
  connect(&file, &LabelFile::opened, this, &ReviewClassEditor::refresh);
  connect(&file, &LabelFile::reverted, this, [this] { say({}, false); });
  connect(&file, &LabelFile::classListTaken, this, &ReviewClassEditor::showTakenList);
  connect(&file, &LabelFile::changed, this, &ReviewClassEditor::refresh);
  connect(&file, &LabelFile::failed, this, [this](const QString& message) {
    say(message, true);
    // What was typed is not stored: it stays, to be changed.
    name_->setModified(true);
    key_->setModified(true);
  });
  connect(&file, &LabelFile::remarked, this, &ReviewClassEditor::showGuideline);
  connect(&reviewer_.keys(), &ReviewKeys::changed, this, &ReviewClassEditor::refresh);
  new ThemeFollower(*this, [this] { refresh(); });
}

QWidget* ReviewClassEditor::makeForm() {
  auto* const form = new QWidget(this);
  name_ = new QLineEdit(form);
  name_->setObjectName(QStringLiteral("reviewClassName"));
  key_ = new QLineEdit(form);
  key_->setObjectName(QStringLiteral("reviewClassKey"));
  key_->setMaxLength(1);
  colour_ = new QPushButton(u' ' + tr("Choose…"), form);  // away from the swatch
  colour_->setObjectName(QStringLiteral("reviewClassColour"));
  colour_->setAutoDefault(false);
  auto* const save = new QPushButton(tr("Save"), form);
  save->setObjectName(QStringLiteral("reviewClassSave"));
  save->setProperty("role", QStringLiteral("primary"));
  save->setAutoDefault(false);
  into_ = new QComboBox(form);
  into_->setObjectName(QStringLiteral("reviewMergeInto"));
  into_->setPlaceholderText(tr("another class"));
  into_->setToolTip(tr("Labels with this class then count as the other one"));
  merge_ = new QPushButton(tr("Merge"), form);
  merge_->setObjectName(QStringLiteral("reviewMerge"));
  merge_->setAutoDefault(false);
  auto* const fields = new QFormLayout(form);
  fields->setContentsMargins(0, 0, 0, 0);
  fields->setSpacing(2 * kGrid);
  fields->addRow(tr("Name"), name_);
  fields->addRow(tr("Key"), key_);
  fields->addRow(tr("Colour"), colour_);
  guideline_ = new QPlainTextEdit(form);
  guideline_->setObjectName(QStringLiteral("reviewClassGuideline"));
  guideline_->setAccessibleName(tr("How to recognise the class"));
  guideline_->setPlaceholderText(tr("What everybody should look for; shown below the classes"));
  guideline_->setTabChangesFocus(true);
  guideline_->setMinimumHeight(14 * kGrid);
  fields->addRow(tr("How to\nrecognise it"), guideline_);
  fields->addRow(QString(), save);
  auto* const gap = new QWidget(form);
  gap->setFixedHeight(4 * kGrid);
  fields->addRow(gap);
  fields->addRow(tr("Merge into"), into_);
  fields->addRow(QString(), merge_);
  for (QLineEdit* const field : {name_, key_}) {
    connect(field, &QLineEdit::returnPressed, this, [this, field] { saveAndGoOn(*field); });
  }
  connect(save, &QPushButton::clicked, this, &ReviewClassEditor::save);
  connect(colour_, &QPushButton::clicked, this, &ReviewClassEditor::askColour);
  connect(into_, &QComboBox::currentIndexChanged, this,
          [this](int index) { merge_->setEnabled(index >= 0); });
  connect(merge_, &QPushButton::clicked, this, &ReviewClassEditor::merge);
  return form;
}

const LabelClass* ReviewClassEditor::chosen() const {
  const QTreeWidgetItem* const item = list_->currentItem();
  return item == nullptr ? nullptr : findClass(reviewer_.file().classes(), editedClass(*item));
}

void ReviewClassEditor::refresh() {
  const auto& classes = reviewer_.file().classes();
  const QTreeWidgetItem* const current = list_->currentItem();
  const std::int64_t before = current == nullptr ? -1 : editedClass(*current);
  const auto keys = classKeys(classes, reviewer_.keys());
  QStringList shown;
  for (const LabelClass& entry : classes) {
    const auto key = keys.find(entry.id);
    shown << QString::fromStdString(entry.name) << classColour(entry).name()
          << (key == keys.end() ? QString() : key->second)
          << QString::number(entry.merged_into.value_or(-1));
  }
  if (shown == shown_) {
    return;  // others have decided
  }
  shown_ = shown;
  const int scrolled = list_->verticalScrollBar()->value();
  {
    const QSignalBlocker blocker(list_);
    list_->clear();
    for (const LabelClass& entry : classes) {
      if (entry.merged_into) {
        continue;
      }
      QStringList merged;
      for (const LabelClass& other : classes) {
        if (other.merged_into && mergedClass(classes, other.id) == entry.id) {
          merged << QString::fromStdString(other.name);
        }
      }
      const auto key = keys.find(entry.id);
      auto* const item = new QTreeWidgetItem(
          list_, {QString::fromStdString(entry.name), key == keys.end() ? QString() : key->second,
                  merged.join(QStringLiteral(", "))});
      item->setIcon(kEditedName, classSwatch(entry));
      item->setData(kEditedName, Qt::UserRole, QVariant::fromValue<qint64>(entry.id));
      if (entry.id == before) {
        list_->setCurrentItem(item);
      }
    }
    if (list_->currentItem() == nullptr) {
      list_->setCurrentItem(list_->topLevelItem(0));
    }
  }
  list_->doItemsLayout();  // otherwise the range of the scroll bar is still that of an empty list
  list_->verticalScrollBar()->setValue(scrolled);
  const bool typing = name_->isModified() || key_->isModified();
  const QString name = name_->text();
  const QString key = key_->text();
  showChosen();
  if (const LabelClass* const now = chosen(); typing && now != nullptr && now->id == before) {
    name_->setText(name);
    key_->setText(key);
    name_->setModified(true);
    key_->setModified(true);
  }
}

void ReviewClassEditor::choose(std::int64_t class_id) {
  for (int i = 0; i < list_->topLevelItemCount(); ++i) {
    if (editedClass(*list_->topLevelItem(i)) == class_id) {
      list_->setCurrentItem(list_->topLevelItem(i));
    }
  }
}

void ReviewClassEditor::showChosen() {
  const LabelClass* const entry = chosen();
  form_->setEnabled(entry != nullptr);
  into_->clear();
  if (entry == nullptr) {
    return;
  }
  name_->setText(QString::fromStdString(entry->name));
  key_->setText(QString::fromStdString(entry->key).toUpper());
  std::vector<LabelClass> without_own = reviewer_.file().classes();
  std::ranges::find(without_own, entry->id, &LabelClass::id)->key.clear();
  const auto keys = classKeys(without_own, reviewer_.keys());
  const auto usual = keys.find(entry->id);
  const bool has_usual = usual != keys.end() && !usual->second.isEmpty();
  key_->setPlaceholderText(has_usual ? usual->second : tr("a letter or digit"));
  key_->setToolTip(has_usual && entry->key.empty()
                       ? tr("%1 is the usual key of this class; type another letter or digit to "
                            "change it")
                             .arg(usual->second)
                       : tr("A letter or digit; leave it empty for the usual key"));
  colour_->setIcon(classSwatch(*entry));
  showGuideline();
  for (const LabelClass& other : reviewer_.file().classes()) {
    if (other.id != entry->id && !other.merged_into) {
      into_->addItem(classSwatch(other), QString::fromStdString(other.name),
                     QVariant::fromValue<qint64>(other.id));
    }
  }
  into_->setCurrentIndex(-1);
  merge_->setEnabled(false);
}

void ReviewClassEditor::showGuideline() {
  const LabelClass* const entry = chosen();
  if (entry != nullptr && !guideline_->document()->isModified()) {
    guideline_->setPlainText(reviewer_.file().guidelineOf(entry->id));
  }
}

void ReviewClassEditor::saveGuideline(std::int64_t class_id) {
  if (guideline_->document()->isModified()) {
    guideline_->document()->setModified(false);
    reviewer_.file().remark(RemarkSubject::kClass, class_id, guideline_->toPlainText());
  }
}

bool ReviewClassEditor::save() {
  const LabelClass* const entry = chosen();
  if (entry == nullptr) {
    return false;
  }
  LabelClass changed = *entry;
  changed.name = name_->text().trimmed().toStdString();
  const QString key = key_->text().trimmed().toUpper();
  changed.key = key.toStdString();
  if (!key.isEmpty()) {
    const QString wrong =
        wrongWithClassKey(reviewer_.file().classes(), reviewer_.keys(), entry->id, key);
    if (!wrong.isEmpty()) {
      say(wrong, true);
      return false;
    }
  }
  say({}, false);
  name_->setModified(false);
  key_->setModified(false);
  saveGuideline(entry->id);
  if (changed.name != entry->name || changed.key != entry->key) {
    reviewer_.file().changeClass(changed);
  }
  return true;
}

void ReviewClassEditor::saveAndGoOn(QLineEdit& field) {
  if (!save()) {
    return;
  }
  if (QTreeWidgetItem* const next = list_->itemBelow(list_->currentItem())) {
    list_->setCurrentItem(next);
    field.setFocus();
    field.selectAll();
  }
}

void ReviewClassEditor::askColour() {
  const LabelClass* const entry = chosen();
  if (entry == nullptr) {
    return;
  }
  auto* const dialog = new QColorDialog(classColour(*entry), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Colour of %1").arg(QString::fromStdString(entry->name)));
  dialog->setOption(QColorDialog::DontUseNativeDialog);
  connect(dialog, &QColorDialog::colorSelected, this, [this, id = entry->id](const QColor& colour) {
    if (const LabelClass* const now = findClass(reviewer_.file().classes(), id)) {
      LabelClass changed = *now;
      changed.colour = colour.name(QColor::HexRgb).toStdString();
      reviewer_.file().changeClass(changed);
    }
  });
  dialog->open();
}

void ReviewClassEditor::merge() {
  const LabelClass* const entry = chosen();
  if (entry == nullptr || into_->currentIndex() < 0) {
    return;
  }
  const std::int64_t into = into_->currentData().toLongLong();
  const QString name = QString::fromStdString(entry->name);
  const QString other = into_->currentText();
  reviewer_.file().mergeClass(entry->id, into);
  choose(into);
  say(tr("%1 now counts as %2. Undo takes this back.").arg(name, other), false);
}

void ReviewClassEditor::addClass() {
  const QString name = new_name_->text().trimmed();
  if (!name.isEmpty()) {
    say({}, false);
    reviewer_.file().addClass(name);
    new_name_->clear();
  }
}

void ReviewClassEditor::openList() {
  QString path = std::exchange(next_file_name_, {});
  if (path.isEmpty()) {
    path = QFileDialog::getOpenFileName(this, tr("Take classes from a list"), QString(),
                                        tr("Lists of classes (*.json *.xml *.txt);;All files (*)"));
  }
  if (!path.isEmpty()) {
    say({}, false);
    reviewer_.file().takeClassList(path);
  }
}

void ReviewClassEditor::saveList() {
  QStringList filters;
  for (const ClassListFormat& format : allClassListFormats()) {
    filters << QStringLiteral("%1 (*%2)")
                   .arg(QString::fromUtf8(format.name), QString::fromUtf8(format.ending));
  }
  QString path = std::exchange(next_file_name_, {});
  QString chosen = filters.front();
  if (path.isEmpty()) {
    path = QFileDialog::getSaveFileName(this, tr("Save the list of classes"), tr("classes"),
                                        filters.join(QStringLiteral(";;")), &chosen);
  }
  if (path.isEmpty()) {
    return;
  }
  const ClassListFormat& format = allClassListFormats()[static_cast<std::size_t>(
      std::max<qsizetype>(filters.indexOf(chosen), 0))];
  const QString ending = QString::fromUtf8(format.ending);
  if (QFileInfo(path).suffix().isEmpty()) {
    path += ending;
  }
  const auto written = writeClassList(reviewer_.file().classes(), path.toStdString(), format.key);
  if (!written) {
    say(errorText(written.error()), true);
    return;
  }
  say((QStringList(tr("Saved as %1.").arg(QFileInfo(path).fileName())) + textsOf(*written))
          .join(u' '),
      false);
}

void ReviewClassEditor::showTakenList(const QString& path, const ClassListChanges& changes) {
  QStringList parts;
  const auto add = [&parts](std::size_t count, const QString& one, const QString& several) {
    if (count > 0) {
      parts << (count == 1 ? one : several.arg(countText(static_cast<std::int64_t>(count))));
    }
  };
  add(changes.added.size(), tr("1 class added"), tr("%1 classes added"));
  add(changes.changed.size(), tr("1 changed"), tr("%1 changed"));
  const QString done = parts.isEmpty() ? tr("nothing is new") : parts.join(QStringLiteral(", "));
  say((QStringList(tr("%1: %2.").arg(QFileInfo(path).fileName(), done)) + textsOf(changes.notes))
          .join(u' '),
      false);
}

void ReviewClassEditor::say(const QString& text, bool is_error) {
  showMessage(*message_, text, is_error);
}

}  // namespace dubito
