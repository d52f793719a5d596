// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/compute/compute_panel.h"
#include "app/shell/error_banner.h"
#include "app/shell/output_dialog.h"
#include "app/shell/side_panels.h"
#include "app/workspace/model_panel.h"
#include "app/workspace/workspace_row.h"
#include "core/models/guessed_preprocessing.h"
#include "tests/app/support/test_window.h"
#include "tests/support/shared_data.h"
#include "widgets/image_view.h"

namespace dubito::test {

/// What a model is given, seen and set in the window.
class PreprocessingTest : public QObject, private TestWindow {
  Q_OBJECT

 private:
  Workbench& workbench() { return window_->workbench(); }
  /// Opens a copy of a model.
  void openModel(const std::filesystem::path& from) {
    const std::string path = dir_->file("net" + from.extension().string());
    std::filesystem::copy_file(from, path);
    workbench().opener().open({{path, FileKind::kModel, false, {}}});
    QTRY_COMPARE_WITH_TIMEOUT(session().models().size(), 1U, kPatience);
  }
  void openData(const std::string& specification) {
    workbench().opener().open({{specification, FileKind::kDataset, false, "digits"}});
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 1U, kPatience);
  }
  static std::string samples(int items) {
    const std::string base = (sourceDir() / "datasets/samples/mnist-2000").string();
    return "idx:" + base + "-images-idx3-ubyte.gz," + base +
           "-labels-idx1-ubyte.gz?items=0:" + std::to_string(items);
  }
  void editModel() {
    const auto actions = part<WorkspaceRow>("model0").actions();
    const auto found =
        std::ranges::find(actions, QStringLiteral("editPreprocessing"), &QAction::objectName);
    QVERIFY(found != actions.end());
    (*found)->trigger();
    QVERIFY(part<ModelPanel>("modelPanel").isVisible());
  }
  QLineEdit& field(const char* name) {
    return partOf<QLineEdit>(part<QWidget>("preprocessingForm"), name);
  }
  void type(const char* name, const QString& text) {
    field(name).selectAll();
    QTest::keyClicks(&field(name), text);
  }
  void saveModel() {
    const ModelPtr before = session().activeModel();
    part<QPushButton>("savePreprocessing").click();
    QTRY_VERIFY_WITH_TIMEOUT(session().activeModel() != before, kPatience);
  }
  double accuracyOfMap() {
    const std::size_t before = session().analyses().size();
    ComputeSettings settings = workbench().computer().settings();
    settings.method = MapOptions{};
    workbench().computer().compute(settings);
    if (!QTest::qWaitFor([&] { return session().analyses().size() > before; }, 4 * kPatience)) {
      return -1.0;
    }
    return *session().activeAnalysis()->evaluation.accuracy;
  }

 private Q_SLOTS:
  void init() {
    openFolder();
    openWindow();
  }
  void cleanup() { closeAll(); }

  void thePreviewShowsWhatTheNetworkIsGiven() {
    openModel(sourceDir() / "tests/data/models/scripted.pt");
    openData(samples(5));
    editModel();
    auto& panel = part<ModelPanel>("modelPanel");
    QTRY_VERIFY_WITH_TIMEOUT(panel.previewSettled(), kPatience);
    auto& values = part<QLabel>("previewValues");
    QVERIFY2(values.text().contains("1 x 28 x 28"), qPrintable(values.text()));
    QVERIFY(!part<ImageView>("previewStored").image().isNull());
    QCOMPARE(part<ImageView>("previewSeen").image().width(), 28);
    type("scale", "1");
    type("mean", "0");
    type("std", "1");
    QTRY_VERIFY_WITH_TIMEOUT(panel.previewSettled(), kPatience);
    QTRY_VERIFY2(values.text().contains("to 255"), qPrintable(values.text()));
    type("std", "zero");
    QVERIFY(!part<QPushButton>("savePreprocessing").isEnabled());
    QVERIFY(part<QLabel>("modelPanelProblem").text().contains("Std"));
  }

