// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/regression/lab_regression.h"

#include <QCoreApplication>

#include "app/labs/regression/lab_regression_values.h"
#include "app/words/plot_caption.h"

namespace dubito {
namespace {

/// Shown at first: an exact method, a network, and two ways to make it uncertain.
constexpr const char* kFirstMethods[] = {"gp", "mle", "mc-dropout", "ensemble", "laplace", "hmc"};

}  // namespace

LabRegression::LabRegression(WorkerThread& worker, int threads, QWidget* parent)
    : LabMethodsView(worker, threads, parent) {
  setObjectName(QStringLiteral("labRegression"));
  QWidget* const set_up = buildSetUp(QStringLiteral("lab"), kFirstMethods);
  auto* const results = new LabResults(this);
  LabBar* const bar = results->addBar();
  legend_ = results->addText("labLegend");
  legend_->setProperty("role", QStringLiteral("muted"));
  addPlotsAndTable(*results, QStringLiteral("labPlot"), 2, QStringLiteral("labScores"), 1);
  setParts(set_up, results);
  connectParts(*bar);
  connect(&points(), &LabRegressionData::optionsChanged, this, [this] { runner().restart(); });
}

LabRegression::~LabRegression() = default;

/// For plots that are wider than high.
int LabRegression::columnsOf(int count) const {
  return count <= 1 ? 1 : count <= 4 ? 2 : 3;
}

void LabRegression::showPlot(std::size_t index) {
  Card& card = plots().card(index);
  BandPlot& plot = plots().plot(index);
  card.setTitle(QCoreApplication::translate("Labs", runner().entries()[index].info->name));
  plot.setValue(bandPlotOf(runner(), index, true));
  // The title of a shared axis would cost a tenth of a small plot.
  plot.setXTitleShown(plots().isLowest(index));
  setCaptions(card, plot, bandCaption(runner(), index));
}

void LabRegression::showCommon() {
  const QString truth = runner().data().truth ? tr("dashed: truth · ") : QString();
  legend_->setText(
      tr("○ points · %1thick: mean · thin: single curves · dark band: ± 2σ of the curve "
         "· light band: ± 2σ with noise")
          .arg(truth));
}

CompareTableValue LabRegression::tableValue() const {
  return regressionTable(methodRunner());
}

QString LabRegression::tableCaption() const {
  return regressionTableCaption(methodRunner());
}

void LabRegression::forgetSource(RegressionData& edited) const {
  edited.truth = nullptr;
  edited.noise_std = std::nullopt;
}

void LabRegression::addPoint(double x, double y, RegressionData& edited) const {
  edited.train.add(x, y);
}

}  // namespace dubito
