// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/inspector/item_inspector.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "app/explore/inspector/item_dirichlet.h"
#include "app/explore/inspector/item_simplex.h"
#include "app/explore/inspector/why_panel.h"
#include "app/jobs/worker_thread.h"
#include "app/pictures/large_image.h"
#include "core/context/context_run.h"
#include "core/context/scene_record.h"
#include "core/decisions/run_dirichlets.h"
#include "core/network/neighbours/feature_index.h"
#include "tests/app/support/workspace_files.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/gui_test.h"
#include "widgets/class_probability_plot.h"
#include "widgets/image_gallery.h"
#include "widgets/image_view.h"
#include "widgets/item_runs_table.h"
#include "widgets/key_value_list.h"
#include "widgets/signed_map.h"
#include "widgets/simplex_plot.h"
#include "widgets/theme.h"

namespace dubito::test {
namespace {

/// The sample under a network that takes 4 x 4 pixels.
AnalysisPtr sampleWithNetwork() {
  ModelMetadata metadata;
  metadata.preprocessing.height = 4;
  metadata.preprocessing.width = 4;
  metadata.preprocessing.mean = {0.5};
  Analysis analysis = *sampleAnalysis();
  analysis.model = std::make_shared<const Model>(metadata, ModelAudit{}, "", nullptr);
  return std::make_shared<const Analysis>(std::move(analysis));
}

/// Whether two maps of one size differ by rounding alone: passes of other numbers of rows and
/// threads sum in another order.
bool looksLike(const QImage& a, const QImage& b) {
  constexpr int kRounding = 3;
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) {
      const QColor first = a.pixelColor(x, y);
      const QColor second = b.pixelColor(x, y);
      const bool is_seen = first.alpha() > kRounding;
      if (std::abs(first.alpha() - second.alpha()) > kRounding ||
          (is_seen && first.rgb() != second.rgb())) {
        return false;
      }
    }
  }
  return a.size() == b.size();
}

}  // namespace

