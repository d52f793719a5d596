// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/lab_classification_data.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QComboBox>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTemporaryFile>
#include <QVBoxLayout>
#include <memory>

#include "core/labs/data/class_sets.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

// Data of the entries of the list: a specification, or one of these.
const QString kOwnClassPoints = QStringLiteral("own");
const QString kOpenClassFile = QStringLiteral("file");
const QString kPasteClasses = QStringLiteral("paste");

/// Options that decide the points of a preset.
bool decidesPoints(const QString& name) {
  return name == QLatin1String("points") || name == QLatin1String("noise") ||
         name == QLatin1String("arms");
}

QIcon markOf(std::int64_t c) {
  QPixmap picture(4 * kGrid, 4 * kGrid);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(QColor(0x16, 0x18, 0x1d), 1.0));
  painter.setBrush(Theme::darkTheme().classColor(static_cast<int>(c)));
  painter.drawEllipse(QRectF(kGrid, kGrid, 2 * kGrid, 2 * kGrid));
  return picture;
}

}  // namespace

LabClassificationData::LabClassificationData(WorkerThread& worker,
                                             ClassificationLabOptions& options, QWidget* parent)
    : QWidget(parent), job_(worker), options_(options) {
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  sets_ = new QComboBox(this);
  sets_->setObjectName(QStringLiteral("classData"));
  sets_->setAccessibleName(tr("Data"));
  for (const ClassSetInfo& set : classSets()) {
    sets_->addItem(QCoreApplication::translate("Labs", set.name), QLatin1String(set.key));
    sets_->setItemData(sets_->count() - 1, QCoreApplication::translate("Labs", set.explanation),
                       Qt::ToolTipRole);
  }
  sets_->insertSeparator(sets_->count());
  sets_->addItem(tr("Open CSV file…"), kOpenClassFile);
  sets_->addItem(tr("Paste from the clipboard"), kPasteClasses);
  layout->addWidget(sets_);

  auto* const row = new QHBoxLayout;
  row->setSpacing(kGrid);
  tools_ = new QButtonGroup(this);
  const auto addTool = [&](const QString& text, const QString& tip, const char* name,
                           ClassMapPlot::PointTool tool) {
    auto* const button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(name));
    button->setCheckable(true);
    button->setToolTip(tip);
    tools_->addButton(button, static_cast<int>(tool));
    row->addWidget(button, 1);
    return button;
  };
  addTool(tr("Look"), tr("The mouse only shows values"), "classLook",
          ClassMapPlot::PointTool::kNone)
      ->setChecked(true);
  addTool(tr("Points"), tr("Click in a map to add a point; drag a point to move it"), "classPoints",
          ClassMapPlot::PointTool::kEdit);
  addTool(tr("Erase"), tr("Click on points or stroke over them to remove them"), "classErase",
          ClassMapPlot::PointTool::kErase);
  layout->addLayout(row);
  classes_ = new QComboBox(this);
  classes_->setObjectName(QStringLiteral("classOfPoints"));
  classes_->setAccessibleName(tr("Class of new points"));
  classes_->setToolTip(tr("Class of the points that a click adds"));
  for (std::int64_t c = 0; c < kMaxLabClasses; ++c) {
    classes_->addItem(markOf(c), tr("class %1").arg(c));
  }
  layout->addWidget(classes_);

  notes_ = new QLabel(this);
  notes_->setObjectName(QStringLiteral("classDataNotes"));
  notes_->setProperty("role", QStringLiteral("muted"));
  notes_->setWordWrap(true);
  layout->addWidget(notes_);
  form_ = new OptionsForm(this);
  form_->setObjectName(QStringLiteral("classOptions"));
  std::vector<Field> fields = options_.fields();
  // The zoom has a slider of its own.
  std::erase_if(fields, [](const Field& field) { return field.info.name == "zoom"; });
  form_->setFields(std::move(fields));
  enableOptions();
  layout->addWidget(form_);

  connect(sets_, &QComboBox::activated, this, [this] {
    const QString chosen = specification();
    if (chosen == kOpenClassFile) {
      openFile();
    } else if (chosen == kPasteClasses) {
      paste();
    } else if (chosen != kOwnClassPoints) {
      open(seed_);
    }
  });
  connect(tools_, &QButtonGroup::idClicked, this, [this] {
    classes_->setVisible(pointTool() == ClassMapPlot::PointTool::kEdit);
    Q_EMIT pointToolChanged(pointTool());
  });
  classes_->setVisible(false);
  connect(form_, &OptionsForm::edited, this, [this](const QString& name) {
    if (!form_->check()) {
      return;
    }
    if (decidesPoints(name)) {
      open(seed_);
    } else {
      Q_EMIT mapsChanged();
    }
  });
}

