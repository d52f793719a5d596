// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_points.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "app/labs/lab_values.h"
#include "app/session/error_text.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

// Data of the entries of the list: a specification, or one of these.
const QString kOwnPoints = QStringLiteral("own");
const QString kOpenFile = QStringLiteral("file");
const QString kPaste = QStringLiteral("paste");
/// Entries after the presets: a separator, a file, the clipboard.
constexpr int kOtherEntries = 3;

}  // namespace

LabPoints::LabPoints(WorkerThread& worker, const Texts& texts, QWidget* parent)
    : QWidget(parent), clipboard_form_(texts.clipboard_form), job_(worker) {
  rows_ = new QVBoxLayout(this);
  rows_->setContentsMargins(0, 0, 0, 0);
  rows_->setSpacing(2 * kGrid);
  sets_ = new QComboBox(this);
  sets_->setObjectName(texts.prefix + QStringLiteral("Data"));
  sets_->setAccessibleName(tr("Data"));
  sets_->insertSeparator(0);
  sets_->addItem(tr("Open CSV file…"), kOpenFile);
  sets_->addItem(tr("Paste from the clipboard"), kPaste);
  rows_->addWidget(sets_);
  addTools(texts);
  notes_ = new WrappedLabel(this);
  notes_->setObjectName(texts.prefix + QStringLiteral("DataNotes"));
  notes_->setProperty("role", QStringLiteral("muted"));
  rows_->addWidget(notes_);
  connect(sets_, &QComboBox::activated, this, &LabPoints::chooseEntry);
  connect(tools_, &QButtonGroup::idClicked, this, [this] { Q_EMIT pointToolChanged(pointTool()); });
}

LabPoints::~LabPoints() = default;

void LabPoints::addTools(const Texts& texts) {
  auto* const row = new QHBoxLayout;
  row->setSpacing(kGrid);
  tools_ = new QButtonGroup(this);
  const auto addTool = [&](const QString& text, const QString& tip, const QString& name,
                           PointPlot::PointTool tool) {
    auto* const button = new QPushButton(text, this);
    button->setObjectName(texts.prefix + name);
    button->setCheckable(true);
    button->setToolTip(tip);
    tools_->addButton(button, static_cast<int>(tool));
    row->addWidget(button, 1);
    return button;
  };
  addTool(tr("Look"), tr("The mouse only shows values"), QStringLiteral("Look"),
          PointPlot::PointTool::kNone)
      ->setChecked(true);
  addTool(tr("Points"), texts.edit_tip, QStringLiteral("Points"), PointPlot::PointTool::kEdit);
  addTool(tr("Erase"), tr("Click on points or stroke over them to remove them"),
          QStringLiteral("Erase"), PointPlot::PointTool::kErase);
  auto* const clear = new QPushButton(tr("Clear"), this);
  clear->setObjectName(texts.prefix + QStringLiteral("Clear"));
  clear->setToolTip(tr("Remove all points, and draw your own"));
  row->addWidget(clear, 1);
  connect(clear, &QPushButton::clicked, this, [this] {
    tools_->button(static_cast<int>(PointPlot::PointTool::kEdit))->click();
    Q_EMIT clearRequested();
  });
  rows_->addLayout(row);
}

void LabPoints::addSet(const QString& name, const QString& key, const QString& explanation) {
  const int index = sets_->count() - kOtherEntries;
  sets_->insertItem(index, name, key);
  sets_->setItemData(index, explanation, Qt::ToolTipRole);
  sets_->setCurrentIndex(0);
  last_ = specification();
}

void LabPoints::addForm(const QString& name, std::vector<Field> fields,
                        const QStringList& of_points) {
  form_ = new OptionsForm(this);
  form_->setObjectName(name);
  form_->setFields(std::move(fields));
  rows_->addWidget(form_);
  connect(form_, &OptionsForm::edited, this, [this, of_points](const QString& edited) {
    if (!form_->check()) {
      return;
    }
    if (of_points.contains(edited)) {
      open(seed_);
    } else {
      Q_EMIT optionsChanged();
    }
  });
}

void LabPoints::reloadOptions() {
  form_->reload();
}

void LabPoints::addPart(QWidget* part) {
  rows_->insertWidget(rows_->indexOf(notes_), part);
}

QString LabPoints::specification() const {
  return sets_->currentData().toString();
}

bool LabPoints::isOwn(const QString& specification) {
  return specification == kOwnPoints;
}

bool LabPoints::hasOwnPoints() const {
  return isOwn(specification());
}

PointPlot::PointTool LabPoints::pointTool() const {
  return static_cast<PointPlot::PointTool>(tools_->checkedId());
}

void LabPoints::select(const QString& specification) {
  sets_->setCurrentIndex(sets_->findData(specification));
}

void LabPoints::chooseEntry() {
  const QString chosen = specification();
  if (chosen == kOpenFile) {
    openFile();
  } else if (chosen == kPaste) {
    paste();
  } else if (isOwn(chosen)) {
    Q_EMIT ownPointsRequested();
  } else {
    open(seed_);
  }
}

void LabPoints::choose(const QString& specification, std::uint64_t seed) {
  if (sets_->findData(specification) < 0) {
    sets_->insertItem(0, QFileInfo(specification.section(u':', 1)).fileName(), specification);
  }
  select(specification);
  open(seed);
}

void LabPoints::open(std::uint64_t seed) {
  seed_ = seed;
  if (!hasOwnPoints()) {
    startReading(specification().toStdString(), seed, /*is_pasted=*/false);
  }
}

void LabPoints::openFile() {
  const QString path = QFileDialog::getOpenFileName(
      this, tr("Open points"), QString(), tr("Tables (*.csv *.tsv *.txt);;All files (*)"));
  select(last_);
  if (!path.isEmpty()) {
    choose(QStringLiteral("csv:") + path, seed_);
  }
}

void LabPoints::paste() {
  select(last_);
  const QString text = QGuiApplication::clipboard()->text();
  if (text.trimmed().isEmpty()) {
    Q_EMIT failed(tr("The clipboard has no text; copy %1").arg(clipboard_form_));
    return;
  }
  auto file = std::make_unique<QTemporaryFile>();
  if (!file->open() || file->write(text.toUtf8()) < 0 || !file->flush()) {
    Q_EMIT failed(
        tr("The clipboard could not be read; save the numbers to a CSV file and open it"));
    return;
  }
  pasted_ = std::move(file);
  startReading("csv:" + pasted_->fileName().toStdString(), seed_, /*is_pasted=*/true);
}

void LabPoints::markOpened(const std::vector<std::string>& notes) {
  last_ = specification();
  showNotes(notes);
}

void LabPoints::markOwn(const std::vector<std::string>& notes) {
  job_.abandon();
  if (sets_->findData(kOwnPoints) < 0) {
    sets_->insertItem(0, tr("Own points"), kOwnPoints);
  }
  select(kOwnPoints);
  last_ = kOwnPoints;
  showNotes(notes);
}

void LabPoints::showFailure(const Error& error, bool is_pasted) {
  if (error.code == ErrorCode::kCancelled) {
    return;
  }
  const QString message = errorText(error);
  if (is_pasted) {
    Q_EMIT failed(tr("The clipboard has no points: %1").arg(message.section(": ", 1)));
  } else {
    select(last_);
    Q_EMIT failed(message);
  }
}

void LabPoints::showNotes(const std::vector<std::string>& notes) {
  notes_->setText(toTexts(notes).join(u'\n'));
  notes_->setVisible(!notes.empty());
}

}  // namespace dubito