  void savedValuesAreWrittenAndUsed() {
    openModel(sourceDir() / "tests/data/models/scripted.pt");
    openData(samples(40));
    accuracyOfMap();
    const std::string before = session().activeAnalysis()->in().run->meta.preprocessing;
    editModel();
    QCOMPARE(field("mean").text(), QString("0.1307"));
    type("scale", "1/127.5");
    saveModel();
    QVERIFY(part<QLabel>("modelPanelSource").text().contains("net.json"));
    std::ifstream file(dir_->file("net.json"));
    const auto json = nlohmann::json::parse(file);
    QCOMPARE(json["scale"].get<double>(), 1.0 / 127.5);
    QCOMPARE(json["mean"][0].get<double>(), 0.1307);
    QCOMPARE(session().models().size(), 1U);
    accuracyOfMap();
    const std::string after = session().activeAnalysis()->in().run->meta.preprocessing;
    QVERIFY2(after != before, after.c_str());
    // Names of another number than there are outputs cannot be saved.
    part<QPlainTextEdit>("classNames").setPlainText("one\ntwo");
    QVERIFY(!part<QPushButton>("savePreprocessing").isEnabled());
    QVERIFY(part<QLabel>("modelPanelProblem").text().contains("2 class names"));
  }

  void runsOfBeforeAreOfferedToBeComputedAgain() {
    openModel(sourceDir() / "tests/data/models/scripted.pt");
    openData(samples(40));
    accuracyOfMap();
    const Run before = *session().activeAnalysis()->in().run;
    editModel();
    type("scale", "1/127.5");
    saveModel();
    auto& offer = part<QToolButton>("errorOffer");
    QVERIFY(offer.isVisible());
    QCOMPARE(offer.text(), QString("Compute again (1)"));
    const QStringList& messages = part<ErrorBanner>("errorBanner").messages();
    QVERIFY2(messages.front().contains("net.pt: 1 run was computed"), qPrintable(messages.front()));
    // Saved once more, it is still one offer.
    type("scale", "1/100");
    saveModel();
    QCOMPARE(messages.filter("preprocessing of before").size(), 1);
    offer.click();
    QVERIFY(!offer.isVisible());
    QVERIFY(messages.filter("preprocessing of before").isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 2U, kPatience);
    const Run& after = *session().activeAnalysis()->in().run;
    QCOMPARE(after.meta.method, before.meta.method);
    QCOMPARE(after.itemCount(), before.itemCount());
    QVERIFY2(after.meta.preprocessing.find("/100") != std::string::npos,
             after.meta.preprocessing.c_str());
    QCOMPARE(session().activeAnalysis()->model, session().activeModel());
  }

  void theOfferGoesWithItsRuns() {
    openModel(sourceDir() / "tests/data/models/scripted.pt");
    openData(samples(20));
    accuracyOfMap();
    editModel();
    type("scale", "1/127.5");
    saveModel();
    QVERIFY(part<QToolButton>("errorOffer").isVisible());
    session().removeAnalysis(0);
    QVERIFY(!part<QToolButton>("errorOffer").isVisible());
  }

  void thePanelClosesWithItsModel() {
    openModel(sourceDir() / "tests/data/models/scripted.pt");
    editModel();
    session().removeModel(0);
    QTRY_VERIFY(!part<ModelPanel>("modelPanel").isVisible());
    QVERIFY(part<ModelPanel>("modelPanel").model() == nullptr);
  }

