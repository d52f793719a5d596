// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "app/compute/compute_panel.h"
#include "app/pictures/large_image.h"
#include "app/shell/error_banner.h"
#include "app/shell/open_menu.h"
#include "app/shell/specification_dialog.h"
#include "app/workbench/demo.h"
#include "app/workspace/workspace_row.h"
#include "tests/app/support/test_window.h"
#include "tests/core/data/ramp_kind.h"
#include "tests/support/shared_data.h"
#include "widgets/card.h"
#include "widgets/image_gallery.h"

namespace dubito::test {

/// What can be done with datasets in the window.
class DatasetsTest : public QObject, private TestWindow {
  Q_OBJECT

 private:
  static std::string digits(int items, const std::string& more = {}) {
    const std::string base = (sourceDir() / "datasets/samples/mnist-2000").string();
    return "idx:" + base + "-images-idx3-ubyte.gz," + base +
           "-labels-idx1-ubyte.gz?items=0:" + std::to_string(items) + more;
  }
  Workbench& workbench() { return window_->workbench(); }
  void openNetwork() {
    workbench().opener().open(
        {{(sourceDir() / "tests/data/models/scripted.pt").string(), FileKind::kModel, false, {}}});
    QTRY_COMPARE_WITH_TIMEOUT(session().models().size(), 1U, kPatience);
  }
  void openData(const std::string& specification, const std::string& name) {
    const std::size_t before = session().datasets().size();
    workbench().opener().open({{specification, FileKind::kDataset, false, name}});
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), before + 1, kPatience);
  }
  /// A folder with one class a subfolder, none of which is a digit.
  QString petFolder() {
    const QDir dir(QString::fromStdString(dir_->file("pets")));
    for (const char* const name : {"cat", "dog"}) {
      const QString folder = dir.filePath(QLatin1String(name));
      QDir().mkpath(folder);
      for (int i = 0; i < 3; ++i) {
        QImage image(28, 28, QImage::Format_Grayscale8);
        image.fill(40 * i + 60);
        image.save(QDir(folder).filePath(QStringLiteral("%1.png").arg(i)));
      }
    }
    return dir.path();
  }
  void computeMap() {
    const std::size_t before = session().analyses().size();
    ComputeSettings settings = workbench().computer().settings();
    settings.method = MapOptions{};
    workbench().computer().compute(settings);
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), before + 1, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!workbench().jobs().busy(), kPatience);
  }
  /// An action of a row's menu.
  void trigger(const char* row, const char* action) {
    const auto actions = part<WorkspaceRow>(row).actions();
    const auto found = std::ranges::find(actions, QLatin1String(action), &QAction::objectName);
    QVERIFY2(found != actions.end(), action);
    (*found)->trigger();
  }
  /// Types a name into the Open dialog and accepts it.
  void typeIntoOpenDialog(const QString& folder, const QString& name) {
    part<OpenMenu>("openMenu").openAny();
    auto& dialog = part<QFileDialog>("openDialog");
    QVERIFY(dialog.isVisible());
    QVERIFY(!dialog.isModal());
    if (!folder.isEmpty()) {
      dialog.setDirectory(folder);
    }
    dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(name);
    QMetaObject::invokeMethod(&dialog, "accept");
    QTRY_VERIFY(window_->findChild<QFileDialog*>(QStringLiteral("openDialog")) == nullptr);
  }
  QStringList messages() { return part<ErrorBanner>("errorBanner").messages(); }
  /// Whether the middle of a button shows anything but its background.
  static bool showsItsIcon(QToolButton& button) {
    const QImage whole = button.grab().toImage();
    const QImage middle = whole.copy(whole.rect().marginsRemoved(QMargins(3, 3, 3, 3)));
    for (int y = 0; y < middle.height(); ++y) {
      for (int x = 0; x < middle.width(); ++x) {
        if (middle.pixel(x, y) != middle.pixel(0, 0)) {
          return true;
        }
      }
    }
    return false;
  }

 private Q_SLOTS:
  void init() {
    openFolder();
    openWindow();
  }
  void cleanup() { closeAll(); }

  void oodImagesWithClassesOfTheirOwnAreEvaluated() {
    openNetwork();
    openData(digits(30), "digits");
    part<OpenMenu>("openMenu").setNextFileName(petFolder());
    part<QAction>("openOodFolder").trigger();
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 2U, kPatience);
    computeMap();
    const AnalysisPtr analysis = session().activeAnalysis();
    QCOMPARE(analysis->parts.size(), 2U);
    QCOMPARE(analysis->overview.ood, 6);
    const Run& pets = *analysis->parts[1].run;
    QCOMPARE(pets.meta.role, std::string("ood"));
    QVERIFY(std::ranges::all_of(pets.labels.values(), [](auto label) { return label == -1; }));
  }

  void aDatasetMarkedAsOodIsEvaluatedWithoutItsClasses() {
    openNetwork();
    openData(petFolder().toStdString(), "pets");
    openData(digits(30), "digits");
    trigger("dataset0", "toggleOod");
    computeMap();
    QCOMPARE(session().activeAnalysis()->overview.ood, 6);
    QCOMPARE(otherMessages(), QStringList());
  }

  void aDatasetIsBrowsedWhileARunIsShown() {
    openNetwork();
    openData(digits(30), "digits");
    openData("synthetic:glyphs?n=7&role=ood", "glyphs");
    computeMap();
    QTRY_VERIFY(session().listing().items() != nullptr);
    const auto listed = static_cast<qint64>(session().listing().items()->size());
    QVERIFY(listed != 7 && listed != 30);
    const ImageGallery& gallery = part<ImageGallery>("imagesGallery");
    const auto& page = part<QWidget>("imagesPage");
    QPushButton& back = part<QPushButton>("backToRun");
    part<WorkspaceRow>("dataset1").click();
    QVERIFY(page.isVisible());
    QCOMPARE(gallery.count(), 7);
    QVERIFY(part<Card>("imagesCard").subtitle().startsWith("7 items of"));
    QVERIFY(back.isVisible());
    QVERIFY(!part<QComboBox>("sortChooser").isVisible());
    QTRY_VERIFY(gallery.hasThumbnail(0));
    part<WorkspaceRow>("dataset0").click();
    QCOMPARE(gallery.count(), 30);
    // The Overview is of the run.
    QCOMPARE(part<ImageGallery>("overviewGallery").count(), listed);
    back.click();
    QCOMPARE(gallery.count(), listed);
    QVERIFY(!back.isVisible());
    QVERIFY(part<QComboBox>("sortChooser").isVisible());
    part<WorkspaceRow>("dataset1").click();
    part<WorkspaceRow>("run0").click();
    QCOMPARE(gallery.count(), listed);
    QTRY_VERIFY(gallery.hasThumbnail(gallery.item(0).key));
  }

  void theLargeImageAndTheKeysAreOfWhatIsBrowsed() {
    openNetwork();
    openData(digits(30), "digits");
    openData("synthetic:glyphs?n=7&role=ood", "glyphs");
    computeMap();
    QTRY_VERIFY(session().listing().primaryPosition() == 0);
    part<WorkspaceRow>("dataset1").click();
    ImageGallery& gallery = part<ImageGallery>("imagesGallery");
    QTest::keyClick(window_.get(), Qt::Key_D);
    QTest::keyClick(window_.get(), Qt::Key_D);
    QCOMPARE(session().browsedItem(), 2);
    QCOMPARE(gallery.primary(), 2);
    QCOMPARE(session().listing().primaryPosition(), 0);  // of the run, which is not seen
    Q_EMIT gallery.activated(2);
    auto& large = part<LargeImage>("largeImage");
    QVERIFY(large.isVisible());
    QCOMPARE(large.windowTitle(), QString("#2"));
    QVERIFY(part<QLabel>("largeImageCaption").text().contains("glyphs"));
    QTRY_VERIFY(large.settled());
    QTest::keyClick(&large, Qt::Key_A);
    QCOMPARE(large.windowTitle(), QString("#1"));
    part<QPushButton>("backToRun").click();
    QVERIFY(part<QLabel>("largeImageCaption").text().contains("predicted"));
    large.close();
  }

  void twoDatasetsThatAreEditedInARowAreBothOpenedAgain() {
    openData(digits(30), "a");
    openData(digits(40), "b");
    const DatasetPtr a = session().datasets()[0].dataset;
    const DatasetPtr b = session().datasets()[1].dataset;
    workbench().opener().reopenDataset(a, "a", digits(10));
    workbench().opener().reopenDataset(b, "b", digits(20));
    workbench().opener().reopenDataset(a, "renamed", digits(5));
    QTRY_VERIFY_WITH_TIMEOUT(session().datasets()[1].dataset->size() == 20, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(session().datasets()[0].dataset->size() == 5, kPatience);
    QCOMPARE(session().datasets()[0].name, QString("renamed"));
    QVERIFY(messages().isEmpty());
    // What is closed or marked meanwhile is not silently left as it was.
    workbench().opener().reopenDataset(session().datasets()[0].dataset, "renamed", digits(7));
    session().setOod(0, true);
    QTRY_VERIFY_WITH_TIMEOUT(!messages().isEmpty(), kPatience);
    QVERIFY2(messages().front().contains("renamed"), qPrintable(messages().front()));
  }

  void aPanelThatEndsLeavesTheOthersOpen() {
    openNetwork();
    openData(digits(30), "digits");
    trigger("dataset0", "editDataset");
    part<QPushButton>("closeDatasetPanel").click();
    part<QPushButton>("computeButton").click();
    QVERIFY(part<QWidget>("computePanel").isVisible());
    trigger("dataset0", "toggleOod");
    QVERIFY(part<QWidget>("computePanel").isVisible());
  }

  void theMenuOfARowGoesWithTheRow() {
    openData(digits(30), "digits");
    auto& row = part<WorkspaceRow>("dataset0");
    QContextMenuEvent click(QContextMenuEvent::Mouse, QPoint(5, 5), row.mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(&row, &click);
    QPointer<QWidget> menu = QApplication::activePopupWidget();
    QVERIFY(menu);
    // The list is built again while the menu is open.
    openData(digits(20), "more");
    QTRY_VERIFY(!menu);
    // The new rows are laid out a moment later.
    QTRY_VERIFY(part<WorkspaceRow>("dataset0").isVisible());
  }

  void theRoleOfADatasetIsChosenInItsEditor() {
    openNetwork();
    openData(digits(60, "&name=evaluated"), "evaluated");
    openData("synthetic:glyphs?characters=10&n=50", "held out");
    session().setActiveDataset(0);
    part<QPushButton>("computeButton").click();
    part<ComputePanel>("computePanel").chooseMethod("temperature");
    trigger("dataset1", "editDataset");
    QVERIFY(part<QWidget>("datasetPanel").isVisible());
    auto& form = part<QWidget>("datasetForm");
    auto& role = partOf<QComboBox>(form, "role");
    QCOMPARE(role.currentText(), QString("test"));
    role.setCurrentText("calibration");
    Q_EMIT role.activated(role.currentIndex());
    auto& items = partOf<QLineEdit>(form, "items");
    QTest::keyClicks(&items, "10:40x");
    QVERIFY(!part<QPushButton>("applyDataset").isEnabled());
    QVERIFY(part<QLabel>("datasetPanelProblem").isVisible());
    QTest::keyClick(&items, Qt::Key_Backspace);
    part<QPushButton>("applyDataset").click();
    QTRY_VERIFY_WITH_TIMEOUT(session().datasets()[1].dataset->info().role == Role::kCalibration,
                             kPatience);
    QCOMPARE(session().datasets()[1].dataset->size(), 30);
    QCOMPARE(session().datasets()[1].name, QString("held out"));
    QCOMPARE(session().activeDatasetPosition(), 0);
    QVERIFY(!part<QWidget>("datasetPanel").isVisible());
    QCOMPARE(part<QComboBox>("calibrationChooser").currentText(), QString("held out"));
    QVERIFY(part<QPushButton>("startCompute").isEnabled());
    QVERIFY(messages().isEmpty());
  }

  void aFileCalledTrainIsNotEvaluated() {
    openNetwork();
    for (const char* const kind : {"images-idx3", "labels-idx1"}) {
      const QString name = QStringLiteral("-%1-ubyte.gz").arg(QLatin1String(kind));
      QFile::copy(
          QString::fromStdString((sourceDir() / "datasets/samples/mnist-2000").string()) + name,
          QString::fromStdString(dir_->file("train")) + name);
    }
    openData(dir_->file("train-images-idx3-ubyte.gz"), {});
    const DatasetEntry& entry = session().datasets()[0];
    QVERIFY(entry.dataset->info().role == Role::kTrain);
    QVERIFY(part<WorkspaceRow>("dataset0").detail().contains("train"));
    QVERIFY(session().activeDataset() == nullptr);
    QString reason;
    QVERIFY(!workbench().computer().canCompute(&reason));
    QVERIFY2(reason.contains("to test in its menu"), qPrintable(reason));
    QVERIFY(messages().join('\n').contains("because of its name"));
    // Looking at its images does not make it the evaluated one; saying so does.
    part<WorkspaceRow>("dataset0").click();
    QCOMPARE(part<ImageGallery>("imagesGallery").count(), 2000);
    QVERIFY(session().activeDataset() == nullptr);
    trigger("dataset0", "evaluateOn");
    QVERIFY(workbench().computer().canCompute());
    // What was said of it goes with it.
    session().removeDataset(0);
    QVERIFY(!messages().join('\n').contains("because of its name"));
  }

  void theOpenDialogTakesAnyNameAndRemembersItsFolder() {
    const QString folder = QString::fromStdString(dir_->file("somewhere"));
    QVERIFY(QDir().mkpath(folder));
    typeIntoOpenDialog(folder, "missing.pt");
    QTRY_VERIFY_WITH_TIMEOUT(!messages().isEmpty(), kPatience);
    QVERIFY2(messages().front().contains("somewhere/missing.pt"), qPrintable(messages().front()));
    QVERIFY2(messages().front().contains("; "), qPrintable(messages().front()));
    // The dialog keeps its folder by itself; after a restart only the settings know it.
    QCOMPARE(RecentFiles(*settings_).folder(), QDir(folder).absolutePath());
    typeIntoOpenDialog({}, "synthetic:glyphs?n=5&role=calibration");
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 1U, kPatience);
    QVERIFY(session().datasets()[0].dataset->info().role == Role::kCalibration);
    part<OpenMenu>("openMenu").openAny();
    auto& dialog = part<QFileDialog>("openDialog");
    QCOMPARE(dialog.directory().absolutePath(), QDir(folder).absolutePath());
    for (QToolButton* const button : dialog.findChildren<QToolButton*>()) {
      if (button->isVisible()) {
        QVERIFY2(!button->icon().isNull(), qPrintable(button->objectName()));
        QVERIFY2(showsItsIcon(*button), qPrintable(button->objectName()));
      }
    }
    dialog.close();
  }

  void datasetsAreOpenedAsText() {
    part<QAction>("openSpecification").trigger();
    auto& dialog = part<SpecificationDialog>("specificationDialog");
    QVERIFY(dialog.isVisible());
    QVERIFY(!dialog.isModal());
    auto& open = part<QPushButton>("openSpecificationText");
    QVERIFY(!open.isEnabled());
    part<QLineEdit>("specificationText").setText(" synthetic:moons?n=12&role=calibration ");
    open.click();
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 1U, kPatience);
    QCOMPARE(session().datasets()[0].dataset->size(), 12);
    part<QAction>("synthetic:glyphs?n=1000").trigger();
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 2U, kPatience);
    QCOMPARE(session().datasets()[1].dataset->size(), 1000);
    QVERIFY(messages().isEmpty());
  }

  void aKindThatIsAddedIsOfferedEverywhere() {
    addRampKind();
    openWindow();
    part<QAction>("openDataset").trigger();
    auto& dialog = part<QFileDialog>("openDialog");
    const QStringList filters = dialog.nameFilters();
    for (const char* const pattern : {"*ubyte*", "*_batch*.bin", "*.npz", "*.csv", "*.ramp"}) {
      QVERIFY2(filters.front().contains(QLatin1String(pattern)), pattern);
    }
    QVERIFY2(filters.contains("Ramps (*.ramp)"), qPrintable(filters.join('\n')));
    dialog.close();
    part<QAction>("openSpecification").trigger();
    auto& examples = part<QListWidget>("specificationExamples");
    QCOMPARE(examples.findItems("ramp:FILE?count=9", Qt::MatchStartsWith).size(), 1);
    part<SpecificationDialog>("specificationDialog").close();
    // A file that is dropped on the window, without its kind.
    const std::string path = dir_->file("numbers.ramp");
    writeBytes(path, kRampBytes);
    workbench().opener().open({{path, FileKind::kUnknown, false, {}}});
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 1U, kPatience);
    QCOMPARE(session().datasets()[0].name, QString("numbers"));
    trigger("dataset0", "editDataset");
    auto& form = part<QWidget>("datasetForm");
    partOf<QLineEdit>(form, "count").clear();
    QTest::keyClicks(&partOf<QLineEdit>(form, "count"), "7");
    part<QPushButton>("applyDataset").click();
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets()[0].dataset->size(), 7, kPatience);
    QVERIFY(messages().isEmpty());
  }

  void whatIsComputedOfTheDemoEndsWithIt() {
    workbench().opener().openDemo();
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 5U, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(workbench().computer().queue().running(), kPatience);
    part<QToolButton>("closeDemo").click();
    QVERIFY(!session().hasDemo());
    QTRY_VERIFY_WITH_TIMEOUT(!workbench().jobs().busy(), kPatience);
    QVERIFY(session().analyses().empty());
    QVERIFY(messages().isEmpty());
  }

  void anUnsavedRunThatWasClosedComesBack() {
    openNetwork();
    openData(digits(30), "digits");
    computeMap();
    const AnalysisPtr run = session().activeAnalysis();
    trigger("run0", "closeRun");
    QVERIFY(session().analyses().empty());
    QVERIFY2(messages().join('\n').contains("MAP"), qPrintable(messages().join('\n')));
    auto& reopen = part<QAction>("commandReopen");
    QVERIFY(reopen.isEnabled());
    reopen.trigger();
    QCOMPARE(session().activeAnalysis(), run);
    QVERIFY(!reopen.isEnabled());
    QVERIFY(!messages().join('\n').contains("Closed without saving"));
  }

  void theDemoIsClosedWithOneClick() {
    workbench().opener().open(demoRequests(*findSamples()));
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 5U, kPatience);
    auto& offer = part<QWidget>("demoOffer");
    QVERIFY(!offer.isVisible());
    QVERIFY(part<QToolButton>("closeDemo").isVisible());
    computeMap();
    openData(digits(30), "mine");
    QVERIFY(offer.isVisible());
    part<QPushButton>("acceptDemoOffer").click();
    QVERIFY(!session().hasDemo());
    QCOMPARE(session().datasets().size(), 1U);
    QCOMPARE(session().datasets()[0].name, QString("mine"));
    QVERIFY(session().models().empty());
    QVERIFY(session().analyses().empty());
    QVERIFY(!offer.isVisible());
    QVERIFY(!part<QToolButton>("closeDemo").isVisible());
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::DatasetsTest)
#include "dataset_panel_test.moc"
