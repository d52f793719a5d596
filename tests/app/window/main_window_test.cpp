// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTabBar>
#include <QUrl>
#include <fstream>
#include <memory>

#include "app/panels/error_banner.h"
#include "app/panels/workspace_row.h"
#include "app/window/open_menu.h"
#include "tests/app/support/sample_analysis.h"
#include "tests/support/gui_test.h"
#include "widgets/card.h"
#include "widgets/class_probability_plot.h"
#include "widgets/curve_plot.h"
#include "widgets/histogram_plot.h"
#include "widgets/image_gallery.h"
#include "widgets/image_view.h"
#include "widgets/key_value_list.h"
#include "widgets/metric_table.h"
#include "widgets/number_box.h"
#include "widgets/reliability_plot.h"
#include "widgets/theme.h"

namespace dubito::test {

class MainWindowTest : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<TempDir> dir_;
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<MainWindow> window_;

  template <class T>
  T& part(const char* name) {
    T* const found = window_->findChild<T*>(QLatin1String(name));
    if (found == nullptr) {
      qFatal("the window has no %s", name);
    }
    return *found;
  }
  Session& session() { return window_->session(); }

  void showSample() {
    session().addAnalysis(sampleAnalysis());
    QTRY_VERIFY(session().items() != nullptr);
  }

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<TempDir>();
    settings_ = std::make_unique<QSettings>(QString::fromStdString(dir_->file("settings.ini")),
                                            QSettings::IniFormat);
    window_ = std::make_unique<MainWindow>(*settings_);
    window_->resize(1280, 800);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
  }
  void cleanup() {
    window_.reset();
    settings_.reset();
    dir_.reset();
  }

  void theEmptyWindowSaysWhatToDo() {
    QVERIFY(part<QLabel>("dropHeadline").text().contains("model"));
    QVERIFY(part<QPushButton>("dropPrimary").isVisible());
    QVERIFY(!part<QPushButton>("exportButton").isEnabled());
    QVERIFY(part<QPushButton>("computeButton").isEnabled());
  }

  void anAnalysisFillsEveryPlotTableAndGallery() {
    showSample();
    const AnalysisPtr analysis = session().activeAnalysis();
    QCOMPARE(part<HistogramPlot>("confidenceHistogram").histograms().groups.size(), 3U);
    QCOMPARE(part<HistogramPlot>("entropyHistogram").histograms().groups.size(), 3U);
    QCOMPARE(part<HistogramPlot>("mutualInformationHistogram").histograms().groups.size(), 3U);
    std::int64_t in_bins = 0;
    for (const ReliabilityBin& bin : part<ReliabilityPlot>("reliabilityPlot").diagram().bins) {
      in_bins += bin.count;
    }
    QCOMPARE(in_bins, 60);
    QCOMPARE(part<CurvePlot>("rocPlot").curves().curves.size(), 3U);
    QCOMPARE(part<CurvePlot>("precisionRecallPlot").curves().curves.size(), 3U);
    QVERIFY(part<MetricTable>("metricTable").rows().size() > 10U);
    QCOMPARE(part<ImageGallery>("overviewGallery").count(), analysis->overview.misclassified);
    QVERIFY(window_->windowTitle().contains("insects"));
    // Method, data sets and N stand under every plot.
    for (const char* const name : {"entropyHistogramCard", "reliabilityPlotCard", "rocPlotCard",
                                   "precisionRecallPlotCard", "metricTableCard"}) {
      const QString line = part<Card>(name).subtitle();
      QVERIFY2(line.contains("MC dropout T=8") && line.contains("insects") && line.contains("N 60"),
               qPrintable(line));
    }
  }

  void aRunWithoutDrawsSaysWhyThereIsNoMutualInformation() {
    session().addAnalysis(sampleAnalysisWithoutDraws());
    QVERIFY(part<Card>("mutualInformationHistogramCard").emptyText().contains("MC dropout"));
    QVERIFY(part<Card>("entropyHistogramCard").emptyText().isEmpty());
  }

  void aRangeInAHistogramSelectsInTheGalleryAndEscapeClears() {
    showSample();
    const Interval range{0.3, 0.9};
    Q_EMIT part<HistogramPlot>("entropyHistogram").rangeSelected(range);
    qint64 expected = 0;
    const AnalysisPtr analysis = session().activeAnalysis();
    for (const AnalysisPart& p : analysis->parts) {
      for (const double entropy : p.values(Measure::kEntropy).values()) {
        expected += entropy >= range.low && entropy <= range.high ? 1 : 0;
      }
    }
    QVERIFY(expected > analysis->overview.misclassified);
    QTRY_COMPARE(part<ImageGallery>("overviewGallery").count(), expected);
    QCOMPARE(part<ImageGallery>("imagesGallery").count(), expected);
    QVERIFY(part<Card>("overviewGalleryCard").subtitle().contains("entropy"));
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    QTRY_COMPARE(part<ImageGallery>("overviewGallery").count(), analysis->overview.misclassified);
    QVERIFY(!part<HistogramPlot>("entropyHistogram").selectedRange().has_value());
  }

  void aReliabilityBinSelectsItsItems() {
    showSample();
    ReliabilityPlot& plot = part<ReliabilityPlot>("reliabilityPlot");
    const int last = static_cast<int>(plot.diagram().bins.size()) - 1;
    const std::int64_t count = plot.diagram().bins.back().count;
    QVERIFY(count > 0);
    Q_EMIT plot.binSelected(last);
    QTRY_COMPARE(part<ImageGallery>("overviewGallery").count(), count);
    QCOMPARE(plot.selectedBin(), std::optional<int>(last));
  }

  void attributesAreOfferedForSortingAndFiltering() {
    showSample();
    QVERIFY(!part<QWidget>("attributeBar").isVisibleTo(&part<QWidget>("imagesPage")));
    session().addAnalysis(sampleAnalysisWithAttributes());
    QTRY_VERIFY(session().items() != nullptr);
    QVERIFY(part<QWidget>("attributeBar").isVisibleTo(&part<QWidget>("imagesPage")));
    QComboBox& group = part<QComboBox>("groupChooser");
    group.setCurrentIndex(0);
    ImageGallery& gallery = part<ImageGallery>("imagesGallery");
    QTRY_COMPARE(gallery.count(), 80);

    QComboBox& name = part<QComboBox>("attributeChooser");
    QComboBox& value = part<QComboBox>("attributeValueChooser");
    QCOMPARE(name.count(), 3);
    name.setCurrentIndex(name.findText("camera"));
    QCOMPARE(gallery.count(), 80);
    QCOMPARE(value.count(), 4);  // any value, north, south, none
    value.setCurrentIndex(value.findText("north"));
    QTRY_COMPARE(gallery.count(), 20);
    QVERIFY(part<Card>("imagesCard").subtitle().contains("camera: north"));

    name.setCurrentIndex(name.findText("hour"));
    QTRY_COMPARE(gallery.count(), 80);
    NumberBox& low = part<NumberBox>("attributeLow");
    QVERIFY(low.isVisibleTo(&part<QWidget>("imagesPage")));
    QTest::keyClicks(low.findChild<QLineEdit*>(), "20");
    QTRY_COMPARE(gallery.count(), 28);  // 20 to 23, and the OOD items at 30
    QTest::keyClicks(part<NumberBox>("attributeHigh").findChild<QLineEdit*>(), "23");
    QTRY_COMPARE(gallery.count(), 8);
    QVERIFY(part<Card>("imagesCard").subtitle().contains(QString::fromUtf8("hour 20–23")));

    QComboBox& sort = part<QComboBox>("sortChooser");
    sort.setCurrentIndex(sort.findText("hour"));
    part<QPushButton>("sortDirection").setChecked(false);
    QTRY_COMPARE(session().items()->front().row % 24, 20);
    QTRY_COMPARE(session().items()->back().row % 24, 23);
    QVERIFY(part<Card>("imagesCard").subtitle().contains("by hour, lowest first"));
    session().setPrimary(session().items()->front());
    const std::vector<KeyValue>& lines = part<KeyValueList>("itemMeasures").values();
    QCOMPARE(lines.back().name, QString("hour"));
    QCOMPARE(lines.back().value, QString("20"));

    // Another analysis without the attributes goes back to its own default.
    session().addAnalysis(sampleAnalysis());
    QVERIFY(!session().query().attribute);
    QVERIFY(!session().query().sort_attribute);
  }

  void keysWalkThroughTheImagesAndTheInspectorFollows() {
    showSample();
    QCOMPARE(session().primaryPosition(), 0);
    QTest::keyClick(window_.get(), Qt::Key_D);
    QTest::keyClick(window_.get(), Qt::Key_Right);
    QCOMPARE(session().primaryPosition(), 2);
    QCOMPARE(part<ImageGallery>("overviewGallery").primary(), 2);
    QTest::keyClick(window_.get(), Qt::Key_A);
    QCOMPARE(session().primaryPosition(), 1);
    const ItemRef item = *session().primary();
    QVERIFY(part<QLabel>("itemTitle").text().endsWith(QString("#%1").arg(item.row)));
    const ItemProbabilities& shown =
        part<ClassProbabilityPlot>("classProbabilityPlot").probabilities();
    const Run& run = *session().activeAnalysis()->in().run;
    QCOMPARE(shown.label_true, run.labels.data()[item.row]);
    QCOMPARE(shown.samples.extent(0), 8);
    QCOMPARE(shown.samples.row(5)[2],
             run.samples->row(5)[static_cast<std::size_t>(item.row * 3 + 2)]);
    QCOMPARE(part<KeyValueList>("itemMeasures").values().size(), kMeasureCount);
    QTRY_VERIFY(!part<ImageView>("itemImage").image().isNull());
  }

  void thumbnailsArriveForTheVisibleItems() {
    showSample();
    const qint64 key = ThumbnailLoader::keyOf(session().items()->front());
    QTRY_VERIFY(part<ImageGallery>("overviewGallery").hasThumbnail(key));
  }

  void groupsCanBeHiddenInTheHistograms() {
    showSample();
    part<WorkspaceRow>("groupOod").click();
    QCOMPARE(part<HistogramPlot>("entropyHistogram").histograms().groups.size(), 2U);
    part<WorkspaceRow>("groupOod").click();
    QCOMPARE(part<HistogramPlot>("entropyHistogram").histograms().groups.size(), 3U);
  }

  void theThresholdMovesTheMarkOfTheRocCurve() {
    showSample();
    Q_EMIT part<HistogramPlot>("confidenceHistogram").thresholdMoved(0.5);
    QCOMPARE(session().threshold(Measure::kConfidence), std::optional<double>(0.5));
    QCOMPARE(part<HistogramPlot>("confidenceHistogram").threshold(), std::optional<double>(0.5));
  }

  void tabsAndShortcutsSwitchThePages() {
    QTabBar& tabs = part<QTabBar>("pageTabs");
    tabs.setCurrentIndex(1);
    QVERIFY(part<QWidget>("imagesPage").isVisible());
    window_->showPage(MainWindow::Page::kOverview);
    QCOMPARE(tabs.currentIndex(), 0);
    QVERIFY(part<QWidget>("overviewPage").isVisible());
  }

  void theThemeSwitchesAndIsRemembered() {
    part<QAction>("theme-dark").trigger();
    QVERIFY(currentTheme().dark);
    QVERIFY(savedThemeChoice(*settings_) == ThemeChoice::kDark);
    part<QAction>("theme-light").trigger();
    QVERIFY(!currentTheme().dark);
  }

  void aWrongFileShowsAMessageAndTheWindowLivesOn() {
    const std::string path = dir_->file("weights.pt");
    std::ofstream(path) << "no archive at all";
    part<OpenMenu>("openMenu").setNextFileName(QString::fromStdString(path));
    part<QAction>("openModel").trigger();
    ErrorBanner& banner = part<ErrorBanner>("errorBanner");
    QTRY_VERIFY(banner.isVisible());
    QVERIFY(part<QLabel>("errorText").text().contains("weights.pt"));
    QVERIFY(session().models().empty());
    showSample();
    QVERIFY(part<ImageGallery>("overviewGallery").count() > 0);
    QTest::mouseClick(&part<QWidget>("dismissError"), Qt::LeftButton);
    QVERIFY(!banner.isVisible());
  }

  void droppedFilesAreOpened() {
    const QString path = QString::fromStdString(dir_->file("letter.txt"));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    const QPoint where(600, 400);
    QDragEnterEvent enter(where, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window_.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(where, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window_.get(), &drop);
    QTRY_VERIFY(part<QLabel>("errorText").text().contains("letter.txt"));
  }

  void aSecondDatasetIsAskedAbout() {
    session().addDataset("first", sampleAnalysis()->in().dataset, false);
    window_->dropPaths({"synthetic:moons?n=10"}, false, QPoint(10, 10));
    QMenu& menu = part<QMenu>("dropMenu");
    QVERIFY(menu.isVisible());
    part<QAction>("dropAsOod").trigger();
    menu.close();
    QTRY_COMPARE(session().datasets().size(), 2U);
    QVERIFY(session().datasets()[1].ood);
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::MainWindowTest)
#include "main_window_test.moc"
