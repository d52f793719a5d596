// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/main_window.h"

#include <QAction>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QTabBar>
#include <QToolButton>
#include <QUrl>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <utility>

#include "app/files/recent_files.h"
#include "app/shell/command_palette.h"
#include "app/shell/error_banner.h"
#include "app/shell/file_drop.h"
#include "app/shell/open_menu.h"
#include "app/shell/page_stack.h"
#include "app/shell/theme_choice.h"
#include "app/shell/workspace_commands.h"
#include "app/workspace/workspace_row.h"
#include "core/analysis/operating_point.h"
#include "core/models/guessed_preprocessing.h"
#include "tests/app/support/test_window.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/gui_test.h"
#include "widgets/card.h"
#include "widgets/class_probability_plot.h"
#include "widgets/compare_table.h"
#include "widgets/convention_table.h"
#include "widgets/curve_plot.h"
#include "widgets/histogram_plot.h"
#include "widgets/image_gallery.h"
#include "widgets/image_view.h"
#include "widgets/key_value_list.h"
#include "widgets/metric_table.h"
#include "widgets/reliability_plot.h"
#include "widgets/ridge_plot.h"
#include "widgets/scatter_plot.h"
#include "widgets/theme.h"

namespace dubito::test {

class MainWindowTest : public QObject, private TestWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openFolder();
    openWindow();
  }
  void cleanup() { closeAll(); }

  void theEmptyWindowSaysWhatToDo() {
    QVERIFY(part<QLabel>("dropHeadline").text().contains("model"));
    for (const char* const name : {"start-openDemo", "start-openModel", "start-openWorkspace"}) {
      QVERIFY2(part<QPushButton>(name).isVisible(), name);
    }
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
    const QString of_ranking =
        QStringLiteral("insects + noise · N %1 + 20").arg(analysis->overview.correct);
    const std::pair<const char*, QString> captions[] = {
        {"entropyHistogramCard", "insects + noise · N 60 + 20"},
        {"reliabilityPlotCard", "insects · N 60"},
        {"rocPlotCard", of_ranking},
        {"precisionRecallPlotCard", of_ranking},
        {"metricTableCard", "insects + noise · N 60 + 20"}};
    for (const auto& [name, items] : captions) {
      const QString line = part<Card>(name).subtitle();
      QVERIFY2(line.contains("MC dropout, 8 draws · " + items), qPrintable(line));
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

  void runsAreComparedSideBySide() {
    showSample();
    QTest::keySequence(window_.get(), QKeySequence(Qt::CTRL | Qt::Key_3));
    QCOMPARE(part<QTabBar>("pageTabs").currentIndex(), 2);
    session().addAnalysis(sampleAnalysisWithoutDraws());
    CompareTable& table = part<CompareTable>("compareTable");
    QCOMPARE(table.value().rows.size(), 2U);
    QVERIFY(table.value().rows[1].shown);
    QCOMPARE(part<CurvePlot>("compareRejection").curves().curves.size(), 2U);
    // By mutual information there is one run with draws.
    QComboBox& score = *part<Card>("compareRocCard").findChild<QComboBox*>("cardChoices");
    score.setCurrentIndex(2);
    Q_EMIT score.activated(2);
    QCOMPARE(part<CurvePlot>("compareRejection").curves().curves.size(), 1U);
    QComboBox& second = *part<Card>("compareRejectionCard").findChild<QComboBox*>("cardChoices");
    second.setCurrentIndex(1);
    Q_EMIT second.activated(1);
    const CurvePlotValue& reliability = part<CurvePlot>("compareRejection").curves();
    QCOMPARE(reliability.curves.size(), 2U);
    QCOMPARE(reliability.summary_name, "ECE");
    QCOMPARE(reliability.curves[0].curve.summary, *session().analyses()[0]->evaluation.ece);
    QCOMPARE(reliability.curves[1].dash, table.value().rows[1].dash);
    QVERIFY(table.value().rows[0].dash != table.value().rows[1].dash);
    QLabel& difference = part<QLabel>("differenceLine");
    Q_EMIT table.rowChosen(1);
    QVERIFY(difference.text().contains("is the run shown"));
    Q_EMIT table.rowChosen(0);
    QTRY_VERIFY(difference.text().contains("paired bootstrap"));
    QVERIFY(difference.text().contains("60 items"));
    // Items for which the predictions of the two differ.
    const Run& shown = *session().analyses()[1]->in().run;
    const Run& other = *session().analyses()[0]->in().run;
    qint64 differ = 0;
    for (std::int64_t i = 0; i < shown.itemCount(); ++i) {
      differ += shown.predictions.data()[i] != other.predictions.data()[i] ? 1 : 0;
    }
    QPushButton& show = part<QPushButton>("showDisagreements");
    QCOMPARE(show.isVisible(), differ > 0);
    if (differ > 0) {
      show.click();
      QCOMPARE(part<QTabBar>("pageTabs").currentIndex(), 1);
      QTRY_COMPARE(part<ImageGallery>("imagesGallery").count(), differ);
      QVERIFY(part<Card>("imagesCard").subtitle().contains("predicted differently by MC dropout"));
      QTest::keyClick(window_.get(), Qt::Key_Escape);
      QTRY_VERIFY(part<ImageGallery>("imagesGallery").count() != differ);
    }
    Q_EMIT table.rowActivated(0);
    QCOMPARE(session().activeAnalysisPosition(), 0);
    QVERIFY(table.value().rows[0].shown);
  }

  void aGuessedPreprocessingIsMarkedWhereRunsAreCompared() {
    const auto guessed = std::make_shared<Analysis>(*sampleAnalysis());
    Run run = *guessed->in().run;
    run.meta.notes.push_back(guessedPreprocessingNote({"value range"}, {}));
    guessed->parts.front().run = std::make_shared<const Run>(run);
    session().addAnalysis(guessed);
    QVERIFY(part<Card>("entropyHistogramCard").subtitle().contains("preprocessing guessed"));
    session().addAnalysis(sampleAnalysisWithoutDraws());
    QVERIFY(!part<Card>("entropyHistogramCard").subtitle().contains("guessed"));
    window_->showPage(PageId::kCompare);
    const CompareTableValue& table = part<CompareTable>("compareTable").value();
    QCOMPARE(table.rows.size(), 2U);
    QVERIFY2(table.rows[0].name.contains("preprocessing guessed"), qPrintable(table.rows[0].name));
    QVERIFY(!table.rows[1].name.contains("guessed"));
  }

  void brushingInTheScatterSelectsOnAllPages() {
    showSample();
    ScatterPlot& plot = part<ScatterPlot>("scatterPlot");
    QTRY_VERIFY(plot.scatter().points != nullptr);
    QCOMPARE(plot.scatter().points->size(), 80);
    // One run alone: two of its measures.
    QCOMPARE(plot.scatter().x_name, "entropy");
    QCOMPARE(plot.scatter().y_name, "mutual information");
    QVERIFY(part<Card>("scatterCard").subtitle().contains("80 items"));
    const AnalysisPtr analysis = session().activeAnalysis();
    const ScatterRectangle area{{0.3, 0.9}, {0.0, 0.1}};
    qint64 expected = 0;
    for (const AnalysisPart& p : analysis->parts) {
      for (std::int64_t row = 0; row < p.run->itemCount(); ++row) {
        const double x = p.values(Measure::kEntropy).data()[row];
        const double y = p.values(Measure::kMutualInformation).data()[row];
        expected += x >= 0.3 && x <= 0.9 && y >= 0.0 && y <= 0.1 ? 1 : 0;
      }
    }
    QVERIFY(expected > 0 && expected < 80);
    plot.setRectangle(area);
    Q_EMIT plot.rectangleSelected(area);
    QTRY_COMPARE(part<ImageGallery>("imagesGallery").count(), expected);
    QVERIFY(part<Card>("imagesCard").subtitle().contains("entropy 0.300"));
    QTRY_VERIFY(plot.selected() && static_cast<qint64>(plot.selected()->size()) == expected);
    QVERIFY(plot.rectangle().has_value());
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    QTRY_COMPARE(part<ImageGallery>("imagesGallery").count(), analysis->overview.misclassified);
    QVERIFY(!plot.rectangle() && !plot.selected());
    // A range of a histogram is marked here, too.
    Q_EMIT part<HistogramPlot>("entropyHistogram").rangeSelected({0.3, 0.9});
    QTRY_VERIFY(plot.selected().has_value());
    QVERIFY(!plot.rectangle());
    for (const std::int32_t point : *plot.selected()) {
      const double x = plot.scatter().points->x.data()[static_cast<std::size_t>(point)];
      QVERIFY(x >= 0.3 && x <= 0.9);
    }
    Q_EMIT plot.pointChosen(79);
    QCOMPARE(session().listing().primary(), (std::optional<ItemRef>({1, 19})));
    QCOMPARE(plot.primary(), std::optional<std::int32_t>(79));
    // With a second run, the same measure of both.
    session().addAnalysis(sampleAnalysisWithoutDraws());
    QTRY_COMPARE(plot.scatter().y_name.section(QString::fromUtf8(" · "), 1), "MC dropout, 8 draws");
    QCOMPARE(part<QComboBox>("scatterY").currentText(), "entropy");
    QVERIFY(plot.scatter().has_diagonal);
    QCOMPARE(plot.scatter().points->size(), 60);
    // What a person chose stays chosen.
    QComboBox& x = part<QComboBox>("scatterX");
    x.setCurrentIndex(x.findText("margin"));
    QTRY_COMPARE(plot.scatter().x_name.section(QString::fromUtf8(" · "), 0, 0), "margin");
    session().setActiveAnalysis(0);
    QTRY_COMPARE(plot.scatter().x_name, QString::fromUtf8("margin · MC dropout, 8 draws"));
    // A row of the table chooses the other run.
    Q_EMIT part<CompareTable>("compareTable").rowChosen(0);
    QTRY_COMPARE(plot.scatter().x_name, "margin");
  }

  void conventionsStandInThePlaceOfTheMetrics() {
    showSample();
    ConventionTable& table = part<ConventionTable>("conventionTable");
    QVERIFY(table.rows().empty());
    QComboBox& choice = *part<Card>("metricTableCard").findChild<QComboBox*>("cardChoices");
    choice.setCurrentIndex(1);
    Q_EMIT choice.activated(1);
    QTRY_VERIFY(table.rows().size() > 15U);
    QCOMPARE(table.rows().front().value, *session().activeAnalysis()->evaluation.ece);
    QVERIFY(part<Card>("metricTableCard").subtitle().contains("other tools"));
    // Another run, other values.
    session().addAnalysis(sampleAnalysisWithoutDraws());
    QTRY_COMPARE(table.rows().size() > 15U ? table.rows().front().value : -1.0,
                 *session().activeAnalysis()->evaluation.ece);
    choice.setCurrentIndex(0);
    Q_EMIT choice.activated(0);
    QVERIFY(part<MetricTable>("metricTable").isVisible());
  }

  void sizeAndDivisionsAreRemembered() {
    window_->resize(1111, 707);
    auto& parts = part<QSplitter>("imagesRows0");
    showSample();
    QTest::keySequence(window_.get(), QKeySequence(Qt::CTRL | Qt::Key_2));
    parts.setSizes({400, 200});
    const QList<int> sizes = parts.sizes();
    // The sample is unsaved.
    window_->workspaceCommands().setNextAnswer(QMessageBox::Discard);
    window_->close();
    MainWindow again(*settings_);
    QCOMPARE(again.size(), QSize(1111, 707));
    again.show();
    again.showPage(PageId::kImages);
    QTRY_COMPARE(again.findChild<QSplitter*>("imagesRows0")->sizes(), sizes);
  }

  void selectionsAreUndoneAndRedoneByKeys() {
    showSample();
    const qint64 before = part<ImageGallery>("imagesGallery").count();
    QVERIFY(!part<QAction>("commandUndo").isEnabled());
    Q_EMIT part<HistogramPlot>("entropyHistogram").rangeSelected({0.0, 10.0});
    QTRY_COMPARE(part<ImageGallery>("imagesGallery").count(), 80);
    QTest::keySequence(window_.get(), QKeySequence::Undo);
    QTRY_COMPARE(part<ImageGallery>("imagesGallery").count(), before);
    QVERIFY(!part<HistogramPlot>("entropyHistogram").selectedRange().has_value());
    QTest::keySequence(window_.get(), QKeySequence::Redo);
    QTRY_COMPARE(part<ImageGallery>("imagesGallery").count(), 80);
    QVERIFY(!part<QAction>("commandRedo").isEnabled());
  }

  void thePaletteFindsAndCarriesOutCommands() {
    showSample();
    QTest::keySequence(window_.get(), QKeySequence(Qt::CTRL | Qt::Key_K));
    CommandPalette& palette = part<CommandPalette>("commandPalette");
    QVERIFY(palette.isVisible());
    const QStringList all = palette.listed();
    QVERIFY(all.contains("Show Images"));
    QVERIFY(all.contains("Export: Metrics as CSV"));
    QVERIFY(all.contains("View: Dark"));
    QVERIFY(all.size() > 15);
    QLineEdit& line = part<QLineEdit>("commandLine");
    QTest::keyClicks(&line, "csv met");
    QCOMPARE(palette.listed().first(), "Export: Metrics as CSV");
    line.clear();
    QTest::keyClicks(&line, "show");
    QCOMPARE(palette.listed().first(), "Show Overview");
    QTest::keyClick(&line, Qt::Key_Down);
    QTest::keyClick(&line, Qt::Key_Return);
    QVERIFY(!palette.isVisible());
    QCOMPARE(part<QTabBar>("pageTabs").currentIndex(), 1);
    // Nothing matches, nothing happens.
    QTest::keySequence(window_.get(), QKeySequence(Qt::CTRL | Qt::Key_K));
    QTest::keyClicks(&line, "no such thing");
    QVERIFY(palette.listed().isEmpty());
    QVERIFY(part<QLabel>("commandNothing").isVisible());
    QVERIFY(!part<QListWidget>("commandList").isVisible());
    QTest::keyClick(&line, Qt::Key_Return);
    QTest::keyClick(&line, Qt::Key_Escape);
    QVERIFY(!palette.isVisible());
  }

  void thePaletteFindsCommandsByOtherWords() {
    showSample();
    QTest::keySequence(window_.get(), QKeySequence(Qt::CTRL | Qt::Key_K));
    const CommandPalette& palette = part<CommandPalette>("commandPalette");
    QLineEdit& line = part<QLineEdit>("commandLine");
    const std::pair<const char*, const char*> wanted[] = {
        {"theme", "View: Dark"},       {"theme", "View: Light"},   {"THEME", "View: System theme"},
        {"context", "Inspect: Scene"}, {"help", "Help: Glossary"}, {"help", "Keyboard shortcuts"}};
    for (const auto& [typed, command] : wanted) {
      line.setText(typed);
      QVERIFY2(palette.listed().contains(command), qPrintable(palette.listed().join(u'\n')));
      QVERIFY(!part<QLabel>("commandNothing").isVisible());
    }
    line.setText("context");
    QTest::keyClick(&line, Qt::Key_Return);
    QCOMPARE(part<QComboBox>("itemView").currentText(), QString("Scene"));
  }

  void allTabsAreVisibleInANarrowWindow() {
    for (const int width : {1280, 1000, 940}) {
      window_->resize(width, 600);
      QTRY_COMPARE(window_->width(), width);
      const QTabBar& tabs = part<QTabBar>("pageTabs");
      QTRY_VERIFY(tabs.tabRect(tabs.count() - 1).right() < tabs.width());
      for (const QToolButton* const arrow : tabs.findChildren<QToolButton*>()) {
        QVERIFY(!arrow->isVisible());
      }
      // The buttons to the right of the tabs stay in the window.
      const auto& help = part<QPushButton>("helpButton");
      QVERIFY(help.geometry().right() < part<QWidget>("headerBar").width());
    }
  }

  void aNarrowWindowFoldsTheInspectorAndStacksCards() {
    showSample();
    auto& side = part<QWidget>("side");
    auto& tab = part<QAbstractButton>("sideTab");
    window_->resize(1280, 800);
    QTRY_COMPARE(window_->width(), 1280);
    QVERIFY(side.isVisible() && !tab.isVisible());
    // A screen of 1920 x 1080 at twice the scale.
    window_->resize(960, 540);
    QTRY_VERIFY(!side.isVisible() && tab.isVisible());
    for (const char* const name :
         {"entropyHistogram", "reliabilityPlot", "rocPlot", "precisionRecallPlot"}) {
      const auto& plot = part<PlotBase>(name);
      QTRY_VERIFY2(plot.width() >= 200 && plot.height() >= 180, name);
    }
    tab.click();
    QTRY_VERIFY(side.isVisible());
    QTRY_VERIFY(part<PlotBase>("rocPlot").width() >= 260);  // one column
    tab.click();
    QTRY_VERIFY(!side.isVisible());
    // A key that shows something there opens it.
    part<QAction>("commandWhy").trigger();
    QTRY_VERIFY(side.isVisible());
    window_->resize(1280, 800);
    QTRY_VERIFY(side.isVisible() && !tab.isVisible());
  }

  void thePaletteHoldsWhatMenusRowsAndPanelsOffer() {
    RecentFiles(*settings_).add("/somewhere/else.pt");
    RunContext context;
    session().addDataset("blobs", openDataset("synthetic:blobs?n=20&seed=1", context).value(),
                         false);
    showSample();
    const auto listed = [this] {
      QStringList texts;
      for (const Command& command : commandsOf(*window_)) {
        texts << command.text;
      }
      return texts;
    };
    const QStringList texts = listed();
    for (const char* const wanted :
         {"Undo selection, filter or decision", "Cancel computation", "Compute with MC dropout",
          "Open: Recent: /somewhere/else.pt"}) {
      QVERIFY2(texts.contains(wanted), wanted);
    }
    const auto anyEndsWith = [&texts](const QString& end) {
      return std::ranges::any_of(texts, [&](const QString& text) { return text.endsWith(end); });
    };
    QVERIFY(anyEndsWith(": Close run"));
    QVERIFY(anyEndsWith(": Close dataset"));
    QVERIFY(anyEndsWith(": Use as out-of-distribution"));
    // What cannot be done now comes last, and is not carried out.
    const auto position = [&listed](const char* text) { return listed().indexOf(text); };
    QVERIFY(position("Undo selection, filter or decision") > position("Show Images"));
    session().listing().selectRange(Measure::kEntropy, {0.0, 0.5});
    QVERIFY(position("Undo selection, filter or decision") < position("Show Images") + 10);
    // A method is chosen in the panel, which opens.
    const QList<Command> commands = commandsOf(*window_);
    const auto laplace = std::ranges::find_if(
        commands, [](const Command& c) { return c.text.startsWith("Compute with Laplace"); });
    QVERIFY(laplace != commands.end());
    laplace->action->trigger();
    QVERIFY(part<QWidget>("computePanel").isVisible());
    QVERIFY(part<QComboBox>("methodChooser").currentText().startsWith("Laplace"));
  }

  void keysWalkThroughTheImagesAndTheInspectorFollows() {
    showSample();
    QCOMPARE(session().listing().primaryPosition(), 0);
    QTest::keyClick(window_.get(), Qt::Key_D);
    QTest::keyClick(window_.get(), Qt::Key_Right);
    QCOMPARE(session().listing().primaryPosition(), 2);
    QCOMPARE(part<ImageGallery>("overviewGallery").primary(), 2);
    QTest::keyClick(window_.get(), Qt::Key_A);
    QCOMPARE(session().listing().primaryPosition(), 1);
    const ItemRef item = *session().listing().primary();
    QVERIFY(part<QLabel>("itemTitle").text().endsWith(QString("#%1").arg(item.row)));
    const ItemProbabilities& shown =
        part<ClassProbabilityPlot>("classProbabilityPlot").probabilities();
    const Run& run = *session().activeAnalysis()->in().run;
    QCOMPARE(shown.label_true, run.labels.data()[item.row]);
    QCOMPARE(shown.samples.extent(0), 8);
    QCOMPARE(shown.samples.row(5)[2],
             run.samples->row(5)[static_cast<std::size_t>(item.row * 3 + 2)]);
    const AnalysisPart& in = session().activeAnalysis()->in();
    const auto known =
        std::ranges::count_if(allMeasures(), [&in](Measure measure) { return in.has(measure); });
    QCOMPARE(part<KeyValueList>("itemMeasures").values().size(), known);
    QVERIFY(!in.has(Measure::kBridgeGauge));
    QTRY_VERIFY(!part<ImageView>("itemImage").image().isNull());
  }

  void theInspectorShowsBetaMarginalsOfTheDirichlet() {
    showSample();
    QComboBox& view = part<QComboBox>("itemView");
    RidgePlot& marginals = part<RidgePlot>("marginalsPlot");
    QVERIFY(marginals.ridges().empty());
    view.setCurrentIndex(1);
    QVERIFY(marginals.isVisible());
    QCOMPARE(marginals.ridges().size(), std::size_t{3});
    QVERIFY(marginals.ridges()[0].filled);
    QVERIFY(marginals.ridges()[0].mean >= marginals.ridges()[1].mean);
    double sum = 0.0;
    for (const Ridge& ridge : marginals.ridges()) {
      sum += ridge.mean;
    }
    QVERIFY(std::abs(sum - 1.0) < 1e-6);
    QVERIFY(part<QLabel>("probabilitiesNote").text().contains("moments of 8 draws"));
    // It follows the primary item, and says where there is nothing to show.
    const double before = marginals.ridges()[0].mean;
    QTest::keyClick(window_.get(), Qt::Key_D);
    QVERIFY(marginals.ridges()[0].mean != before);
    session().addAnalysis(sampleAnalysisWithoutDraws());
    QTRY_VERIFY(part<QLabel>("probabilitiesNote").text().contains("no Dirichlet"));
    view.setCurrentIndex(0);
    QVERIFY(part<QLabel>("probabilitiesNote").text().contains("no draws"));
  }

  void groupsCanBeHiddenInTheHistograms() {
    showSample();
    part<WorkspaceRow>("groupOod").click();
    QCOMPARE(part<HistogramPlot>("entropyHistogram").histograms().groups.size(), 2U);
    part<WorkspaceRow>("groupOod").click();
    QCOMPARE(part<HistogramPlot>("entropyHistogram").histograms().groups.size(), 3U);
  }

  void tabsAndShortcutsSwitchThePages() {
    QTabBar& tabs = part<QTabBar>("pageTabs");
    tabs.setCurrentIndex(1);
    QVERIFY(part<QWidget>("imagesPage").isVisible());
    window_->showPage(PageId::kOverview);
    QCOMPARE(tabs.currentIndex(), 0);
    QVERIFY(part<QWidget>("overviewPage").isVisible());
  }

  void everyPageLeadsToPicturesOfItsOwn() {
    showSample();
    QStringList names;
    for (Page* const page : window_->pages().all()) {
      const QStringList before = names;
      for (const ScreenshotStep& step : page->screenshots()) {
        if (!step.name.isEmpty()) {
          names << step.name;
        }
      }
      // No study is open.
      QCOMPARE(names == before, page->id() == PageId::kStudy);
    }
    for (const char* const name : {"overview", "images", "compare", "tune", "shift", "review",
                                   "review-many", "review-results", "train", "lab-regression"}) {
      QVERIFY2(names.removeOne(QLatin1String(name)), name);
      QVERIFY2(!names.contains(QLatin1String(name)), name);
    }
  }

  void theThemeSwitchesAndIsRemembered() {
    part<QAction>("theme-dark").trigger();
    QVERIFY(currentTheme().dark);
    QVERIFY(savedThemeChoice(*settings_) == ThemeChoice::kDark);
    part<QAction>("theme-light").trigger();
    QVERIFY(!currentTheme().dark);
  }

  void notesAreBlueAndErrorsOrange() {
    ErrorBanner& banner = part<ErrorBanner>("errorBanner");
    banner.show("digits: 3 items skipped", false);
    QCOMPARE(banner.edgeColor(), currentTheme().accent);
    QVERIFY(banner.styleSheet().contains(currentTheme().accent.name()));
    QCOMPARE(banner.accessibleName(), QString("Note"));
    banner.show("net.pt: cannot be read", true);
    QCOMPARE(banner.edgeColor(), currentTheme().misclassified);
    QVERIFY(banner.styleSheet().contains(currentTheme().misclassified.name()));
    QCOMPARE(banner.accessibleName(), QString("Error"));
    // What remains decides.
    banner.withdraw("net.pt: cannot be read");
    QCOMPARE(banner.edgeColor(), currentTheme().accent);
    QVERIFY(banner.styleSheet().contains(currentTheme().accent.name()));
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
    window_->fileDrop().drop({"synthetic:moons?n=10"}, false, QPoint(10, 10));
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