  void editsAreNotLostUnsaid() {
    openModel(sourceDir() / "tests/data/models/scripted.pt");
    auto& panel = part<ModelPanel>("modelPanel");
    auto& side = part<SidePanels>("side");
    editModel();
    part<QPushButton>("closeModelPanel").click();  // nothing was edited
    QVERIFY(!panel.isVisible());
    editModel();
    type("scale", "1/127.5");
    side.setNextAnswer(QMessageBox::Cancel);
    part<QPushButton>("closeModelPanel").click();
    QVERIFY(panel.isVisible());
    // Another panel is opened and left again: they are still there.
    part<QPushButton>("computeButton").click();
    QVERIFY(!panel.isVisible());
    editModel();
    QCOMPARE(field("scale").text(), QString("1/127.5"));
    side.setNextAnswer(QMessageBox::Cancel);
    QVERIFY(!window_->close());
    QVERIFY(window_->isVisible());
    // Saved when its model is closed, for the next time that the file is opened.
    side.setNextAnswer(QMessageBox::Save);
    session().removeModel(0);
    QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(dir_->file("net.json")), kPatience);
    QVERIFY(!panel.isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(!workbench().jobs().busy(), kPatience);
    workbench().opener().open({{dir_->file("net.pt"), FileKind::kModel, false, {}}});
    QTRY_COMPARE_WITH_TIMEOUT(session().models().size(), 1U, kPatience);
    QCOMPARE(session().activeModel()->metadata().preprocessing.scale, 1.0 / 127.5);
    editModel();
    type("scale", "1/100");
    side.setNextAnswer(QMessageBox::Discard);
    part<QPushButton>("closeModelPanel").click();
    QVERIFY(!panel.isVisible());
    editModel();
    QVERIFY(qFuzzyCompare(field("scale").text().toDouble(), 1.0 / 127.5));
  }

  void aNetworkOfSeveralOutputsIsOpenedWithTheOneChosen() {
    const std::string path = dir_->file("net.pt");
    std::filesystem::copy_file(sourceDir() / "tests/data/models/two_scores.pt", path);
    workbench().opener().open({{path, FileKind::kModel, false, {}}});
    QTRY_VERIFY_WITH_TIMEOUT(window_->findChild<OutputDialog*>() != nullptr, kPatience);
    const QStringList& messages = part<ErrorBanner>("errorBanner").messages();
    QCOMPARE(messages.size(), 1);
    auto& dialog = part<OutputDialog>("outputDialog");
    QVERIFY2(messages[0].contains(dialog.windowTitle(), Qt::CaseInsensitive),
             qPrintable(messages[0]));
    QVERIFY(!messages[0].contains("output_key"));
    QVERIFY(!dialog.isModal());
    auto& list = part<QListWidget>("outputList");
    QCOMPARE(list.count(), 3);
    QCOMPARE(list.item(0)->text(), "0 'map' [N, 4, 2, 2]");
    QVERIFY(!list.item(0)->flags().testFlag(Qt::ItemIsEnabled));
    QCOMPARE(list.currentRow(), 1);
    list.setCurrentRow(2);
    part<QPushButton>("openWithOutput").click();
    QTRY_COMPARE_WITH_TIMEOUT(session().models().size(), 1U, kPatience);
    const auto used = [this] {
      const auto& outputs = session().activeModel()->audit().outputs;
      return std::ranges::find_if(outputs, &OutputTensor::used)->name;
    };
    QCOMPARE(used(), std::string("auxiliary"));
    QVERIFY(part<ErrorBanner>("errorBanner").messages().isEmpty());
    const auto json = [this] {
      return nlohmann::json::parse(std::ifstream(dir_->file("net.json")));
    };
    QCOMPARE(json().dump(), std::string(R"({"output_key":"auxiliary"})"));
    // Later the panel changes it.
    editModel();
    auto& tensor = partOf<QComboBox>(part<QWidget>("preprocessingForm"), "output_tensor");
    QCOMPARE(tensor.currentText(), "2 'auxiliary' [N, 4]");
    const int logits = tensor.findText("1 'logits' [N, 4]");
    tensor.setCurrentIndex(logits);
    Q_EMIT tensor.activated(logits);
    saveModel();
    QCOMPARE(used(), std::string("logits"));
    QCOMPARE(json()["output_key"].get<std::string>(), std::string("logits"));
  }

