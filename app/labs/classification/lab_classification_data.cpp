// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/classification/lab_classification_data.h"

#include <QPainter>
#include <utility>

#include "app/labs/lab_values.h"
#include "core/labs/data/class_sets.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

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
    : LabPointsOf(
          worker, options,
          {QStringLiteral("class"), tr("Click in a map to add a point; drag a point to move it"),
           tr("two columns of numbers and one of classes, with a line of names above them")},
          parent) {
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
  addPart(classes_);
  classes_->setVisible(false);
  // The zoom has a slider of its own.
  std::vector<Field> fields = options.fields();
  std::erase_if(fields, [](const Field& field) { return field.info.name == "zoom"; });
  addForm(QStringLiteral("classOptions"), std::move(fields),
          {QStringLiteral("points"), QStringLiteral("noise"), QStringLiteral("arms")});
  enableOptions();
  connect(this, &LabPoints::pointToolChanged, classes_, [this](PointPlot::PointTool tool) {
    classes_->setVisible(tool == PointPlot::PointTool::kEdit);
  });
  // First of those who see the new points.
  connect(this, &LabPoints::opened, this, [this] {
    enableOptions();
    showClasses(data());
  });
}

void LabClassificationData::enableOptions() {
  form().setInactive(QStringLiteral("arms"),
                     specification() == QLatin1String("spiral") ? QString() : tr("Spiral"));
}

void LabClassificationData::startReading(const std::string& specification, std::uint64_t seed,
                                         bool is_pasted) {
  enableOptions();
  LabPointsOf::startReading(specification, seed, is_pasted);
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
