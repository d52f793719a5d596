// SPDX-License-Identifier: GPL-3.0-or-later
// Renders every widget with plausible data, light and dark, for looking at: widget_preview FOLDER.
// QT_SCALE_FACTOR=2 renders at twice the resolution.
#include <QApplication>
#include <QDir>
#include <QGridLayout>
#include <QLabel>
#include <QTimer>
#include <QVBoxLayout>
#include <cstdio>

#include "tests/widgets/preview_data.h"
#include "widgets/card.h"
#include "widgets/class_probability_plot.h"
#include "widgets/drop_target.h"
#include "widgets/image_gallery.h"
#include "widgets/image_view.h"
#include "widgets/key_value_list.h"
#include "widgets/metric_table.h"
#include "widgets/options_form.h"
#include "widgets/progress_strip.h"
#include "widgets/reliability_plot.h"
#include "widgets/theme.h"

namespace dubito::test {
namespace {

Card* card(const QString& title, const QString& subtitle, QWidget* content) {
  auto* made = new Card(title);
  made->setSubtitle(subtitle);
  made->setContent(content);
  return made;
}

HistogramPlot* histogram(HistogramPlotValue value, double threshold) {
  auto* plot = new HistogramPlot;
  plot->setHistograms(std::move(value));
  plot->setThreshold(threshold);
  return plot;
}

CurvePlot* curves(CurvePlotValue value) {
  auto* plot = new CurvePlot;
  plot->setCurves(std::move(value));
  return plot;
}

ImageGallery* gallery(bool dark) {
  auto* made = new ImageGallery;
  QObject::connect(made, &ImageGallery::thumbnailsNeeded, made, [=](const QVector<qint64>& keys) {
    for (const qint64 key : keys) {
      made->setThumbnail(key, digitImage(static_cast<int>(key % 10), dark));
    }
  });
  made->setItems(galleryItems(178));
  made->setPrimary(4);
  return made;
}

QWidget* inspector(bool dark) {
  auto* panel = new QWidget;
  auto* image = new ImageView;
  image->setImage(digitImage(3, dark));
  auto* measures = new KeyValueList;
  measures->setValues(itemMeasures());
  auto* top = new QHBoxLayout;
  image->setFixedSize(112, 112);
  top->addWidget(image);
  top->addWidget(measures, 1);
  auto* probabilities = new ClassProbabilityPlot;
  probabilities->setProbabilities(ambiguousDigit());
  probabilities->setFixedHeight(230);
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addLayout(top);
  auto* title = new QLabel("Class probabilities");
  title->setProperty("role", "title");
  layout->addWidget(title);
  layout->addWidget(probabilities);
  layout->addStretch(1);
  return panel;
}

QWidget* overview(bool dark) {
  auto* page = new QWidget;
  auto* grid = new QGridLayout;
  grid->setSpacing(2 * kGrid);
  grid->addWidget(
      card("Confidence", "share of each group · 40 bins", histogram(confidenceHistograms(), 0.9)),
      0, 0);
  grid->addWidget(card("Predictive entropy", "share of each group · 40 bins",
                       histogram(entropyHistograms(), 0.45)),
                  0, 1);
  grid->addWidget(card("Mutual information", "share of each group · 40 bins",
                       histogram(mutualInformationHistograms(), 0.16)),
                  0, 2);
  auto* reliability = new ReliabilityPlot;
  reliability->setDiagram(reliabilityDiagram());
  reliability->setSelectedBin(13);
  Card* reliability_card =
      card("Reliability", "top-label · 15 equal-width bins · L1 · Wilson 95 %", reliability);
  reliability_card->setFigure("ECE 1.14 %");
  grid->addWidget(reliability_card, 1, 0);
  CurvePlot* roc = curves(rocCurves());
  roc->setMarker(QPointF(0.28, 0.944));
  grid->addWidget(card("ROC", "positive: correct · negative: OOD", roc), 1, 1);
  grid->addWidget(
      card("Precision–recall", "positive: correct · step AP", curves(precisionRecallCurves())), 1,
      2);
  grid->addWidget(card("Rejection", "accuracy on the part that is kept", curves(rejectionCurves())),
                  2, 0);
  grid->addWidget(card("Images", "178 misclassified · sorted by mutual information", gallery(dark)),
                  2, 1, 1, 2);
  grid->addWidget(card("Item 02109", "MNIST test · label 3 · predicted 2", inspector(dark)), 0, 3,
                  3, 1);
  for (int column = 0; column < 3; ++column) {
    grid->setColumnStretch(column, 6);
  }
  grid->setColumnStretch(3, 7);
  for (int row = 0; row < 3; ++row) {
    grid->setRowStretch(row, row == 0 ? 5 : 6);
  }
  auto* strip = new ProgressStrip;
  strip->start("Laplace all layers, Fashion-MNIST");
  strip->setInfo("20 000 items · threshold entropy 0.45 · cpu");
  strip->setProgress({"predict", 10000, 60000});
  QTimer::singleShot(400, strip, [strip] { strip->setProgress({"predict", 37800, 60000}); });
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 0);
  layout->addLayout(grid, 1);
  layout->addWidget(strip);
  page->resize(1260, 860);
  return page;
}

QWidget* parts(bool dark, EveryOption& good, EveryOption& bad) {
  auto* page = new QWidget;
  auto* grid = new QGridLayout(page);
  grid->setSpacing(2 * kGrid);
  auto* table = new MetricTable;
  table->setRows(metricRows());
  grid->addWidget(card("Metrics", "MC dropout T=100 · MNIST test · N = 10 000", table), 0, 0, 2, 1);
  auto* form = new OptionsForm;
  form->setFields(good.fields());
  grid->addWidget(card("MC dropout", "options", form), 0, 1);
  auto* bad_form = new OptionsForm;
  bad.draws = 0;
  bad.prior_precision = -2.5;
  bad_form->setFields(bad.fields());
  grid->addWidget(card("MC dropout", "options with mistakes", bad_form), 0, 2);
  auto* drop = new DropTarget;
  drop->setAction("Open…");
  grid->addWidget(drop, 1, 1, 1, 2);
  HistogramPlot* selected = histogram(entropyHistograms(), 0.45);
  selected->setSelectedRange(Interval{0.8, 1.6});
  selected->setScale(HistogramPlot::Scale::kLinear);
  grid->addWidget(card("Linear scale", "a range is selected", selected), 2, 0);
  auto* certain = new ClassProbabilityPlot;
  ItemProbabilities value = ambiguousDigit(0);
  value.class_names = {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
                       "Sandal",      "Shirt",   "Sneaker",  "Bag",   "Ankle boot made of leather"};
  value.label_true = 2;
  value.samples = {};
  certain->setProbabilities(value);
  grid->addWidget(card("Class probabilities", "▸ predicted · ✓ true · no draws", certain), 2, 1);
  auto* empty = new Card("ROC");
  empty->setContent(new CurvePlot);
  empty->setEmptyText("Add an OOD data set to see how well the model tells it apart.");
  grid->addWidget(empty, 2, 2);
  grid->setRowStretch(1, 1);
  grid->setRowStretch(2, 2);
  (void)dark;
  page->resize(1260, 900);
  return page;
}

}  // namespace
}  // namespace dubito::test

int main(int argc, char** argv) {
  using namespace dubito;
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  if (argc != 2) {
    std::fputs("usage: widget_preview FOLDER\n", stderr);
    return 2;
  }
  const QDir folder(QString::fromLocal8Bit(argv[1]));
  folder.mkpath(".");
  int saved = 0;
  for (const bool dark : {false, true}) {
    applyTheme(application, dark ? Theme::darkTheme() : Theme::light());
    test::EveryOption good;
    test::EveryOption bad;
    const std::pair<const char*, QWidget*> pages[] = {{"overview", test::overview(dark)},
                                                      {"parts", test::parts(dark, good, bad)}};
    for (const auto& [name, page] : pages) {
      page->show();
      QEventLoop loop;
      QTimer::singleShot(700, &loop, &QEventLoop::quit);
      loop.exec();
      const QString file = folder.filePath(QStringLiteral("%1-%2-%3x.png")
                                               .arg(name, dark ? "dark" : "light")
                                               .arg(static_cast<int>(page->devicePixelRatioF())));
      saved += page->grab().save(file) ? 1 : 0;
      delete page;
    }
  }
  return saved == 4 ? 0 : 1;
}
