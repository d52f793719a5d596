// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/train/train_page.h"

#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "app/shell/error_banner.h"
#include "app/shell/page_stack.h"
#include "app/train/train_set_up.h"
#include "app/train/train_values.h"
#include "tests/app/support/test_window.h"
#include "tests/support/gui_test.h"
#include "tests/support/shared_data.h"
#include "widgets/card.h"
#include "widgets/curve_plot.h"
#include "widgets/key_value_list.h"
#include "widgets/number_text.h"
#include "widgets/options_form.h"
#include "widgets/reliability_plot.h"

namespace dubito::test {

/// A small network for digits gets new heads in the real window.
class TrainPageTest : public QObject, private TestWindow {
  Q_OBJECT

 private:
  /// More than a test waits for.
  static constexpr std::int64_t kEndless = 90000;

  TrainPage& page() { return window_->pages().train(); }
  HeadTrainer& trainer() { return page().trainer(); }
  Card& card(const char* name) { return part<Card>(name); }
  QString status() { return part<QLabel>("trainStatus").text(); }
  QStringList messages() { return window_->findChild<ErrorBanner*>()->messages(); }

  static std::string digits(const std::string& options) {
    const std::string base = (sourceDir() / "datasets/samples/mnist-2000").string();
    return "idx:" + base + "-images-idx3-ubyte.gz," + base + "-labels-idx1-ubyte.gz?" + options;
  }
  void openNetwork() {
    window_->workbench().opener().open(
        {{(sourceDir() / "tests/data/models/scripted.pt").string(), FileKind::kModel, false, {}}});
    QTRY_COMPARE_WITH_TIMEOUT(session().models().size(), std::size_t{1}, kPatience);
  }
  void openDigits(const std::string& options = "items=0:200&role=train") {
    const std::size_t before = session().datasets().size();
    window_->workbench().opener().open({{digits(options), FileKind::kDataset, false, "digits"}});
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), before + 1, kPatience);
  }
  /// Opens both, and sets the page up for a head of two layers.
  void openAll(const std::string& dropout, std::int64_t epochs) {
    openNetwork();
    openDigits();
    page().setUp().setOptions({.layers = 2,
                               .units = 8,
                               .dropout = dropout,
                               .epochs = epochs,
                               .validation_share = 0.2,
                               .patience = epochs});
    page().setUp().setPath(QString::fromStdString(dir_->file("head.pt")));
  }
  void train() {
    QVERIFY2(part<QPushButton>("trainStart").isEnabled(), qPrintable(status()));
    part<QPushButton>("trainStart").click();
    QVERIFY(trainer().training());
  }
  void waitForTheEnd() { QTRY_VERIFY_WITH_TIMEOUT(!trainer().training(), kPatience); }
  /// Networks and temporary files in the folder of the test.
  [[nodiscard]] std::set<std::string> networks() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(dir_->path())) {
      const std::string name = entry.path().filename().string();
      if (name.find(".pt") != std::string::npos) {
        names.insert(name);
      }
    }
    return names;
  }
  [[nodiscard]] static std::vector<double> upTo(std::size_t count) {
    std::vector<double> numbers(count);
    for (std::size_t i = 0; i < count; ++i) {
      numbers[i] = static_cast<double>(i + 1);
    }
    return numbers;
  }

 private Q_SLOTS:
  void init() {
    openFolder();
    qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(dir_->file("cache")));
    openWindow();
    window_->showPage(PageId::kTrain);
  }
  void cleanup() {
    closeAll();
    qunsetenv("XDG_CACHE_HOME");
  }

  void withoutAModelOrDataItSaysWhatToOpen() {
    QVERIFY2(status().startsWith("Open a model first"), qPrintable(status()));
    QVERIFY(!part<QPushButton>("trainStart").isEnabled());
    page().train();
    QVERIFY(!trainer().training());
    openNetwork();
    QCOMPARE(status(), QStringLiteral("Open a dataset with labels first."));
    openDigits("items=0:50&role=ood");
    QVERIFY2(status().startsWith("None of the open datasets has classes to learn"),
             qPrintable(status()));
    openDigits();
    QVERIFY2(status().startsWith("The backbone stays as it is"), qPrintable(status()));
    QVERIFY(part<QPushButton>("trainStart").isEnabled());
    QVERIFY(!part<QPushButton>("trainStop").isEnabled());
    QVERIFY(!part<QPushButton>("trainCancel").isEnabled());
    QCOMPARE(part<QComboBox>("trainDataset").currentText(), QStringLiteral("digits (train)"));
    window_->showPage(PageId::kOverview);
    QTest::keyClick(window_.get(), Qt::Key_7, Qt::ControlModifier);
    QCOMPARE(window_->page(), PageId::kTrain);
  }

  void aTrainingSetThatIsOpenedLaterIsSuggestedUnlessOneWasChosen() {
    openNetwork();
    auto& list = part<QComboBox>("trainDataset");
    openDigits("items=0:50&role=test");
    QCOMPARE(list.currentText(), QStringLiteral("digits (test)"));
    openDigits("items=50:100&role=train");
    QCOMPARE(list.currentText(), QStringLiteral("digits (train)"));
    list.setCurrentIndex(0);
    openDigits("items=100:150&role=train");
    QCOMPARE(list.currentText(), QStringLiteral("digits (test)"));
  }

  void fieldsWithoutAnEffectAreOffAndSayWhatTheyRequire() {
    auto& form = part<OptionsForm>("trainForm");
    HeadOptions options;
    page().setUp().setOptions(options);
    const auto field = [&form](const char* name) { return form.findChild<QWidget*>(name); };
    for (const char* const name : {"units", "drop_rate", "length_scale", "epochs", "patience"}) {
      QVERIFY2(!field(name)->isEnabled(), name);
      QVERIFY2(!field(name)->toolTip().contains("--"), qPrintable(field(name)->toolTip()));
    }
    QVERIFY2(field("epochs")->toolTip().endsWith(
                 "Requires Layers: above 1 or Dropout: fixed, concrete or multi"),
             qPrintable(field("epochs")->toolTip()));
    auto* const dropout = form.findChild<QComboBox*>("dropout");
    dropout->setCurrentText("concrete");
    Q_EMIT dropout->activated(dropout->currentIndex());
    QVERIFY(field("length_scale")->isEnabled());
    QVERIFY(field("epochs")->isEnabled());
    QVERIFY(!field("units")->isEnabled());
    QCOMPARE(page().setUp().options().dropout, "concrete");
    QVERIFY(!field("l2")->toolTip().contains("--"));
  }

  void theCurvesHaveAPointForEachEpoch() {
    openAll("concrete", 6);
    train();
    QVERIFY(!part<QPushButton>("trainStart").isEnabled());
    QVERIFY(part<QPushButton>("trainCancel").isEnabled());
    QVERIFY(!part<QComboBox>("trainBackbone").isEnabled());
    waitForTheEnd();
    QVERIFY2(trainer().trained() != nullptr, qPrintable(messages().join('\n')));
    const HeadReport& report = trainer().trained()->report;
    QCOMPARE(report.epochs.size(), std::size_t{6});
    QCOMPARE(trainer().course().best_epoch, report.best_epoch);

    const std::vector<StyledCurve>& losses = part<CurvePlot>("trainLosses").curves().curves;
    QCOMPARE(losses.size(), std::size_t{2});
    for (const StyledCurve& curve : losses) {
      QCOMPARE(curve.curve.x, upTo(6));
    }
    for (std::size_t i = 0; i < 6; ++i) {
      QCOMPARE(losses[0].curve.y[i], report.epochs[i].train_loss);
      QCOMPARE(losses[1].curve.y[i], report.epochs[i].validation->loss);
      QVERIFY(losses[1].curve.y[i] >= report.validation->loss);
    }
    QVERIFY(losses[1].mark.has_value());
    QCOMPARE(*losses[1].mark,
             QPointF(static_cast<double>(report.best_epoch), report.validation->loss));

    const ReliabilityDiagram& diagram = part<ReliabilityPlot>("trainReliability").diagram();
    QCOMPARE(diagram.total, report.validation_items);
    QCOMPARE(diagram.ece, report.epochs.back().reliability->ece);
    QVERIFY(card("trainReliabilityCard").figure().startsWith("ECE "));

    const std::vector<StyledCurve>& rates = part<CurvePlot>("trainRates").curves().curves;
    QCOMPARE(rates.size(), std::size_t{2});
    for (std::size_t layer = 0; layer < 2; ++layer) {
      QCOMPARE(QString::fromStdString(rates[layer].curve.name),
               QStringLiteral("dropout%1").arg(layer + 1));
      QCOMPARE(rates[layer].curve.x, upTo(6));
      QCOMPARE(rates[layer].curve.y.back(), report.epochs.back().drop_rates[layer].mean);
    }

    // The new network is open, chosen, and samples with the rates that it has learned.
    QCOMPARE(networks(), std::set<std::string>{"head.pt"});
    QCOMPARE(session().models().size(), std::size_t{2});
    QCOMPARE(session().models().back().model, trainer().trained()->model);
    QCOMPARE(session().activeModelPosition(), 1);
    QCOMPARE(session().models().back().model->audit().dropout_sites.size(), std::size_t{2});
    QCOMPARE(methodName(window_->workbench().computer().settings().method), "mc-dropout");
    QVERIFY2(status().startsWith(QStringLiteral("Kept epoch %1 of 6, which has the lowest "
                                                "validation loss. Trained on %2 items, %3 were "
                                                "held out, in ")
                                     .arg(report.best_epoch)
                                     .arg(report.items)
                                     .arg(report.validation_items)),
             qPrintable(status()));
    QVERIFY(status().endsWith("Saved and opened: head.pt"));
    QCOMPARE(report.items + report.validation_items, 200);
    // The next head does not replace this one.
    QCOMPARE(page().setUp().path(), QString::fromStdString(dir_->file("head-2.pt")));
    QVERIFY(part<QComboBox>("trainBackbone").isEnabled());
    QCOMPARE(part<QComboBox>("trainBackbone").currentIndex(), 0);
  }

  void theNumbersHaveUnits() {
    openAll("fixed", 3);
    train();
    waitForTheEnd();
    QVERIFY(trainer().trained() != nullptr);
    const HeadReport& report = trainer().trained()->report;
    std::map<QString, KeyValue> values;
    for (const KeyValue& line : part<KeyValueList>("trainNumbers").values()) {
      values[line.name] = line;
    }
    QCOMPARE(values.at("epoch").value, QStringLiteral("3"));
    QCOMPARE(values.at("kept epoch").value, QString::number(report.best_epoch));
    QCOMPARE(values.at("accuracy, validation").value,
             shareText(report.epochs.back().validation->accuracy));
    QCOMPARE(values.at("ECE, validation").value, shareText(report.epochs.back().reliability->ece));
    QCOMPARE(values.at("loss, validation").unit, QStringLiteral("nats"));
    QCOMPARE(values.at("time, training").unit, QStringLiteral("s"));
    // Rates that are given have no course.
    QVERIFY(card("trainRatesCard").emptyText().startsWith("Drop rates are learned with"));
  }

  void multiDropoutShowsTheUnitsOfALayerAndTheMeans() {
    openAll("multi", 4);
    train();
    waitForTheEnd();
    QVERIFY(trainer().trained() != nullptr);
    const std::vector<HeadEpoch>& epochs = trainer().trained()->report.epochs;
    const std::vector<StyledCurve>* rates = &part<CurvePlot>("trainRates").curves().curves;
    const std::size_t traced = epochs.front().drop_rates[0].units.size();
    QVERIFY(traced > 1);
    QCOMPARE(rates->size(), traced + 1);
    for (std::size_t unit = 0; unit < traced; ++unit) {
      QCOMPARE(rates->at(unit).curve.y[3], epochs[3].drop_rates[0].units[unit]);
      QCOMPARE(rates->at(unit).role, StyledCurve::Role::kBackground);
    }
    QCOMPARE(rates->back().curve.y[3], epochs[3].drop_rates[0].mean);
    QCOMPARE(card("trainRatesCard").title(), QStringLiteral("Drop rates: dropout1"));
    QVERIFY(card("trainRatesCard")
                .subtitle()
                .startsWith(QStringLiteral("thin lines: %1 units of the layer").arg(traced)));

    auto* const choices = card("trainRatesCard").findChild<QComboBox*>();
    QCOMPARE(choices->count(), 3);
    choices->setCurrentIndex(2);
    Q_EMIT choices->activated(2);
    rates = &part<CurvePlot>("trainRates").curves().curves;
    QCOMPARE(rates->size(), std::size_t{8 + 1});
    QCOMPARE(rates->back().curve.y[3], epochs[3].drop_rates[1].mean);
    choices->setCurrentIndex(0);
    Q_EMIT choices->activated(0);
    rates = &part<CurvePlot>("trainRates").curves().curves;
    QCOMPARE(rates->size(), std::size_t{2});
    QCOMPARE(rates->front().curve.y[3], epochs[3].drop_rates[0].mean);
  }

  void aNetworkThatLearnedItsRatesShowsTheirCourse() {
    openAll("multi", 4);
    train();
    waitForTheEnd();
    QVERIFY(trainer().trained() != nullptr);
    const std::vector<HeadEpoch>& epochs = trainer().trained()->report.epochs;
    part<QComboBox>("trainBackbone").setCurrentIndex(1);
    QTRY_VERIFY_WITH_TIMEOUT(
        card("trainRatesCard").subtitle().endsWith(QStringLiteral("head, as it was trained")),
        kPatience);
    const std::vector<StyledCurve>& rates = part<CurvePlot>("trainRates").curves().curves;
    QCOMPARE(rates.back().curve.x, upTo(4));
    for (std::size_t epoch = 0; epoch < 4; ++epoch) {
      QCOMPARE(rates.back().curve.y[epoch], epochs[epoch].drop_rates[0].mean);
    }
    // The network that was trained first has none.
    part<QComboBox>("trainBackbone").setCurrentIndex(0);
    QVERIFY(card("trainRatesCard").subtitle().contains(QStringLiteral("multi dropout")));
    page().setUp().setOptions({.layers = 2, .units = 8, .epochs = 2, .validation_share = 0.2});
    train();
    waitForTheEnd();
    QVERIFY(card("trainRatesCard").emptyText().startsWith("Drop rates are learned with"));
    QCOMPARE(messages(), QStringList());
  }

  void stoppingKeepsTheBestHead() {
    openAll("concrete", kEndless);
    train();
    QVERIFY(!part<QPushButton>("trainStop").isEnabled());  // there is nothing to keep yet
    QTRY_VERIFY_WITH_TIMEOUT(trainer().course().epochs.size() >= 3, kPatience);
    // The page follows.
    QTRY_VERIFY(part<QPushButton>("trainStop").isEnabled());
    QTRY_COMPARE(part<CurvePlot>("trainLosses").curves().curves[0].curve.x.size(),
                 trainer().course().epochs.size());
    part<QPushButton>("trainStop").click();
    waitForTheEnd();
    QVERIFY(trainer().trained() != nullptr);
    const HeadReport& report = trainer().trained()->report;
    QVERIFY(std::ssize(report.epochs) < kEndless);
    double lowest = report.epochs.front().validation->loss;
    for (const HeadEpoch& epoch : report.epochs) {
      lowest = std::min(lowest, epoch.validation->loss);
    }
    QCOMPARE(report.validation->loss, lowest);
    QCOMPARE(trainer().course().epochs.size(), report.epochs.size());
    QCOMPARE(networks(), std::set<std::string>{"head.pt"});
    QCOMPARE(session().models().size(), std::size_t{2});
  }

  void cancellingWritesNothing() {
    openAll("multi", kEndless);
    train();
    QTRY_VERIFY_WITH_TIMEOUT(trainer().course().epochs.size() >= 2, kPatience);
    part<QPushButton>("trainCancel").click();
    waitForTheEnd();
    QVERIFY(trainer().trained() == nullptr);
    QCOMPARE(status(), QStringLiteral("Cancelled; nothing was kept."));
    QVERIFY(networks().empty());
    QCOMPARE(session().models().size(), std::size_t{1});
    QVERIFY(messages().empty());
    // And the next training works.
    HeadOptions options = page().setUp().options();
    options.epochs = 2;
    page().setUp().setOptions(options);
    train();
    waitForTheEnd();
    QVERIFY(trainer().trained() != nullptr);
    QCOMPARE(trainer().course().epochs.size(), std::size_t{2});
  }

  void closingTheWindowWhileTrainingLeavesNoFile() {
    openAll("concrete", kEndless);
    train();
    QTRY_VERIFY_WITH_TIMEOUT(trainer().course().epochs.size() >= 2, kPatience);
    QVERIFY(window_->workbench().computer().hasUserRequestedWork());
    window_.reset();
    QVERIFY(networks().empty());
  }

  void errorsAreShownAndNothingIsWritten() {
    openNetwork();
    openDigits("items=0:200&classes=3&role=train");
    page().setUp().setPath(QString::fromStdString(dir_->file("head.pt")));
    train();
    waitForTheEnd();
    QCOMPARE(messages().size(), 1);
    QVERIFY2(messages().front().contains("digits") || messages().front().contains("class"),
             qPrintable(messages().front()));
    QVERIFY(!messages().front().contains("--"));
    QCOMPARE(status(), QStringLiteral("The training failed; nothing was kept."));
    QVERIFY(networks().empty());
    // A folder that does not exist is found before anything is computed.
    openDigits();
    part<QComboBox>("trainDataset").setCurrentIndex(1);
    page().setUp().setPath(QString::fromStdString(dir_->file("missing/head.pt")));
    train();
    waitForTheEnd();
    QVERIFY(trainer().course().epochs.empty());
    QCOMPARE(messages().size(), 2);
    QVERIFY2(messages().join('\n').contains("missing/head.pt"), qPrintable(messages().join('\n')));
  }

  void theFileOfTheBackboneIsNotReplaced() {
    const std::string backbone = dir_->file("backbone.pt");
    std::filesystem::copy_file(sourceDir() / "tests/data/models/scripted.pt", backbone);
    window_->workbench().opener().open({{backbone, FileKind::kModel, false, {}}});
    QTRY_COMPARE_WITH_TIMEOUT(session().models().size(), std::size_t{1}, kPatience);
    openDigits();
    const auto size = std::filesystem::file_size(backbone);
    page().setUp().setPath(QString::fromStdString(dir_->file("./backbone.pt")));
    part<QPushButton>("trainStart").click();
    QVERIFY(!trainer().training());
    QVERIFY(messages().join('\n').contains("is the file of the backbone"));
    QCOMPARE(std::filesystem::file_size(backbone), size);
  }

  void anOpenModelOfTheSameFileIsReplaced() {
    openAll("concrete", 2);
    train();
    waitForTheEnd();
    const ModelPtr first = session().models().back().model;
    page().setUp().setNextFileName(QString::fromStdString(dir_->file("head.pt")));
    part<QPushButton>("trainChooseOutput").click();
    QCOMPARE(part<QLineEdit>("trainOutput").text(), QStringLiteral("head.pt"));
    train();
    waitForTheEnd();
    QCOMPARE(session().models().size(), std::size_t{2});
    QVERIFY(session().models().back().model != first);
    QCOMPARE(session().models().back().model, trainer().trained()->model);
  }

  void aHeadWithoutEpochsSaysSo() {
    openNetwork();
    openDigits();
    page().setUp().setOptions({.dropout = "none", .validation_share = 0.2});
    page().setUp().setPath(QString::fromStdString(dir_->file("head.pt")));
    train();
    waitForTheEnd();
    QVERIFY2(trainer().trained() != nullptr, qPrintable(messages().join('\n')));
    QVERIFY(card("trainLossesCard").emptyText().startsWith("A single layer without dropout"));
    QVERIFY2(status().contains("iterations."), qPrintable(status()));
    bool has_accuracy = false;
    for (const KeyValue& line : part<KeyValueList>("trainNumbers").values()) {
      has_accuracy = has_accuracy || line.name == "accuracy, validation";
    }
    QVERIFY(has_accuracy);
    QCOMPARE(networks(), std::set<std::string>{"head.pt"});
  }

  void longTrainingsAreDrawnThinned() {
    HeadCourse course;
    for (std::int64_t i = 1; i <= 2500; ++i) {
      course.add({.epoch = i, .train_loss = 1.0 / static_cast<double>(i), .is_best = i == 1700});
    }
    QCOMPARE(course.best_epoch, 1700);
    const CurvePlotValue value = headLossCurves(course);
    QCOMPARE(value.curves.size(), std::size_t{1});
    QVERIFY(value.curves[0].curve.x.size() <= kDrawnEpochs + 1);
    QCOMPARE(value.curves[0].curve.x.front(), 1.0);
    QCOMPARE(value.curves[0].curve.x.back(), 2500.0);
    QCOMPARE(value.curves[0].mark->x(), 1700.0);
  }

  void aSuggestedFileIsNew() {
    openNetwork();
    openDigits();
    const QString folder = QString::fromStdString(dir_->path());
    const QString first = freshHeadFile(folder, "my net", "some digits");
    QCOMPARE(first, folder + "/my-net-some-digits-head.pt");
    QFile file(first);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    QCOMPARE(freshHeadFile(folder, "my net", "some digits"),
             folder + "/my-net-some-digits-head-2.pt");
    QVERIFY(!QFileInfo::exists(page().setUp().path()));
  }
};

}  // namespace dubito::test

#include "train_page_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::TrainPageTest)
