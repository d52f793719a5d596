// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/classification/lab_classification.h"

#include <QCheckBox>
#include <QComboBox>
#include <algorithm>
#include <string>
#include <utility>

#include "app/labs/classification/lab_classification_values.h"
#include "widgets/card_scroll.h"
#include "widgets/color_scale.h"
#include "widgets/flow_layout.h"
#include "widgets/text_width.h"
#include "widgets/value_slider.h"

namespace dubito {
namespace {

constexpr int kClassTableHeight = 60 * kGrid;
/// Shown at first: what a network believes, and five ways to make it less certain.
constexpr const char* kFirstClassMethods[] = {"map",          "ensemble", "mc-dropout",
                                              "laplace-full", "hmc",      "gp"};

}  // namespace

LabClassification::LabClassification(const LabParts& parts, QWidget* parent)
    : LabMethodsView(parts, parent) {
  setObjectName(QStringLiteral("labClassification"));
  QWidget* const set_up = buildSetUp(QStringLiteral("class"), kFirstClassMethods);
  LabResults* const results = makeResults();
  results->rows().addWidget(buildMapBar(results));
  addPlotsAndTable(*results, QStringLiteral("classMap"), 3, QStringLiteral("classScores"), 1);
  reliability_ = makeCard<CurvePlot>(tr("Reliability"), "classReliability");
  reliability_.content->setMinimumSize(kMinReadablePlot);
  tableRow().addWidget(reliability_.card, 1);
  for (Card* const card : {table().card, reliability_.card}) {
    card->setMaximumHeight(kClassTableHeight);
  }
  setParts(set_up, results);
  connectParts();
  connect(&points(), &LabPoints::optionsChanged, this, [this] { runner().redraw(false); });
  connect(maps_, &QComboBox::currentIndexChanged, this, [this] { showAllPlots(); });
  connect(functions_, &QCheckBox::toggled, this, [this] { showAllPlots(); });
  connect(zoom_, &ValueSlider::moved, this, [this](double zoom) { runner().setZoom(zoom, true); });
  connect(zoom_, &ValueSlider::settled, this,
          [this](double zoom) { runner().setZoom(zoom, false); });
  showCommon();
}

QWidget* LabClassification::buildMapBar(QWidget* parent) {
  auto* const bar = new QWidget(parent);
  auto* const layout = new FlowLayout(bar, 2 * kGrid);
  layout->setContentsMargins(0, 0, 0, 0);
  maps_ = new QComboBox(bar);
  maps_->setObjectName(QStringLiteral("classMap"));
  maps_->setAccessibleName(tr("Map"));
  addInfos(*maps_, classMaps());
  layout->addWidget(maps_);
  scale_ = new ColorScale(bar);
  layout->addWidget(scale_);
  functions_ = new QCheckBox(tr("Borders of single functions"), bar);
  functions_->setObjectName(QStringLiteral("classFunctions"));
  functions_->setToolTip(
      tr("Thin lines: where single members, masks, states or draws of a method place the border"));
  functions_->setChecked(true);
  layout->addWidget(functions_);
  zoom_ = new ValueSlider(tr("Zoom out"), bar);
  zoom_->setObjectName(QStringLiteral("classZoom"));
  zoom_->setNameWidth(usualTextWidth(tr("Zoom out")) + kGrid);
  zoom_->setRange({1.0, 10.0, true, false});
  zoom_->setValue(runner().options().zoom);
  zoom_->setToolTip(tr("Side of the shown square over that of the data"));
  setTextWidth(*zoom_, 76 * kGrid);
  layout->addWidget(zoom_);
  return bar;
}

/// For square plots.
int LabClassification::columnsOf(int count) const {
  return count <= 3 ? std::max(count, 1) : count == 4 ? 2 : count <= 6 ? 3 : 4;
}

const ClassMapInfo& LabClassification::chosenMap() const {
  return classMaps()[static_cast<std::size_t>(maps_->currentIndex())];
}

void LabClassification::showPlot(std::size_t index) {
  const ClassMapInfo& map = chosenMap();
  Card& card = plots().card(index);
  ClassMapPlot& plot = plots().plot(index);
  card.setTitle(labText(runner().entries()[index].info->name));
  // The labels of shared axes would cost a quarter of a small map.
  plot.setLabelsShown(plots().isLowest(index), plots().isLeftmost(index));
  plot.setValue(classMapOf(runner(), index, map, functions_->isChecked()));
  card.setEmptyText(missingMapText(runner(), index, map));
  setCaptions(card, plot, classMapCaption(runner(), index, map));
  showConvergence(index);
}

void LabClassification::showCommon() {
  const ClassMapInfo& map = chosenMap();
  const ScaleTexts ends = scaleTextsOf(map, std::max<std::int64_t>(runner().data().classes(), 2));
  scale_->setEnds(ends.low, ends.high);
  const QString meaning = labText(map.explanation);
  maps_->setToolTip(meaning);
  scale_->setToolTip(meaning);
}

CompareTableValue LabClassification::tableValue() const {
  return classificationTable(methodRunner());
}

QString LabClassification::tableCaption() const {
  return classificationTableCaption(methodRunner());
}

void LabClassification::showDetails() {
  CurvePlotValue curves = classReliability(methodRunner());
  reliability_.card->setEmptyText(curves.curves.empty() ? tr("No method has a result yet")
                                                        : QString());
  reliability_.content->setCurves(std::move(curves));
  setCaptions(*reliability_.card, *reliability_.content,
              tr("largest probability, %1 bins · %2").arg(kLabReliabilityBins).arg(tableCaption()));
}

void LabClassification::addShown(ClassificationPreset& preset) const {
  preset.map = chosenMap().key;
  preset.functions = functions_->isChecked();
}

void LabClassification::showPreset(const ClassificationPreset& preset) {
  zoom_->setValue(preset.options.zoom);
  maps_->setCurrentIndex(maps_->findData(QString::fromStdString(preset.map)));
  functions_->setChecked(preset.functions);
}

void LabClassification::forgetSource(ClassData& edited) const {
  edited.notes.clear();
}

void LabClassification::forgetLabels(ClassData& edited) const {
  edited.x1_label = ClassData().x1_label;
  edited.x2_label = ClassData().x2_label;
}

void LabClassification::addPoint(double x1, double x2, ClassData& edited) const {
  edited.train.add(x1, x2, points().chosenClass());
}

/// As many classes as the highest one with a point needs.
void LabClassification::completeOwn(ClassData& edited) const {
  std::int64_t classes = 0;
  for (const std::int64_t c : edited.train.classes) {
    classes = std::max(classes, c + 1);
  }
  while (edited.classes() < classes) {
    edited.class_names.push_back(std::to_string(edited.classes()));
  }
  edited.class_names.resize(static_cast<std::size_t>(classes));
}

}  // namespace dubito
