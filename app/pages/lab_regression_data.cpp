// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/lab_regression_data.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QComboBox>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryFile>
#include <QVBoxLayout>
#include <memory>

#include "core/labs/data/regression_files.h"
#include "core/labs/data/regression_sets.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

// Data of the entries of the list: a specification, or one of these.
const QString kOwnPoints = QStringLiteral("own");
const QString kOpenFile = QStringLiteral("file");
const QString kPaste = QStringLiteral("paste");

}  // namespace

LabRegressionData::LabRegressionData(WorkerThread& worker, RegressionLabOptions& options,
                                     QWidget* parent)
    : QWidget(parent), job_(worker), options_(options) {
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  sets_ = new QComboBox(this);
  sets_->setObjectName(QStringLiteral("labData"));
  sets_->setAccessibleName(tr("Data"));
  for (const RegressionSetInfo& set : regressionSets()) {
    sets_->addItem(QCoreApplication::translate("Labs", set.name), QLatin1String(set.key));
    sets_->setItemData(sets_->count() - 1, QCoreApplication::translate("Labs", set.explanation),
                       Qt::ToolTipRole);
  }
  sets_->addItem(tr("CO2 at Mauna Loa"), QLatin1String(kCo2Key));
  sets_->insertSeparator(sets_->count());
  sets_->addItem(tr("Open CSV file…"), kOpenFile);
  sets_->addItem(tr("Paste from the clipboard"), kPaste);
  layout->addWidget(sets_);

  auto* const row = new QHBoxLayout;
  row->setSpacing(kGrid);
  tools_ = new QButtonGroup(this);
  const auto addTool = [&](const QString& text, const QString& tip, const char* name,
                           BandPlot::PointTool tool) {
    auto* const button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(name));
    button->setCheckable(true);
    button->setToolTip(tip);
    tools_->addButton(button, static_cast<int>(tool));
    row->addWidget(button, 1);
    return button;
  };
  addTool(tr("Look"), tr("The mouse only shows values"), "labLook", BandPlot::PointTool::kNone)
      ->setChecked(true);
  addTool(tr("Points"), tr("Click in a plot to add a point; drag a point to move it"), "labPoints",
          BandPlot::PointTool::kEdit);
  addTool(tr("Erase"), tr("Click on points or stroke over them to remove them"), "labErase",
          BandPlot::PointTool::kErase);
  layout->addLayout(row);

  notes_ = new QLabel(this);
  notes_->setObjectName(QStringLiteral("labDataNotes"));
  notes_->setProperty("role", QStringLiteral("muted"));
  notes_->setWordWrap(true);
  layout->addWidget(notes_);
  form_ = new OptionsForm(this);
  form_->setObjectName(QStringLiteral("labOptions"));
  form_->setFields(options_.fields());
  layout->addWidget(form_);

  connect(sets_, &QComboBox::activated, this, [this] {
    const QString chosen = specification();
    if (chosen == kOpenFile) {
      openFile();
    } else if (chosen == kPaste) {
      paste();
    } else if (chosen != kOwnPoints) {
      open(seed_);
    }
  });
  connect(tools_, &QButtonGroup::idClicked, this, [this] { Q_EMIT pointToolChanged(pointTool()); });
  connect(form_, &OptionsForm::edited, this, [this](const QString& name) {
    if (!form_->check()) {
      return;
    }
    if (name == QStringLiteral("points")) {
      open(seed_);
    } else {
      Q_EMIT optionsChanged();
    }
  });
}

QString LabRegressionData::specification() const {
  return sets_->currentData().toString();
}

BandPlot::PointTool LabRegressionData::pointTool() const {
  return static_cast<BandPlot::PointTool>(tools_->checkedId());
}

void LabRegressionData::choose(const QString& specification, std::uint64_t seed) {
  int index = sets_->findData(specification);
  if (index < 0) {
    sets_->insertItem(0, QFileInfo(specification.section(u':', 1)).fileName(), specification);
    index = 0;
  }
  sets_->setCurrentIndex(index);
  open(seed);
}

bool LabRegressionData::hasOwnPoints() const {
  return specification() == kOwnPoints;
}

void LabRegressionData::reloadOptions() {
  form_->reload();
}

void LabRegressionData::open(std::uint64_t seed) {
  seed_ = seed;
  const QString chosen = specification();
  if (chosen == kOwnPoints || chosen == kOpenFile || chosen == kPaste) {
    return;
  }
  job_.restart<RegressionData>(
      tr("Opening points"), {},
      [chosen = chosen.toStdString(), points = options_.points, seed](RunContext& context) {
        return openRegressionData(chosen, points, seed, context);
      },
      this,
      [this](const Expected<RegressionData>& points) {
        if (points) {
          last_index_ = sets_->currentIndex();
          showNotes(*points);
          Q_EMIT opened(*points);
        } else if (points.error().code != ErrorCode::kCancelled) {
          sets_->setCurrentIndex(last_index_);
          Q_EMIT failed(QString::fromStdString(points.error().message));
        }
      });
}

void LabRegressionData::openFile() {
  const QString path = QFileDialog::getOpenFileName(
      this, tr("Open points"), QString(), tr("Tables (*.csv *.tsv *.txt);;All files (*)"));
  sets_->setCurrentIndex(last_index_);
  if (!path.isEmpty()) {
    choose(QStringLiteral("csv:") + path, seed_);
  }
}

void LabRegressionData::paste() {
  sets_->setCurrentIndex(last_index_);
  auto file = std::make_shared<QTemporaryFile>();
  const QString text = QGuiApplication::clipboard()->text();
  if (text.trimmed().isEmpty()) {
    Q_EMIT failed(
        tr("The clipboard has no text; copy two columns of numbers with a line of names "
           "above them"));
    return;
  }
  if (!file->open() || file->write(text.toUtf8()) < 0 || !file->flush()) {
    Q_EMIT failed(
        tr("The clipboard could not be read; save the numbers to a CSV file and open it"));
    return;
  }
  job_.restart<RegressionData>(
      tr("Opening points"), {},
      [file](RunContext& context) {
        return openRegressionData("csv:" + file->fileName().toStdString(), 0, 0, context);
      },
      this,
      [this](const Expected<RegressionData>& points) {
        if (points) {
          RegressionData named = *points;
          named.name = tr("clipboard").toStdString();
          showOwnPoints(named);
          Q_EMIT opened(named);
        } else if (points.error().code != ErrorCode::kCancelled) {
          Q_EMIT failed(tr("The clipboard has no points: %1")
                            .arg(QString::fromStdString(points.error().message).section(": ", 1)));
        }
      });
}

void LabRegressionData::showOwnPoints(const RegressionData& points) {
  job_.abandon();  // what is being read would replace them
  int index = sets_->findData(kOwnPoints);
  if (index < 0) {
    sets_->insertItem(0, tr("Own points"), kOwnPoints);
    index = 0;
    ++last_index_;
  }
  sets_->setCurrentIndex(index);
  last_index_ = index;
  showNotes(points);
}

void LabRegressionData::showNotes(const RegressionData& points) {
  QStringList lines;
  for (const std::string& note : points.notes) {
    lines << QString::fromStdString(note);
  }
  notes_->setText(lines.join(u'\n'));
  notes_->setVisible(!lines.isEmpty());
}

}  // namespace dubito