QString LabClassificationData::specification() const {
  return sets_->currentData().toString();
}

ClassMapPlot::PointTool LabClassificationData::pointTool() const {
  return static_cast<ClassMapPlot::PointTool>(tools_->checkedId());
}

std::int64_t LabClassificationData::chosenClass() const {
  return classes_->currentIndex();
}

void LabClassificationData::choose(const QString& specification, std::uint64_t seed) {
  int index = sets_->findData(specification);
  if (index < 0) {
    sets_->insertItem(0, QFileInfo(specification.section(u':', 1)).fileName(), specification);
    index = 0;
  }
  sets_->setCurrentIndex(index);
  open(seed);
}

bool LabClassificationData::hasOwnPoints() const {
  return specification() == kOwnClassPoints;
}

void LabClassificationData::reloadOptions() {
  form_->reload();
}

void LabClassificationData::enableOptions() {
  form_->setInactive(QStringLiteral("arms"),
                     specification() == QLatin1String("spiral") ? QString() : tr("Spiral"));
}

void LabClassificationData::open(std::uint64_t seed) {
  seed_ = seed;
  const QString chosen = specification();
  if (chosen == kOwnClassPoints || chosen == kOpenClassFile || chosen == kPasteClasses) {
    return;
  }
  enableOptions();
  job_.restart<ClassData>(
      tr("Opening points"), {},
      [chosen = chosen.toStdString(), set = options_.set, seed](RunContext& context) {
        return openClassData(chosen, set, seed, context);
      },
      this,
      [this](const Expected<ClassData>& points) {
        if (points) {
          last_index_ = sets_->currentIndex();
          show(*points);
          Q_EMIT opened(*points);
        } else if (points.error().code != ErrorCode::kCancelled) {
          sets_->setCurrentIndex(last_index_);
          Q_EMIT failed(QString::fromStdString(points.error().message));
        }
      });
}

void LabClassificationData::openFile() {
  const QString path = QFileDialog::getOpenFileName(
      this, tr("Open points"), QString(), tr("Tables (*.csv *.tsv *.txt);;All files (*)"));
  sets_->setCurrentIndex(last_index_);
  if (!path.isEmpty()) {
    choose(QStringLiteral("csv:") + path, seed_);
  }
}

void LabClassificationData::paste() {
  sets_->setCurrentIndex(last_index_);
  auto file = std::make_shared<QTemporaryFile>();
  const QString text = QGuiApplication::clipboard()->text();
  if (text.trimmed().isEmpty()) {
    Q_EMIT failed(
        tr("The clipboard has no text; copy two columns of numbers and one of classes, with a line "
           "of names above them"));
    return;
  }
  if (!file->open() || file->write(text.toUtf8()) < 0 || !file->flush()) {
    Q_EMIT failed(
        tr("The clipboard could not be read; save the numbers to a CSV file and open it"));
    return;
  }
  job_.restart<ClassData>(
      tr("Opening points"), {},
      [file](RunContext& context) {
        return openClassData("csv:" + file->fileName().toStdString(), {}, 0, context);
      },
      this,
      [this](const Expected<ClassData>& points) {
        if (points) {
          ClassData named = *points;
          named.name = tr("clipboard").toStdString();
          showOwnPoints(named);
          Q_EMIT opened(named);
        } else if (points.error().code != ErrorCode::kCancelled) {
          Q_EMIT failed(tr("The clipboard has no points: %1")
                            .arg(QString::fromStdString(points.error().message).section(": ", 1)));
        }
      });
}

void LabClassificationData::showOwnPoints(const ClassData& points) {
  int index = sets_->findData(kOwnClassPoints);
  if (index < 0) {
    sets_->insertItem(0, tr("Own points"), kOwnClassPoints);
    index = 0;
  }
  sets_->setCurrentIndex(index);
  last_index_ = index;
  enableOptions();
  show(points);
}

void LabClassificationData::show(const ClassData& points) {
  QStringList lines;
  for (const std::string& note : points.notes) {
    lines << QString::fromStdString(note);
  }
  notes_->setText(lines.join(u'\n'));
  notes_->setVisible(!lines.isEmpty());
  for (int c = 0; c < classes_->count(); ++c) {
    const bool is_new = c >= points.classes();
    const QString name =
        is_new ? QString::number(c)
               : QString::fromStdString(points.class_names[static_cast<std::size_t>(c)]);
    classes_->setItemText(c, is_new ? tr("class %1 (new)").arg(name) : tr("class %1").arg(name));
  }
}

}  // namespace dubito
