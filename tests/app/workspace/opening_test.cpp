// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QSignalSpy>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "app/shell/error_banner.h"
#include "app/shell/open_menu.h"
#include "app/workspace/workspace_row.h"
#include "tests/app/support/labelled_images.h"
#include "tests/app/support/test_window.h"
#include "tests/support/shared_data.h"

namespace dubito::test {

/// How files come into the window: while it computes, and several at once.
class OpeningTest : public QObject, private TestWindow {
  Q_OBJECT

 private:
  Workbench& workbench() { return window_->workbench(); }
  static std::string network(const char* name) {
    return (sourceDir() / "tests/data/models" / name).string();
  }
  static std::string digits(int items) {
    const std::string base = (sourceDir() / "datasets/samples/mnist-2000").string();
    return "idx:" + base + "-images-idx3-ubyte.gz," + base +
           "-labels-idx1-ubyte.gz?items=0:" + std::to_string(items);
  }
  /// Two predictions without images.
  std::string predictions() {
    const std::string path = dir_->file("other.csv");
    std::ofstream(path) << "path,label,prob_0,prob_1\na.png,0,0.25,0.75\nb.png,1,0.5,0.5\n";
    return path;
  }
  void open(const std::string& specification, FileKind kind) {
    workbench().opener().open({{specification, kind, false, {}}});
  }
  [[nodiscard]] bool computes() { return workbench().computer().queue().running(); }
  /// Starts a computation that takes minutes.
  void computeForLong() {
    open(network("scripted.pt"), FileKind::kModel);
    QTRY_COMPARE_WITH_TIMEOUT(session().models().size(), 1U, kPatience);
    open(digits(2000), FileKind::kDataset);
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 1U, kPatience);
    ComputeSettings settings = workbench().computer().settings();
    std::get<McDropoutOptions>(settings.method).draws = 20000;
    settings.predict.batch = 50;
    settings.predict.keep_samples_mb = 0;
    QSignalSpy progress(&workbench().computer().queue().job(), &Job::progressChanged);
    workbench().computer().compute(settings);
    QTRY_VERIFY_WITH_TIMEOUT(progress.count() > 0, kPatience);
  }
  void endComputation() {
    workbench().computer().queue().remove(workbench().computer().queue().entries().front().id);
  }
  /// Types names into the Open dialog, as choosing several files does, and accepts it.
  void chooseInDialog(const QString& folder, const QString& names) {
    part<OpenMenu>("openMenu").openAny();
    auto& dialog = part<QFileDialog>("openDialog");
    dialog.setDirectory(folder);
    // As typed: the names of a line without the focus follow what is selected in the list.
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    auto* const line = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    line->setFocus();
    QTRY_VERIFY(line->hasFocus());
    line->clear();
    QTest::keyClicks(line, names);
    QCOMPARE(line->text(), names);
    QMetaObject::invokeMethod(&dialog, "accept");
    QTRY_VERIFY(window_->findChild<QFileDialog*>(QStringLiteral("openDialog")) == nullptr);
  }

 private Q_SLOTS:
  void init() {
    openFolder();
    settings_->setValue(QStringLiteral("review/folder"),
                        QString::fromStdString(dir_->file("reviews")));
    openWindow();
  }
  void cleanup() { closeAll(); }

  void everyKindOfFileOpensWhileSomethingIsComputed() {
    computeForLong();
    open("synthetic:glyphs?n=7", FileKind::kDataset);
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 2U, kPatience);
    open(network("traced_eval.pt"), FileKind::kModel);
    QTRY_COMPARE_WITH_TIMEOUT(session().models().size(), 2U, kPatience);
    open(predictions(), FileKind::kUnknown);
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 1U, kPatience);
    const std::string folder = dir_->file("labelled");
    writeImages(folder);
    open(writeLabels(folder, labelFormats().front()), FileKind::kLabels);
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 2U, kPatience);
    QVERIFY(computes());
    QVERIFY(workbench().opener().afterTheRun().empty());
    // The strip still shows the computation.
    QVERIFY2(part<QLabel>("progressTitle").text().startsWith("MC dropout"),
             qPrintable(part<QLabel>("progressTitle").text()));
    endComputation();
    QTRY_VERIFY_WITH_TIMEOUT(!workbench().jobs().busy(), kPatience);
  }

  void aNetworkThatMustWaitSaysSo() {
    computeForLong();
    open(network("noisy.pt"), FileKind::kModel);
    QTRY_VERIFY_WITH_TIMEOUT(window_->findChild<WorkspaceRow*>("waitingModel0") != nullptr,
                             kPatience);
    const auto& row = part<WorkspaceRow>("waitingModel0");
    QCOMPARE(row.text(), QString("noisy"));
    QCOMPARE(row.detail(), QString("opens after the run"));
    QVERIFY(computes());
    // It holds up nothing else.
    open("synthetic:glyphs?n=7", FileKind::kDataset);
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 2U, kPatience);
    QCOMPARE(session().models().size(), 1U);
    endComputation();
    QTRY_COMPARE_WITH_TIMEOUT(session().models().size(), 2U, kPatience);
    QVERIFY(window_->findChild<WorkspaceRow*>("waitingModel0") == nullptr);
    QVERIFY(!session().models().back().model->audit().unrepeatable.empty());
    QVERIFY(part<ErrorBanner>("errorBanner").messages().filter("noisy.pt: draws").isEmpty());
  }

  void whatWaitsIsForgottenOnCancel() {
    computeForLong();
    open(network("noisy.pt"), FileKind::kModel);
    QTRY_COMPARE_WITH_TIMEOUT(workbench().opener().afterTheRun().size(), 1U, kPatience);
    workbench().jobs().cancel();
    QVERIFY(workbench().opener().afterTheRun().empty());
    QTRY_VERIFY_WITH_TIMEOUT(!workbench().jobs().busy(), kPatience);
    QCOMPARE(session().models().size(), 1U);
  }

  void allFilesThatAreChosenAreOpened() {
    const QString folder = QString::fromStdString(dir_->file("chosen"));
    QVERIFY(QDir().mkpath(folder));
    for (const char* const name : {"scripted.pt", "traced_eval.pt"}) {
      std::filesystem::copy_file(network(name), dir_->path() / "chosen" / name);
    }
    chooseInDialog(folder, "\"scripted.pt\" \"traced_eval.pt\"");
    QTRY_COMPARE_WITH_TIMEOUT(session().models().size(), 2U, kPatience);
    QVERIFY(part<ErrorBanner>("errorBanner").messages().filter("no such file").isEmpty());
    // One that does not exist is reported, and the others are opened.
    chooseInDialog(folder, "\"scripted.pt\" \"missing.pt\"");
    QTRY_COMPARE_WITH_TIMEOUT(session().models().size(), 3U, kPatience);
    QTRY_VERIFY2_WITH_TIMEOUT(
        !part<ErrorBanner>("errorBanner").messages().filter("chosen/missing.pt").isEmpty(),
        qPrintable(part<ErrorBanner>("errorBanner").messages().join('\n')), kPatience);
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::OpeningTest)
#include "opening_test.moc"