  void aGuessMarksModelAndRunsUntilItIsSettled() {
    openModel(sourceDir() / "tests/data/models/frozen.pt");
    openData(samples(20));
    const auto model = [this]() -> WorkspaceRow& { return part<WorkspaceRow>("model0"); };
    QVERIFY(model().detail().contains("preprocessing guessed"));
    QCOMPARE(model().warnings().size(), 1);
    // No dropout is inserted into a model without any, unless the user asks for it.
    QCOMPARE(QString::fromStdString(methodName(workbench().computer().settings().method)),
             QString("map"));
    part<QPushButton>("computeButton").click();
    QCOMPARE(part<QComboBox>("methodChooser").currentData().toString(), QString("map"));
    QVERIFY(accuracyOfMap() >= 0.0);
    QVERIFY(part<WorkspaceRow>("run0").warnings().join(u'\n').contains("preprocessing is guessed"));
    QTest::mouseClick(&model(), Qt::LeftButton, {}, model().badgeRect().center());
    QVERIFY(part<QLabel>("modelPanelSource").text().contains("value range"));
    auto& preset = part<QComboBox>("presetChooser");
    preset.setCurrentIndex(preset.findText("MNIST", Qt::MatchStartsWith));
    Q_EMIT preset.activated(preset.currentIndex());
    saveModel();
    QVERIFY(!model().detail().contains("preprocessing guessed"));
    QVERIFY(model().warnings().isEmpty());
    QVERIFY(accuracyOfMap() >= 0.0);
    QVERIFY(!part<WorkspaceRow>("run1").warnings().join(u'\n').contains("guessed"));
  }

  void aGuessIsShownAndSettledByAPreset() {
    const auto shared = sharedDir();
    if (!shared) {
      QSKIP("real data is not here: set DUBITO_SHARED to the folder that holds datasets/");
    }
    openModel(*shared / "datasets/models/vit4mnist.ptl");
    openData("idx:" + (*shared / "datasets/mnist/t10k-images-idx3-ubyte.gz").string() +
             "?items=0:300");
    QVERIFY(part<WorkspaceRow>("model0").detail().contains("preprocessing guessed"));
    // Nothing is inserted into a model without dropout unless somebody asks for it.
    QCOMPARE(QString::fromStdString(methodName(workbench().computer().settings().method)),
             QString("map"));
    part<QPushButton>("computeButton").click();
    QCOMPARE(part<QComboBox>("methodChooser").currentData().toString(), QString("map"));
    const double guessed = accuracyOfMap();
    QVERIFY2(guessed < 0.95, qPrintable(QString::number(guessed)));
    QVERIFY(!guessedPreprocessing(session().activeAnalysis()->in().run->meta.notes).empty());
    QVERIFY(part<WorkspaceRow>("run0").warnings().join(u'\n').contains("preprocessing is guessed"));
    QVERIFY(part<WorkspaceRow>("model0").warnings().size() == 1);
    // The mark of the warning leads to where it is settled.
    auto& row = part<WorkspaceRow>("model0");
    QTest::mouseClick(&row, Qt::LeftButton, {}, row.badgeRect().center());
    QVERIFY(part<QLabel>("modelPanelSource").isVisible());
    QVERIFY(part<QLabel>("modelPanelSource").text().contains("value range"));
    auto& preset = part<QComboBox>("presetChooser");
    const int mnist = preset.findText("MNIST", Qt::MatchStartsWith);
    preset.setCurrentIndex(mnist);
    Q_EMIT preset.activated(mnist);
    saveModel();
    QVERIFY(!part<WorkspaceRow>("model0").detail().contains("preprocessing guessed"));
    const double declared = accuracyOfMap();
    QVERIFY2(declared > 0.97, qPrintable(QString::number(declared)));
    QVERIFY(guessedPreprocessing(session().activeAnalysis()->in().run->meta.notes).empty());
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::PreprocessingTest)
#include "model_panel_test.moc"
