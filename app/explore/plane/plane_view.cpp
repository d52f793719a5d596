// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/plane/plane_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QTimer>
#include <QVBoxLayout>

#include "app/explore/plane/plane_values.h"
#include "app/explore/plane/scatter_values.h"
#include "app/session/error_text.h"
#include "app/words/words.h"
#include "widgets/fitting_parts.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kPredictedClass = -1;

}  // namespace

PlaneView::PlaneView(Session& session, WindowJobs& jobs, RunComputer& computer, QWidget* parent)
    : QWidget(parent),
      jobs_(jobs),
      computer_(computer),
      session_(session),
      points_job_(jobs.fileThread()),
      field_job_(jobs.computeThread()),
      colors_(new QComboBox(this)),
      caption_(new QLabel(this)),
      plot_(new ScatterPlot(this)) {
  setObjectName(QStringLiteral("planeView"));
  plot_->setObjectName(QStringLiteral("planePlot"));
  colors_->setObjectName(QStringLiteral("planeColors"));
  colors_->setAccessibleName(tr("Background colours"));
  caption_->setObjectName(QStringLiteral("planeCaption"));
  caption_->setProperty("role", QStringLiteral("muted"));
  caption_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* const label = new QLabel(tr("Colours"), this);
  label->setProperty("role", QStringLiteral("muted"));
  label->setBuddy(colors_);
  auto* const bar = new QHBoxLayout;
  bar->setSpacing(2 * kGrid);
  bar->addWidget(label);
  bar->addWidget(colors_);
  bar->addWidget(caption_, 1);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kGrid);
  layout->addLayout(bar);
  layout->addWidget(plot_, 1);

  jobs_.watch(field_job_);
  binder_ = std::make_unique<ScatterBinder>(session_, mark_thread_, *plot_,
                                            [this](const ScatterRectangle& rectangle) {
                                              return rectangleText(plot_->scatter(), rectangle);
                                            });
  connect(binder_.get(), &ScatterBinder::marked, this, &PlaneView::showCaption);
  connect(plot_, &PlotBase::failed, this, &PlaneView::failed);
  connect(colors_, &QComboBox::currentIndexChanged, this, &PlaneView::rebuildPlot);
  connect(colors_, &QComboBox::activated, plot_, [this] { plot_->setFocus(); });
  connect(&session_, &Session::activeAnalysisChanged, this, &PlaneView::readPoints);
  fillMeasures();
  readPoints();
}

PlaneView::~PlaneView() = default;

void PlaneView::readPoints() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (requested_ == analysis) {
    return;
  }
  requested_ = analysis;
  binder_->abandon();
  field_job_.abandon();
  points_job_.abandon();
  if (!analysis || analysis->in().positions.empty()) {
    setPoints(nullptr);
    return;
  }
  points_job_.start<ScatterDataPtr>(
      tr("Reading coordinates"), {},
      [analysis](RunContext&) -> Expected<ScatterDataPtr> { return planePoints(analysis); }, this,
      [this](const Expected<ScatterDataPtr>& points) {
        setPoints(points ? *points : nullptr);
        if (!points && points.error().code != ErrorCode::kCancelled) {
          Q_EMIT failed(errorText(points.error()));
        }
      });
}

void PlaneView::setPoints(const ScatterDataPtr& points) {
  points_ = points;
  field_ = nullptr;
  field_job_.abandon();
  fillMeasures();
  Q_EMIT planarChanged(isPlanar());
  plot_->setRectangle(std::nullopt);
  rebuildPlot();
  binder_->setData(points_);
  requestField();
}

void PlaneView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  // The layout sets the label width after this event.
  QTimer::singleShot(0, this, &PlaneView::showCaption);
}

void PlaneView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  requestField();
}

void PlaneView::requestField() {
  // Points of the previous run stay until the new ones arrive.
  if (!points_ || points_->run != requested_ || field_ || !isVisible() ||
      isActive(field_job_.state()) || !whyNoPlaneField(*points_->run).empty()) {
    return;
  }
  PlaneFieldRequest request;
  request.analysis = points_->run;
  request.predict = computer_.settings().predict;
  request.x = points_->points.x_range;
  request.y = points_->points.y_range;
  field_job_.start<PlaneFieldPtr>(
      tr("Evaluating the input plane"), computer_.jobSettings(),
      [request](RunContext& context) { return computePlaneField(request, context); }, this,
      [this](const Expected<PlaneFieldPtr>& field) {
        if (field) {
          setField(*field);
        } else if (field.error().code != ErrorCode::kCancelled) {
          Q_EMIT failed(errorText(field.error()));
        }
      });
}

void PlaneView::setField(const PlaneFieldPtr& field) {
  field_ = field;
  fillMeasures();
  rebuildPlot();
}

void PlaneView::fillMeasures() {
  const QSignalBlocker blocker(colors_);
  const QVariant chosen = colors_->currentData();
  colors_->clear();
  colors_->addItem(tr("predicted class"), kPredictedClass);
  for (const Measure measure : allMeasures()) {
    if (field_ && field_->cells.has(measure)) {
      colors_->addItem(measureName(measure), static_cast<int>(measure));
      colors_->setItemData(colors_->count() - 1, measureFormula(measure), Qt::ToolTipRole);
    }
  }
  colors_->setCurrentIndex(std::max(0, colors_->findData(chosen)));
  colors_->setEnabled(field_ != nullptr);
  const std::string reason = points_ ? whyNoPlaneField(*points_->run) : std::string();
  colors_->setToolTip(field_           ? tr("Background colours")
                      : reason.empty() ? tr("Evaluating the network over the plane")
                                       : QString::fromStdString(reason));
}

std::optional<Measure> PlaneView::chosenMeasure() const {
  const int chosen = colors_->currentData().toInt();
  return chosen == kPredictedClass ? std::nullopt
                                   : std::optional<Measure>(static_cast<Measure>(chosen));
}

void PlaneView::rebuildPlot() {
  // A field may arrive during a drag; the points stay the same.
  const std::optional<ScatterRectangle> rectangle = plot_->rectangle();
  plot_->setScatter(points_ ? planePlotValue(points_, field_, chosenMeasure())
                            : ScatterPlotValue());
  plot_->setRectangle(rectangle);
  binder_->restoreMarks();
  showCaption();
}

void PlaneView::showCaption() {
  if (!points_) {
    caption_->clear();
    return;
  }
  const QString text = withLabels(*points_->run, planeCaption(*points_, field_, chosenMeasure()));
  caption_->setText(fittingParts(text, caption_->fontMetrics(), caption_->width()));
  caption_->setToolTip(text);
  plot_->setCaption(tr("Input plane"),
                    tr("%1 · %2").arg(QString::fromStdString(points_->run->name), text));
}

}  // namespace dubito