class ItemInspectorTest : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<TempDir> dir_;
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<WorkerThread> thread_;
  std::unique_ptr<ItemInspector> inspector_;

  template <class T>
  T& part(const char* name) {
    return partOf<T>(*inspector_, name);
  }
  void open() {
    inspector_ = std::make_unique<ItemInspector>(*session_, *thread_, *settings_);
    inspector_->resize(296, 700);
    inspector_->show();
  }
  QString note() { return part<QLabel>("probabilitiesNote").text(); }

 private Q_SLOTS:
  void aMarginalWithAPoleIsDrawnUpToFourTimesItsMeanDensity() {
    Analysis analysis = *sampleAnalysis();
    Run run = *analysis.in().run;
    run.alpha = Array<double>::zeros({run.itemCount(), 3});
    for (std::int64_t i = 0; i < run.itemCount(); ++i) {
      const std::array<double, 3> alpha = {0.5, 2.0, 3.0};
      std::ranges::copy(alpha, run.alpha->mutableRow(i).begin());
    }
    analysis.parts.front().run = std::make_shared<const Run>(std::move(run));
    const std::vector<Ridge> ridges = itemDirichlet(analysis, {0, 0}, 3).ridges;
    QCOMPARE(ridges.size(), std::size_t{3});
    for (const Ridge& ridge : ridges) {
      // Beta(0.5, 5) of the first class has a pole at 0, the others have none.
      const double mean_density = 1.0 / (ridge.x.back() - ridge.x.front());
      QCOMPARE(ridge.top, ridge.name == "ant" ? 4.0 * mean_density : 0.0);
    }
  }

  void init() {
    dir_ = std::make_unique<TempDir>();
    settings_ = std::make_unique<QSettings>(QString::fromStdString(dir_->file("settings.ini")),
                                            QSettings::IniFormat);
    session_ = std::make_unique<Session>();
    thread_ = std::make_unique<WorkerThread>();
    open();
  }
  void cleanup() {
    inspector_.reset();
    thread_.reset();
    session_.reset();
    settings_.reset();
    dir_.reset();
  }

  void theOthersOfASceneSayWhyALabelChanged() {
    constexpr int kScene = 5;
    part<QComboBox>("itemView").setCurrentIndex(kScene);
    const auto message = [this] { return part<QLabel>("sceneMessage").text(); };
    session_->addAnalysis(sampleAnalysis());
    session_->listing().setPrimary(ItemRef{0, 7});
    QVERIFY2(message().contains("predicted one by one"), qPrintable(message()));

    // Scenes of four; the last four items are without one.
    Analysis analysis = *sampleAnalysis();
    const std::shared_ptr<const Run> alone = analysis.in().run;
    const Run& before = *alone;
    std::vector<std::string> names;
    for (std::int64_t row = 0; row < before.itemCount(); ++row) {
      names.push_back(row >= before.itemCount() - 4 ? "" : std::to_string(row / 4));
    }
    const Scenes scenes = scenesByName(names, "scenes.csv");
    const PairScores scores{.scores = Array<double>::fromVector(
                                {3, 3}, {2.0, -2.0, -1.0, -2.0, 1.0, -1.0, -1.0, -1.0, 2.0})};
    ContextOptions options;
    options.weight = 0.8;
    RunContext context;
    const auto with = withContext(before, scenes, scores, options, {}, context);
    QVERIFY2(with.has_value(), with ? "" : with.error().message.c_str());
    QVERIFY(with->report.changed_labels > 0);
    const std::string file = dir_->file("context.npz");
    const SceneRecord record = sceneRecord(before, scenes, scores, options.weight);
    QVERIFY(writeContextRun(with->run, record, file, context).has_value());
    const auto run = std::make_shared<const Run>(with->run);
    analysis.parts.front().run = run;
    session_->addAnalysis(std::make_shared<const Analysis>(analysis));
    session_->setActiveAnalysis(1);
    std::int64_t changed = 0;
    while (run->predictions.data()[changed] == before.predictions.data()[changed]) {
      ++changed;
    }
    session_->listing().setPrimary(ItemRef{0, changed});
    QVERIFY2(message().contains("not from a file"), qPrintable(message()));

    session_->runFiles().setFile(run, file);
    ImageGallery& gallery = part<ImageGallery>("sceneGallery");
    const auto show = [&](std::int64_t row) { session_->listing().setPrimary(ItemRef{0, row}); };
    show(run->itemCount() - 1);
    QTRY_VERIFY2(message().contains("alone in its scene"), qPrintable(message()));
    show(changed);
    QTRY_VERIFY(gallery.isVisible());
    QTRY_COMPARE(gallery.count(), 3);
    const auto explained = explainItem(*run, record, changed);
    QVERIFY(explained && *explained);
    const ExplainedItem& item = **explained;
    QVERIFY(item.changed);
    const auto nameOf = [&](std::int64_t k) { return QString::fromStdString(run->className(k)); };
    QVERIFY2(note().startsWith(nameOf(item.from) + QStringLiteral(" → ") + nameOf(item.to) +
                               QStringLiteral(" among 3 other items")),
             qPrintable(note()));
    QVERIFY2(note().contains("nats for " + nameOf(item.to) + " against " + nameOf(item.from)),
             qPrintable(note()));
    for (qint64 i = 0; i < 3; ++i) {
      const SceneNeighbour& other = item.others[static_cast<std::size_t>(i)];
      const GalleryItem shown = gallery.item(i);
      QCOMPARE(shown.measure.right(4), QString::number(std::abs(other.message), 'f', 2));
      QCOMPARE(shown.measure.startsWith(u'+'), other.message >= 0.0);
      QVERIFY(shown.label_predicted.endsWith(nameOf(other.after)));
      QCOMPARE(shown.label_predicted.contains(QStringLiteral(" → ")), other.before != other.after);
    }
    QTRY_VERIFY(gallery.hasThumbnail(gallery.item(0).key));

    // A double click walks through the scene.
    QTest::mouseClick(gallery.viewport(), Qt::LeftButton, {}, gallery.itemRect(1).center());
    QVERIFY(part<QLabel>("sceneCaption").text().contains("nats for"));
    QTest::mouseDClick(gallery.viewport(), Qt::LeftButton, {}, gallery.itemRect(1).center());
    QCOMPARE(session_->listing().primary(), (ItemRef{0, item.others[1].row}));
  }

  void thePixelsThatMatterAreDrawnOverTheImage() {
    constexpr int kPatience = 60000;
    WhyPanel& panel = part<WhyPanel>("whyPanel");
    QPushButton& toggle = part<QPushButton>("whyToggle");
    const QLabel& note = part<QLabel>("whyNote");
    QSignalSpy overlays(&panel, &WhyPanel::overlayChanged);
    const auto overlay = [&overlays] { return overlays.last().at(1).value<QImage>(); };
    session_->addAnalysis(sampleAnalysis());
    session_->listing().setPrimary(ItemRef{0, 7});
    QVERIFY2(note.text().contains("Open the model of this run"), qPrintable(note.text()));
    inspector_->toggleWhy();
    QVERIFY(!toggle.isVisible() && !panel.isOn());

    const WorkspaceFiles files(dir_->file("tree"));
    files.fill(*session_);
    session_->listing().setPrimary(ItemRef{0, 3});
    QVERIFY(toggle.isVisible());
    QVERIFY(!note.isVisible() && !part<QComboBox>("whyMethod").isVisible());
    QVERIFY(!overlays.last().at(0).toBool());

    inspector_->toggleWhy();
    QVERIFY(panel.isOn() && part<QComboBox>("whyClass").isVisible());
    QVERIFY(!part<QComboBox>("itemPictureChooser").isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(note.text().contains("sums to"), kPatience);
    QVERIFY(overlays.last().at(0).toBool());
    QCOMPARE(overlay().size(), QSize(28, 28));
    const AnalysisPtr analysis = session_->activeAnalysis();
    WhyQuestion question{analysis, {0, 3}, {}, {}};
    question.target.class_number = analysis->in().run->predictions.data()[3];
    RunContext context;
    const auto expected = explainPixels(question, context);
    QVERIFY(expected.has_value());
    const auto drawn = [](const Attribution& attribution) {
      return signedMapImage(attribution.map, currentTheme(), 0.8);
    };
    QVERIFY(looksLike(overlay(), drawn(*expected)));
    const QImage first = overlay();
    QVERIFY(part<QLabel>("whyFor").text().startsWith("speaks for "));

    // Another class has another map; what has been computed is there at once.
    const std::int64_t other = question.target.class_number == 0 ? 1 : 0;
    QComboBox& classes = part<QComboBox>("whyClass");
    classes.setCurrentIndex(classes.findData(static_cast<qint64>(other)));
    QVERIFY(overlay().isNull());
    QTRY_VERIFY_WITH_TIMEOUT(!overlay().isNull(), kPatience);
    QVERIFY(!looksLike(overlay(), first));
    classes.setCurrentIndex(0);
    QCOMPARE(overlay(), first);
    part<QComboBox>("whyMethod").setCurrentIndex(2);
    QTRY_VERIFY_WITH_TIMEOUT(!overlay().isNull(), kPatience);
    QVERIFY(!note.text().contains("sums to"));

    // The run has no draws.
    QVERIFY(!part<QComboBox>("whyOf").isVisible());
    session_->listing().setPrimary(ItemRef{1, 2});
    QTRY_VERIFY_WITH_TIMEOUT(!overlay().isNull() && inspector_->imageSettled(), kPatience);
    inspector_->toggleWhy();
    QVERIFY(!overlays.last().at(0).toBool() && overlay().isNull());
    QVERIFY(part<QComboBox>("itemPictureChooser").isEnabled());
  }

  void thePixelsThatMatterAreDrawnOverTheLargeImage() {
    constexpr int kPatience = 60000;
    const WorkspaceFiles files(dir_->file("tree"));
    files.fill(*session_);
    session_->listing().setPrimary(ItemRef{0, 3});
    inspector_->showLargeImage();
    LargeImage& large = part<LargeImage>("largeImage");
    const auto isColoured = [&large] {
      const QImage image = large.shownImage();
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
          if (const QColor pixel = image.pixelColor(x, y); pixel.red() != pixel.blue()) {
            return true;
          }
        }
      }
      return false;
    };
    const QLabel& caption = partOf<QLabel>(large, "largeImageCaption");
    QTRY_VERIFY(!large.shownImage().isNull());
    QVERIFY(!isColoured());
    QTest::keyClick(&large, Qt::Key_W);
    QVERIFY(part<WhyPanel>("whyPanel").isOn());
    QVERIFY2(caption.text().endsWith("pixels that matter in colour"), qPrintable(caption.text()));
    QTRY_VERIFY_WITH_TIMEOUT(isColoured(), kPatience);
    // Another item has its own map.
    const QImage before = large.shownImage();
    session_->listing().setPrimary(ItemRef{0, 4});
    QTRY_VERIFY_WITH_TIMEOUT(isColoured() && large.settled(), kPatience);
    QVERIFY(large.shownImage() != before);
    QTest::keyClick(&large, Qt::Key_W);
    QTRY_VERIFY(!large.shownImage().isNull() && !isColoured());
    QVERIFY(!caption.text().contains("colour"));
    // It is opened with what is on.
    large.close();
    inspector_->toggleWhy();
    inspector_->showLargeImage();
    QTRY_VERIFY_WITH_TIMEOUT(isColoured(), kPatience);
  }

  void theDisagreementOfAllClassesIsExplained() {
    constexpr int kPatience = 60000;
    const WorkspaceFiles files(dir_->file("tree"));
    files.fill(*session_);
    Analysis with_draws = *session_->activeAnalysis();
    McDropoutOptions dropout;
    dropout.draws = 3;
    with_draws.method = dropout;
    const auto analysis = std::make_shared<const Analysis>(std::move(with_draws));
    session_->addAnalysis(analysis);
    session_->setActiveAnalysis(static_cast<int>(session_->analyses().size()) - 1);
    session_->listing().setPrimary(ItemRef{0, 3});
    inspector_->toggleWhy();
    QComboBox& of = part<QComboBox>("whyOf");
    of.setCurrentIndex(of.findText("mutual information"));
    QVERIFY(of.currentIndex() > 0);
    QVERIFY(!part<QComboBox>("whyClass").isEnabled());
    QVERIFY(part<QLabel>("whyFor").text().contains("mutual information"));
    const QLabel& note = part<QLabel>("whyNote");
    QTRY_VERIFY2_WITH_TIMEOUT(note.text().startsWith("mutual information of the draws"),
                              qPrintable(note.text()), kPatience);
    WhyQuestion question{analysis, {0, 3}, {}, {}};
    question.target.mutual_information = true;
    RunContext context;
    const auto expected = explainPixels(question, context);
    QVERIFY(expected.has_value());
    QVERIFY(note.text().startsWith(whyDetails(question, *expected).left(40)));
    of.setCurrentIndex(0);
    QVERIFY(part<QComboBox>("whyClass").isEnabled());
  }

  void theAnswersGivenLastAreKept() {
    const AnalysisPtr analysis = sampleAnalysis();
    const auto asked = [&analysis](std::int64_t row) {
      return WhyQuestion{analysis, {0, row}, {}, {}};
    };
    WhyCache cache;
    for (std::int64_t row = 0; row < static_cast<std::int64_t>(WhyCache::kCapacity); ++row) {
      Attribution answer;
      answer.value = static_cast<double>(row);
      cache.put(asked(row), answer);
    }
    QVERIFY(cache.find(asked(0)) != nullptr);
    cache.put(asked(99), {});
    QCOMPARE(cache.find(asked(0))->value, 0.0);
    QVERIFY(cache.find(asked(1)) == nullptr);
    QCOMPARE(cache.find(asked(2))->value, 2.0);
    WhyQuestion of_draw = asked(2);
    of_draw.target.draw = 0;
    QVERIFY(cache.find(of_draw) == nullptr);
    cache.keepOnly(sampleAnalysis());
    QVERIFY(cache.find(asked(2)) == nullptr);
  }

  void theTrainingImagesThatResembleTheItemAreShown() {
    constexpr int kPatience = 60000;
    const WorkspaceFiles files(dir_->file("tree"));
    const auto message = [this] { return part<QLabel>("similarMessage").text(); };
    part<QComboBox>("itemView").setCurrentIndex(4);
    QPushButton& start = part<QPushButton>("indexTrainingImages");
    session_->addAnalysis(sampleAnalysis());
    session_->listing().setPrimary(ItemRef{0, 7});
    QVERIFY2(message().contains("Open the model of this run"), qPrintable(message()));
    QVERIFY(!start.isVisible());
    files.fill(*session_);
    session_->listing().setPrimary(ItemRef{0, 3});
    QVERIFY2(message().contains("open the training set"), qPrintable(message()));
    QVERIFY(!start.isVisible());

    RunContext context;
    const DatasetPtr train =
        openDataset(files.digits.substr(0, files.digits.find('?')) + "?items=100:400&role=train",
                    context)
            .value();
    session_->addDataset("more digits", train, false);
    QVERIFY(start.isVisible());
    QVERIFY2(start.text().contains("300"), qPrintable(start.text()));
    ImageGallery& gallery = part<ImageGallery>("similarGallery");
    start.click();
    QVERIFY(part<QPushButton>("cancelIndexing").isVisible());
    part<QPushButton>("cancelIndexing").click();
    QTRY_VERIFY_WITH_TIMEOUT(start.isVisible(), kPatience);
    QVERIFY(!gallery.isVisible());
    start.click();
    QTRY_VERIFY_WITH_TIMEOUT(gallery.isVisible(), kPatience);
    QVERIFY2(note().contains("300 images"), qPrintable(note()));

    const AnalysisPtr analysis = session_->activeAnalysis();
    const auto index = FeatureIndex::of(analysis->model, train, {}, context).value();
    const auto expected = [&](std::int64_t row) {
      return index->nearest(*analysis->in().dataset, row, 8, context).value();
    };
    const auto shows = [&gallery](const std::vector<Neighbour>& neighbours) {
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        if (gallery.item(static_cast<qint64>(i)).key != neighbours[i].index) {
          return false;
        }
      }
      return gallery.count() == static_cast<qint64>(neighbours.size());
    };
    const std::vector<Neighbour> of_third = expected(3);
    QCOMPARE(of_third.size(), 8U);
    QVERIFY(shows(of_third));
    const GalleryItem second = gallery.item(1);
    const auto position = static_cast<std::size_t>(of_third[1].index);
    QCOMPARE(second.measure, QString::number(of_third[1].similarity, 'f', 3));
    QCOMPARE(second.label_true, QString::number(train->labels()[position]));
    QTRY_VERIFY_WITH_TIMEOUT(gallery.hasThumbnail(second.key), kPatience);
    QTest::mouseClick(gallery.viewport(), Qt::LeftButton, {}, gallery.itemRect(1).center());
    QVERIFY(part<QLabel>("similarCaption")
                .text()
                .contains(QString::fromStdString(train->itemName(of_third[1].index))));

    session_->listing().setPrimary(ItemRef{0, 20});
    QTRY_VERIFY_WITH_TIMEOUT(shows(expected(20)), kPatience);
    QVERIFY(part<QLabel>("similarCaption").text().isEmpty());
    session_->removeDataset(2);
    QVERIFY2(message().contains("open the training set"), qPrintable(message()));
    QVERIFY(!gallery.isVisible());
  }

  void theTriangleShowsTheDirichletAndTheDrawsOfTheItem() {
    session_->addAnalysis(sampleAnalysis());
    session_->listing().setPrimary(ItemRef{0, 7});
    part<QComboBox>("itemView").setCurrentIndex(2);
    const SimplexPlot& plot = part<SimplexPlot>("simplexPlot");
    QVERIFY(plot.isVisible());
    const AnalysisPart& in = session_->activeAnalysis()->in();
    const CornerClasses classes = *cornerClasses(*session_->activeAnalysis(), {0, 7}, {});
    const auto dirichlets = RunDirichlets::of(*in.run, in.name, "auto");
    const std::vector<double> alpha = dirichlets->alpha(7);
    QVERIFY(plot.value().density.has_value());
    for (std::size_t k = 0; k < 3; ++k) {
      const auto c = static_cast<std::size_t>(classes[k]);
      const double mean = alpha[c] / (alpha[0] + alpha[1] + alpha[2]);
      QVERIFY(std::abs((*plot.value().mean)[k] - mean) < 1e-12);
    }
    QCOMPARE(plot.value().draws.size(), std::size_t{8});
    QVERIFY2(note().contains("moments of 8 draws") && note().contains("total 100.0 %"),
             qPrintable(note()));

    // Another item, another density; the histogram holds all draws.
    const Array<double> before = plot.value().density->log_density;
    session_->listing().setPrimary(ItemRef{0, 8});
    QVERIFY(plot.value().density->log_density.data()[80] != before.data()[80]);
    part<QComboBox>("itemSimplexView").setCurrentIndex(1);
    QCOMPARE(plot.view(), SimplexPlot::View::kHistogram);
    std::int64_t sum = 0;
    for (const std::int64_t count : plot.value().counts.values()) {
      sum += count;
    }
    QCOMPARE(sum, 8);

    // Without draws there is neither Dirichlet nor histogram, but a mean.
    session_->addAnalysis(sampleAnalysisWithoutDraws());
    session_->listing().setPrimary(ItemRef{0, 8});
    QVERIFY(!plot.value().density && plot.value().mean && plot.value().draws.empty());
    QVERIFY(!part<QComboBox>("itemSimplexView").isEnabled());
    QVERIFY(note().startsWith("no Dirichlet"));
  }

  void chosenCornersStayFromItemToItem() {
    session_->addAnalysis(sampleAnalysis());
    session_->listing().setPrimary(ItemRef{0, 0});
    part<QComboBox>("itemView").setCurrentIndex(2);
    const SimplexPlot& plot = part<SimplexPlot>("simplexPlot");
    QComboBox& left = part<QComboBox>("simplexLeft");
    QComboBox& top = part<QComboBox>("simplexTop");
    QCOMPARE(left.count(), 4);
    left.setCurrentIndex(3);
    Q_EMIT left.activated(3);
    QCOMPARE(plot.value().corners[0], "cat");
    QVERIFY(plot.value().corners[1] != "cat" && plot.value().corners[2] != "cat");
    session_->listing().setPrimary(ItemRef{0, 1});
    QCOMPARE(plot.value().corners[0], "cat");
    // The same class at the top leaves the left one to the likeliest of the others.
    top.setCurrentIndex(3);
    Q_EMIT top.activated(3);
    QCOMPARE(plot.value().corners[2], "cat");
    QCOMPARE(left.currentIndex(), 0);
  }

  void otherRunsTellWhatTheySayOfTheSameItem() {
    session_->addAnalysis(sampleAnalysisWithoutDraws());
    session_->addAnalysis(sampleAnalysis());
    session_->listing().setPrimary(ItemRef{0, 11});
    part<QComboBox>("itemView").setCurrentIndex(3);
    ItemRunsTable& table = part<ItemRunsTable>("itemRunsTable");
    QVERIFY(table.isVisible());
    QCOMPARE(table.runs().size(), std::size_t{2});
    QVERIFY(table.runs()[0].shown && !table.runs()[1].shown);
    const AnalysisPart& in = session_->activeAnalysis()->in();
    QCOMPARE(table.runs()[0].confidence, in.values(Measure::kConfidence).data()[11]);
    QCOMPARE(table.runs()[0].mutual_information, in.values(Measure::kMutualInformation).data()[11]);
    QVERIFY(std::isnan(table.runs()[1].mutual_information));
    const AnalysisPart& other = session_->analyses()[0]->in();
    QCOMPARE(*table.runs()[1].correct,
             other.run->predictions.data()[11] == other.run->labels.data()[11]);

    // A click makes that run the active one; the item stays.
    Q_EMIT table.runChosen(1);
    QCOMPARE(session_->activeAnalysisPosition(), 0);
    QCOMPARE(session_->listing().primary(), std::optional(ItemRef{0, 11}));
    QVERIFY(table.runs()[0].shown);
    QCOMPARE(table.runs()[0].confidence, other.values(Measure::kConfidence).data()[11]);

    // OOD items are known to the run that has the part, and have no true class.
    session_->setActiveAnalysis(1);
    session_->listing().setPrimary(ItemRef{1, 4});
    QCOMPARE(table.runs().size(), std::size_t{1});
    QVERIFY(!table.runs()[0].correct);
    QVERIFY(note().startsWith("no other run"));
    // A closed run leaves the table.
    session_->listing().setPrimary(ItemRef{0, 11});
    QCOMPARE(table.runs().size(), std::size_t{2});
    session_->removeAnalysis(0);
    QCOMPARE(table.runs().size(), std::size_t{1});
  }

  void probabilitiesCanBeShownAsLogits() {
    session_->addAnalysis(sampleAnalysis());
    session_->listing().setPrimary(ItemRef{0, 3});
    const ClassProbabilityPlot& plot = part<ClassProbabilityPlot>("classProbabilityPlot");
    QVERIFY(part<QComboBox>("itemScale").isVisible());
    part<QComboBox>("itemScale").setCurrentIndex(1);
    QCOMPARE(plot.scale(), ClassProbabilityPlot::Scale::kLogit);
    const ItemProbabilities& value = plot.probabilities();
    QCOMPARE(value.logits.extent(0), 8);
    const float difference = value.logits.row(2)[0] - value.logits.row(2)[1];
    const float of_probs = std::log(value.samples.row(2)[0] / value.samples.row(2)[1]);
    QVERIFY(std::abs(difference - of_probs) < 1e-4F);
    part<QComboBox>("itemView").setCurrentIndex(1);
    QVERIFY(!part<QComboBox>("itemScale").isVisible());
    // A run without draws has the logits of its mean.
    session_->addAnalysis(sampleAnalysisWithoutDraws());
    session_->listing().setPrimary(ItemRef{0, 3});
    QCOMPARE(plot.probabilities().logits.extent(0), 1);
    // One that stores its logits has those.
    Analysis stored = *sampleAnalysisWithoutDraws();
    Run run = *stored.parts[0].run;
    auto logits = Array<float>::fromVector({60, 3}, std::vector<float>(180, 1.0F));
    logits.mutableRow(3)[1] = 4.0F;
    run.logits = logits;
    stored.parts[0].run = std::make_shared<const Run>(std::move(run));
    session_->addAnalysis(std::make_shared<const Analysis>(std::move(stored)));
    session_->listing().setPrimary(ItemRef{0, 3});
    QCOMPARE(plot.probabilities().logits.row(0)[1], 2.0F);
    QCOMPARE(plot.probabilities().logits.row(0)[0], -1.0F);
  }

  void thePictureIsShownAsStoredOrAsTheNetworkSeesIt() {
    session_->addAnalysis(sampleWithNetwork());
    session_->listing().setPrimary(ItemRef{0, 5});
    const ImageView& image = part<ImageView>("itemImage");
    QComboBox& chooser = part<QComboBox>("itemPictureChooser");
    QTRY_COMPARE(image.image().size(), QSize(8, 8));
    QVERIFY(chooser.isEnabled());
    chooser.setCurrentIndex(1);
    Q_EMIT chooser.activated(1);
    QTRY_COMPARE(image.image().size(), QSize(4, 4));
    QVERIFY(chooser.toolTip().contains("4 x 4"));
    // One bright pixel of 8 x 8, spread: normalisation is undone, so the rest is black again.
    QCOMPARE(image.image().pixelColor(3, 3), QColor(Qt::black));
    QVERIFY(image.image().pixelColor(2, 0).lightness() > 30);
    // Without a network there is only what is stored.
    session_->addAnalysis(sampleAnalysis());
    session_->listing().setPrimary(ItemRef{0, 5});
    QTRY_COMPARE(image.image().size(), QSize(8, 8));
    QVERIFY(!chooser.isEnabled());
    QTRY_VERIFY(inspector_->imageSettled());
  }

  void theHonestyGaugeExplainsItself() {
    Analysis analysis = *sampleAnalysis();
    analysis.parts[0].measures[static_cast<std::size_t>(Measure::kBridgeGauge)] =
        Array<double>::fromVector(std::vector<double>(60, 0.0125));
    session_->addAnalysis(std::make_shared<const Analysis>(std::move(analysis)));
    session_->listing().setPrimary(ItemRef{0, 0});
    const std::vector<KeyValue>& lines = part<KeyValueList>("itemMeasures").values();
    const auto gauge = std::ranges::find(lines, QString("bridge error"), &KeyValue::name);
    QVERIFY(gauge != lines.end());
    QVERIFY(gauge->tooltip.contains("0.0125"));
    QVERIFY(gauge->tooltip.contains("0.01: one of the probabilities is off by 0.01"));
    QVERIFY(gauge->tooltip.contains(QString::fromUtf8("|α(k)/α₀ − mean of softmax(z)(k)|")));
  }

  void whatCannotBeShownSaysWhy() {
    Analysis analysis = *sampleAnalysisWithoutDraws();
    Run run = *analysis.parts[0].run;
    run.predictions = Array<std::int64_t>::zeros({60});
    run.probs = Array<double>::fromVector({60, 2}, std::vector<double>(120, 0.5));
    analysis.parts[0].run = std::make_shared<const Run>(run);
    session_->addAnalysis(std::make_shared<const Analysis>(analysis));
    session_->listing().setPrimary(ItemRef{0, 2});
    part<QComboBox>("itemView").setCurrentIndex(2);
    const SimplexPlot& plot = part<SimplexPlot>("simplexPlot");
    QVERIFY(!plot.value().mean);
    QCOMPARE(note(), QString("requires at least three classes"));
    QVERIFY(!part<QComboBox>("simplexLeft").isEnabled());

    // Confidences alone.
    run.probs.reset();
    analysis.parts[0].run = std::make_shared<const Run>(run);
    session_->addAnalysis(std::make_shared<const Analysis>(analysis));
    session_->listing().setPrimary(ItemRef{0, 2});
    QVERIFY(!plot.value().mean);
    for (const int view : {1, 3, 0}) {
      part<QComboBox>("itemView").setCurrentIndex(view);
      part<QComboBox>("itemScale").setCurrentIndex(1);
    }
    QVERIFY(note().contains("confidences only"));
  }

  void whatIsShownIsRemembered() {
    part<QComboBox>("itemView").setCurrentIndex(2);
    part<QComboBox>("itemSimplexView").setCurrentIndex(1);
    part<QComboBox>("itemScale").setCurrentIndex(1);
    open();
    QCOMPARE(part<QComboBox>("itemView").currentIndex(), 2);
    QCOMPARE(part<SimplexPlot>("simplexPlot").view(), SimplexPlot::View::kHistogram);
    QCOMPARE(part<ClassProbabilityPlot>("classProbabilityPlot").scale(),
             ClassProbabilityPlot::Scale::kLogit);
    settings_->setValue("inspector/view", 77);
    open();
    QCOMPARE(part<QComboBox>("itemView").currentIndex(), 0);
  }
};

}  // namespace dubito::test

#include "item_inspector_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::ItemInspectorTest)
