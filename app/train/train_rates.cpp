// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/train/train_rates.h"

#include "app/train/train_values.h"
#include "app/words/plot_caption.h"
#include "widgets/curve_plot.h"

namespace dubito {

TrainRates::TrainRates(QWidget* parent)
    : Card(tr("Drop rates"), parent), plot_(new CurvePlot(this)) {
  setObjectName(QStringLiteral("trainRatesCard"));
  plot_->setObjectName(QStringLiteral("trainRates"));
  setContent(plot_);
  connect(plot_, &PlotBase::failed, this, &TrainRates::failed);
  connect(this, &Card::choiceMade, this, [this](int index) {
    view_ = index;
    showView();
  });
}

void TrainRates::setCourse(const DropRateCourse& course, const QString& subject) {
  course_ = course;
  subject_ = subject;
  setEmptyText({});
  offerViews(course);
  showView();
}

void TrainRates::setNothing(const QString& reason, bool may_continue) {
  course_.clear();
  setEmptyText(reason);
  if (!may_continue) {
    offerViews({});
  }
}

void TrainRates::offerViews(const DropRateCourse& course) {
  unit_layers_ = layersWithUnitRates(course);
  QStringList titles;
  if (!unit_layers_.empty()) {
    titles << tr("Drop rates: means");
  }
  for (const std::size_t layer : unit_layers_) {
    titles << tr("Drop rates: %1").arg(QString::fromStdString(course.front()[layer].layer));
  }
  if (titles == titles_) {
    return;
  }
  titles_ = titles;
  setChoices(titles);
  setTitle(tr("Drop rates"));
  view_ = titles.isEmpty() ? 0 : 1;
  if (!titles.isEmpty()) {
    setChoice(view_);
  }
}

void TrainRates::showView() {
  if (course_.empty()) {
    return;
  }
  QString view;
  if (view_ > 0) {
    const std::size_t layer = unit_layers_[static_cast<std::size_t>(view_ - 1)];
    plot_->setCurves(unitRateCurves(course_, layer));
    view = tr("thin lines: %1 units of the layer").arg(course_.front()[layer].units.size());
  } else {
    plot_->setCurves(meanRateCurves(course_));
    view = tr("means of the layers");
  }
  setCaptions(*this, *plot_, QStringLiteral("%1 · %2").arg(view, subject_));
}

}  // namespace dubito
