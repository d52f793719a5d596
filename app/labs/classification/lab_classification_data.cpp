// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/classification/lab_classification_data.h"

#include <QComboBox>
#include <QPainter>

#include "app/labs/lab_values.h"
#include "core/labs/data/class_sets.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

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
    : LabPoints(
          worker,
          {QStringLiteral("class"), tr("Click in a map to add a point; drag a point to move it"),
           tr("two columns of numbers and one of classes, with a line of names above them")},
          parent),
      options_(options) {
  for (const ClassSetInfo& set : classSets()) {
    addSet(labText(set.name), QLatin1String(set.key), labText(set.explanation));
  }
  classes_ = new QComboBox(this);
  classes_->setObjectName(QStringLiteral("classOfPoints"));
  classes_->setAccessibleName(tr("Class of new points"));
  classes_->setToolTip(tr("Class of the points that a click adds"));
  for (std::int64_t c = 0; c < kMaxLabClasses; ++c) {
    classes_->addItem(markOf(c), tr("class %1").arg(c));
  }
  addPart(classes_, /*below=*/false);
  classes_->setVisible(false);
  form_ = new OptionsForm(this);
  form_->setObjectName(QStringLiteral("classOptions"));
  std::vector<Field> fields = options_.fields();
  // The zoom has a slider of its own.
  std::erase_if(fields, [](const Field& field) { return field.info.name == "zoom"; });
  form_->setFields(std::move(fields));
  enableOptions();
  addPart(form_, /*below=*/true);
  connect(this, &LabPoints::pointToolChanged, classes_, [this](PointPlot::PointTool tool) {
    classes_->setVisible(tool == PointPlot::PointTool::kEdit);
  });
  connect(form_, &OptionsForm::edited, this, [this](const QString& name) {
    if (!form_->check()) {
      return;
    }
    if (decidesPoints(name)) {
      open(seed());
    } else {
      Q_EMIT mapsChanged();
    }
  });
}

std::int64_t LabClassificationData::chosenClass() const {
  return classes_->currentIndex();
}

void LabClassificationData::reloadOptions() {
  form_->reload();
}

void LabClassificationData::enableOptions() {
  form_->setInactive(QStringLiteral("arms"),
                     specification() == QLatin1String("spiral") ? QString() : tr("Spiral"));
}

void LabClassificationData::startReading(const std::string& specification, std::uint64_t seed,
                                         bool is_pasted) {
  enableOptions();
  read<ClassData>(
      is_pasted,
      [specification, set = options_.set, seed](RunContext& context) {
        return openClassData(specification, set, seed, context);
      },
      [this](const ClassData& points) {
        enableOptions();
        showClasses(points);
        Q_EMIT opened(points);
      });
}

void LabClassificationData::showOwnPoints(const ClassData& points) {
  markOwn(points.notes);
  enableOptions();
  showClasses(points);
}

void LabClassificationData::showClasses(const ClassData& points) {
  for (int c = 0; c < classes_->count(); ++c) {
    const bool is_new = c >= points.classes();
    const QString name =
        is_new ? QString::number(c)
               : QString::fromStdString(points.class_names[static_cast<std::size_t>(c)]);
    classes_->setItemText(c, is_new ? tr("class %1 (new)").arg(name) : tr("class %1").arg(name));
  }
}

}  // namespace dubito
