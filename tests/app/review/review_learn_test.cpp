// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/learn/review_learn.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <algorithm>
#include <filesystem>
#include <set>

#include "app/review/automatic/review_automatic.h"
#include "app/review/review_export.h"
#include "core/decisions/clopper_pearson.h"
#include "core/review/queue.h"
#include "core/train/head/backbone_features.h"
#include "tests/app/support/review_window.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/gui_test.h"
#include "tests/support/shared_data.h"
#include "widgets/curve_plot.h"
#include "widgets/key_value_list.h"
#include "widgets/zoom_view.h"

namespace dubito::test {

/// A network for digits learns to tell clothes apart, from labels that are given with keys.
class ReviewLearnTest : public QObject, private ReviewWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openReviewFolder();
    qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(dir_->file("cache")));
    openReviewPage();
  }
  void cleanup() {
    closeAll();
    qunsetenv("XDG_CACHE_HOME");
  }

  void withTooFewLabelsItSaysWhatToDo() {
    startReview();
    label(3);
    showLearn();
    QVERIFY(!part<QPushButton>("reviewLearnStart").isEnabled());
    const QString text = part<QLabel>("reviewLearnText").text();
    QVERIFY2(text.startsWith("At least 10 labels of two classes are needed to learn from; there "
                             "are 3 of "),
             qPrintable(text));
    learner().start();
    QVERIFY(!learner().learning());
    QVERIFY(!std::filesystem::exists(learner().folder().toStdString()));
  }

  void aNetworkThatCannotLearnSaysWhy() {
    showSample();  // predictions without a network
    start();
    showLearn();
    QVERIFY(
        part<QLabel>("reviewLearnText").text().startsWith("The network of this run is not open"));
    RunContext context;
    auto with_model = std::make_shared<Analysis>(*sampleAnalysis());
    with_model->model =
        loadModel((sourceDir() / "tests/data/models/quantised.pt").string(), {}, context).value();
    session().addAnalysis(with_model);
    start();
    showLearn();
    const QString text = part<QLabel>("reviewLearnText").text();
    QVERIFY2(text.contains("has no last layer that can be trained alone (") &&
                 text.endsWith("train the network in the program that it comes from."),
             qPrintable(text));
    QVERIFY(!part<QPushButton>("reviewLearnStart").isEnabled());
  }

  void itLearnsFromTheLabelsAndSortsTheImagesAgain() {
    startReview();
    const AnalysisPtr before = session().activeAnalysis();
    const std::vector<std::int64_t> labelled = label(40);
    showLearn();
    QCOMPARE(learner().basis()->labels, 40);
    std::int64_t counted = 0;
    for (const KeyValue& line : part<KeyValueList>("reviewLearnLabels").values()) {
      counted += line.value.toInt();
    }
    QCOMPARE(counted, 40);
    QSignalSpy noticed(&page(), &ReviewPage::noticed);
    QVERIFY(part<QLabel>("reviewLearnText").text().contains("must then be reviewed again"));
    QVERIFY(!part<QPushButton>("reviewLearnShow").isVisible());
    learn();
    QVERIFY2(part<QLabel>("reviewLearnVerdict")
                 .text()
                 .startsWith("The network has become better: "
                             "right about "),
             qPrintable(part<QLabel>("reviewLearnVerdict").text()));
    QVERIFY(
        noticed.takeFirst().at(0).toString().startsWith("The network has learned from 40 labels"));

    // A new run over the same items, in the same label store.
    const AnalysisPtr after = session().activeAnalysis();
    QVERIFY(after != before);
    QCOMPARE(after->in().dataset, before->in().dataset);
    QCOMPARE(after->in().run->itemCount(), 150);
    QCOMPARE(QString::fromStdString(session().runLabel(1).name),
             QStringLiteral("%1, learned from 40 labels").arg(QString::fromStdString(after->name)));
    QVERIFY(session().models().back().model == after->model);
    QVERIFY(reviewer().active());
    QCOMPARE(reviewer().analysis(), after);
    QCOMPARE(reviewer().file().labels().size(), std::size_t{40});
    QCOMPARE(reviewer().queue().length(), 110);
    RunContext context;
    const Queue expected = buildQueue(*after->in().run, {.by = reviewer().reviewQueue().key()},
                                      {.settled_ids = labelled}, context)
                               .value();
    QCOMPARE(reviewer().queue().ids, expected.ids);
    QVERIFY(
        toText(after->in().run->meta.notes.back()).find("reviewed labels of 40 of these items") !=
        std::string::npos);

    // The curve begins with the network as it was, which knows nothing of clothes.
    const auto rounds = learner().basis()->rounds;
    QCOMPARE(rounds.size(), std::size_t{2});
    QCOMPARE(rounds[0].labels, 0);
    QCOMPARE(rounds[0].held_out, rightOf(*before, labelled, true));
    QCOMPARE(rounds[0].given, rightOf(*before, labelled, false));
    QCOMPARE(rounds[1].labels, 40);
    QCOMPARE(rounds[1].held_out.items, 40);
    QCOMPARE(rounds[1].given, rightOf(*after, labelled, false));
    QCOMPARE(rounds[1].given.items, 110);
    QVERIFY(rounds[1].held_out.right > 2 * rounds[0].held_out.right);
    QVERIFY(rounds[1].given.right > rounds[0].given.right);
    QVERIFY(std::filesystem::exists(rounds[1].model));
    const CurvePlotValue& shown = part<CurvePlot>("reviewLearningCurve").curves();
    QCOMPARE(shown.curves.size(), std::size_t{2});
    QCOMPARE(shown.curves[0].curve.x, (std::vector<double>{0.0, 40.0}));
    QCOMPARE(shown.curves[0].curve.y[1], static_cast<double>(rounds[1].held_out.right) / 40.0);
    const Interval interval = clopperPearson(rounds[1].held_out.right, 40, 0.95);
    QCOMPARE(shown.curves[0].intervals[1].low, interval.low);
    QCOMPARE(shown.curves[0].intervals[1].high, interval.high);
    QCOMPARE(part<CurvePlot>("reviewLearningCurve").table().columns.size(), 5);
  }

  void theNextRoundUsesTheFeaturesThatAreKeptAndTheCurveOutlivesTheWindow() {
    startReview();
    label(20);
    showLearn();
    learn();
    const LearningRound first = learner().basis()->rounds.back();
    page().showMode(QStringLiteral("single"));
    label(15);
    showLearn();
    learn();
    auto rounds = learner().basis()->rounds;
    QCOMPARE(labelsOf(rounds), (std::vector<std::int64_t>{0, 20, 35}));
    // Both from the same network, although the second round began with the first result.
    QCOMPARE(rounds[2].backbone, first.backbone);
    QVERIFY(rounds[2].backbone.ends_with("lenet-mnist.pt"));
    QVERIFY(rounds[2].model != first.model);

    openReviewPage();
    startReview();
    showLearn();
    QCOMPARE(learner().basis()->rounds, rounds);
    QCOMPARE(part<CurvePlot>("reviewLearningCurve").curves().curves[0].curve.x,
             (std::vector<double>{0.0, 20.0, 35.0}));
    QCOMPARE(reviewer().file().labels().size(), std::size_t{35});
    learn();
    QCOMPARE(labelsOf(learner().basis()->rounds), (std::vector<std::int64_t>{0, 20, 35, 35}));
    QCOMPARE(learner().basis()->rounds[3].held_out, rounds[2].held_out);
  }

  void aListForAPurposeEndsWithTheNetworkItWasMadeFor() {
    startReview();
    label(20);
    reviewer().reviewQueue().choose("random", 3);
    QTRY_COMPARE(reviewer().queue().length(), 3);
    showLearn();
    learn();
    QCOMPARE(reviewer().reviewQueue().key(), std::string("entropy"));
    QCOMPARE(reviewer().queue().length(), 130);
    part<QPushButton>("reviewLearnShow").click();
    QVERIFY(part<ZoomView>("reviewImage").isVisible());
    QCOMPARE(part<QPushButton>("reviewBack").text(), "Back to Learn");
  }

  void theOrderStaysWhileSomebodyWorksOnIt() {
    startReview();
    label(20);
    showLearn();
    part<QPushButton>("reviewLearnStart").click();
    QVERIFY(learner().learning());
    page().showMode(QStringLiteral("single"));
    const std::vector<std::int64_t> ids = reviewer().queue().ids;
    const std::int64_t shown = reviewer().itemAt(reviewer().position());
    QSignalSpy noticed(&page(), &ReviewPage::noticed);
    QTRY_VERIFY_WITH_TIMEOUT(!learner().busy(), kPatience);
    QTRY_COMPARE(noticed.count(), 1);
    QVERIFY(noticed.takeFirst().at(0).toString().contains("Your images keep their order"));
    QCOMPARE(session().analyses().size(), std::size_t{1});
    QCOMPARE(reviewer().queue().ids, ids);
    QCOMPARE(reviewer().itemAt(reviewer().position()), shown);
    showLearn();
    auto& use = part<QPushButton>("reviewLearnUse");
    QVERIFY(use.isVisible() && !part<QPushButton>("reviewLearnStart").isVisible());
    use.click();
    QTRY_VERIFY(!page().busy() && reviewer().analysis() == session().activeAnalysis());
    QCOMPARE(session().analyses().size(), std::size_t{2});
    QVERIFY(reviewer().queue().ids != ids);
    QVERIFY(!use.isVisible());
  }

  void aCancelledRoundLeavesNothing() {
    startReview();
    label(20);
    showLearn();
    auto& start = part<QPushButton>("reviewLearnStart");
    start.click();
    QVERIFY(!start.isEnabled());
    QVERIFY(part<QPushButton>("reviewLearnCancel").isVisible());
    part<QPushButton>("reviewLearnCancel").click();
    QTRY_VERIFY_WITH_TIMEOUT(!learner().busy(), kPatience);
    QVERIFY(start.isEnabled() && start.isVisible());
    QVERIFY(!part<QPushButton>("reviewLearnCancel").isVisible());
    QCOMPARE(session().analyses().size(), std::size_t{1});
    QVERIFY(learner().basis()->rounds.empty());
    std::error_code ignored;
    const std::filesystem::path folder = learner().folder().toStdString();
    QVERIFY(!std::filesystem::exists(folder, ignored) ||
            std::filesystem::is_empty(folder, ignored));
    learn();
    QCOMPARE(learner().basis()->rounds.size(), std::size_t{2});
  }

  void aClassThatAPersonAddedBecomesAnOutput() {
    startReview();
    label(20);
    reviewer().file().addClass(QStringLiteral("hat"));
    QTRY_COMPARE(reviewer().file().classes().size(), std::size_t{11});
    for (int i = 0; i < 3; ++i) {
      const std::int64_t position = reviewer().position();
      QVERIFY(waitUntilPainted());
      reviewer().choose(10);
      QTRY_COMPARE(reviewer().position(), position + 1);
    }
    showLearn();
    learn();
    const dubito::Run& run = *session().activeAnalysis()->in().run;
    QCOMPARE(run.classCount(), 11);
    QCOMPARE(run.className(10), std::string("hat"));
    // The store belongs to the new network, too.
    openWindow();
    session().addDataset(QStringLiteral("clothes"), clothes(), false);
    session().addAnalysis(computed("", learnedFile()));
    window_->showPage(PageId::kReview);
    start();
    QCOMPARE(reviewer().file().labels().size(), std::size_t{23});
  }

  void whatItHasLearnedFromProvesNothingAboutIt() {
    startReview();
    reviewer().reviewQueue().choose("random");
    QTRY_VERIFY(!reviewer().busy());
    label(20);
    Autolabeller& labeller = window_->findChild<ReviewAutomatic*>()->labeller();
    const auto usable = [&] {
      page().showMode(QStringLiteral("automatic"));
      return QTest::qWaitFor([&] { return !labeller.busy() && labeller.preview(); })
                 ? labeller.calibrationCount()
                 : -1;
    };
    QCOMPARE(usable(), 20);
    showLearn();
    learn();
    QCOMPARE(usable(), 0);
    page().showMode(QStringLiteral("single"));
    label(5);
    QCOMPARE(usable(), 5);
  }

  /// Pictures of the tab for a person to look at, into the folder DUBITO_SCREENSHOTS.
  void picturesOfLearning() {
    const QString folder = qEnvironmentVariable("DUBITO_SCREENSHOTS");
    if (folder.isEmpty()) {
      QSKIP("only with DUBITO_SCREENSHOTS");
    }
    const auto shoot = [&](const QString& name) {
      for (const QSize& size : {QSize(1280, 800), QSize(1024, 700), QSize(960, 540)}) {
        window_->resize(size);
        QTRY_VERIFY_WITH_TIMEOUT(window_->settled(), kPatience);
        deliverEvents();
        window_->grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, name).arg(size.width()));
      }
    };
    startReview();
    label(20);
    showLearn();
    shoot(QStringLiteral("learn-before"));
    learn();
    shoot(QStringLiteral("learn-after"));
    for (const char* const mode : {"single", "automatic", "results"}) {
      page().showMode(QLatin1String(mode));
      QTRY_VERIFY_WITH_TIMEOUT(window_->settled(), kPatience);
      deliverEvents();
      auto& button = part<ReviewExport>("reviewExport");
      button.setNextFileName(QString::fromStdString(dir_->file(std::string(mode) + ".json")));
      if (QAction* const action = button.findChild<QAction*>("exportLabels-cvat")) {
        action->trigger();
      }
      QTRY_VERIFY(!reviewer().busy());
      deliverEvents();
      for (QPushButton* const details : page().findChildren<QPushButton*>()) {
        if (details->isVisible() && details->objectName().endsWith(QLatin1String("Details"))) {
          details->click();
        }
      }
      shoot(QStringLiteral("exported-") + QLatin1String(mode));
    }
  }

  void theVariedOrderLooksAtAllImagesFirst() {
    startReview();
    auto& list = part<QComboBox>("reviewQueue");
    const int place = list.findData(QStringLiteral("varied"));
    QVERIFY(place >= 0);
    QVERIFY2(list.itemText(place).startsWith("varied first (look at all: "),
             qPrintable(list.itemText(place)));
    QVERIFY(list.itemData(place, Qt::ToolTipRole)
                .toString()
                .contains("needs a look at all images first: about "));
    const std::vector<std::int64_t> before = reviewer().queue().ids;
    list.setCurrentIndex(place);
    Q_EMIT list.activated(place);
    QCOMPARE(reviewer().queue().ids, before);  // meanwhile
    QTRY_COMPARE_WITH_TIMEOUT(reviewer().reviewQueue().key(), std::string("varied"), kPatience);
    QTRY_VERIFY(!page().busy());
    QCOMPARE(list.currentIndex(), place);
    QCOMPARE(list.itemText(place), QStringLiteral("varied first"));
    const Analysis& analysis = *session().activeAnalysis();
    std::vector<std::int64_t> positions(150);
    for (std::int64_t i = 0; i < 150; ++i) {
      positions[static_cast<std::size_t>(i)] = i;
    }
    RunContext context;
    const auto features =
        backboneFeatures(*analysis.model, *analysis.in().dataset, positions, {}, context).value();
    const RealArray table = features.features;
    const Queue expected =
        buildQueue(*analysis.in().run, {.by = "varied"}, {.features = &table}, context).value();
    QCOMPARE(reviewer().queue().ids, expected.ids);
    QVERIFY(reviewer().queue().ids != before);

    // What the network learns changes its last layer alone: the same features.
    label(20);
    showLearn();
    learn();
    QCOMPARE(reviewer().reviewQueue().key(), std::string("varied"));
    QCOMPARE(reviewer().queue().length(), 130);
    QVERIFY(reviewer().reviewQueue().hasFeatures());
    // Another network has others.
    QSignalSpy noticed(&page(), &ReviewPage::noticed);
    session().addAnalysis(computed("other", "tests/data/models/scripted.pt"));
    QTRY_VERIFY(!page().busy());
    QVERIFY(!reviewer().reviewQueue().hasFeatures());
    QCOMPARE(reviewer().reviewQueue().key(), std::string("label-errors"));
    QCOMPARE(noticed.count(), 1);
    QVERIFY(noticed.takeFirst().at(0).toString().contains("needs a look at all images"));
  }

  void withoutANetworkTheVariedOrderIsNotOffered() {
    showSample();
    start();
    auto& list = part<QComboBox>("reviewQueue");
    const int place = list.findData(QStringLiteral("varied"));
    QVERIFY(!static_cast<QStandardItemModel*>(list.model())->item(place)->isEnabled());
    QVERIFY(list.itemData(place, Qt::ToolTipRole).toString().contains("is not open"));
  }

 private:
  Learner& learner() { return window_->findChild<ReviewLearn*>()->learner(); }

  DatasetPtr clothes() {
    if (!clothes_) {
      const std::string base = (sourceDir() / "datasets/samples/fashion-mnist-1000").string();
      RunContext context;
      clothes_ = openDataset("idx:" + base + "-images-idx3-ubyte.gz," + base +
                                 "-labels-idx1-ubyte.gz?items=0:150",
                             context)
                     .value();
    }
    return clothes_;
  }
  AnalysisPtr computed(const std::string& name, const std::string& model) {
    RunContext context;
    ComputeRequest request;
    const std::filesystem::path path = model;
    request.model =
        loadModel((path.is_absolute() ? path : sourceDir() / path).string(), {}, context).value();
    request.in = {name.empty() ? "clothes" : name, clothes()};
    request.method = MapOptions{};
    return computeAnalysis(request, context).value();
  }
  std::string learnedFile() {
    for (const auto& entry : std::filesystem::directory_iterator(dir_->file("labels"))) {
      if (entry.is_directory()) {
        for (const auto& file : std::filesystem::directory_iterator(entry.path())) {
          if (file.path().extension() == ".pt") {
            return file.path().string();
          }
        }
      }
    }
    return {};
  }
  void startReview() {
    const AnalysisPtr analysis = computed("", "datasets/samples/lenet-mnist.pt");
    session().addModel(QStringLiteral("lenet"), analysis->model);
    session().addDataset(QStringLiteral("clothes"), clothes(), false);
    session().addAnalysis(analysis);
    start();
  }
  void start() {
    if (part<QPushButton>("reviewStart").isVisible()) {
      QTest::mouseClick(&part<QPushButton>("reviewStart"), Qt::LeftButton);
    }
    QTRY_VERIFY_WITH_TIMEOUT(reviewer().active() && !reviewer().busy(), kPatience);
  }
  bool waitUntilPainted() {
    return QTest::qWaitFor([this] {
      return !reviewer().busy() && !part<ZoomView>("reviewImage").image().isNull() &&
             reviewer().takesDecisions();
    });
  }
  /// Presses the digit of the given label for the next `count` images; returns their ids.
  std::vector<std::int64_t> label(int count) {
    std::vector<std::int64_t> labelled;
    for (int i = 0; i < count; ++i) {
      const std::size_t decided = reviewer().file().labels().size();
      if (!waitUntilPainted()) {
        qFatal("the image does not appear");
      }
      labelled.push_back(reviewer().itemAt(reviewer().position()));
      QTest::keyClick(&page(), static_cast<Qt::Key>(Qt::Key_0 + reviewer().givenLabel()));
      if (!QTest::qWaitFor([&] { return reviewer().file().labels().size() > decided; })) {
        qFatal("the decision is not recorded");
      }
    }
    std::ranges::sort(labelled);
    return labelled;
  }
  void showLearn() {
    page().showMode(QStringLiteral("learn"));
    QTRY_VERIFY(!learner().busy() && learner().basis());
  }
  /// Presses the button and waits for the new run and its queue.
  void learn() {
    const std::size_t runs = session().analyses().size();
    part<QPushButton>("reviewLearnStart").click();
    QVERIFY(learner().learning());
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), runs + 1, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!learner().busy() && !page().busy() && learner().basis(), kPatience);
  }
  /// How many predictions agree with the given labels, among those items or among all others.
  static RightCount rightOf(const Analysis& analysis, const std::vector<std::int64_t>& ids,
                            bool among) {
    const dubito::Run& run = *analysis.in().run;
    RightCount count;
    for (std::int64_t row = 0; row < run.itemCount(); ++row) {
      if (std::ranges::binary_search(ids, run.ids.data()[row]) == among) {
        ++count.items;
        count.right += run.predictions.data()[row] == run.labels.data()[row] ? 1 : 0;
      }
    }
    return count;
  }
  static std::vector<std::int64_t> labelsOf(const std::vector<LearningRound>& rounds) {
    std::vector<std::int64_t> labels;
    for (const LearningRound& round : rounds) {
      labels.push_back(round.labels);
    }
    return labels;
  }

  DatasetPtr clothes_;
};

}  // namespace dubito::test

#include "review_learn_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::ReviewLearnTest)
