// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <filesystem>

#include "app/explore/start_page.h"
#include "app/files/recent_files.h"
#include "app/shell/error_banner.h"
#include "app/workspace/workspace_row.h"
#include "tests/app/support/test_window.h"
#include "tests/support/shared_data.h"

namespace dubito::test {

/// What the window shows while nothing is open.
class StartPageTest : public QObject, private TestWindow {
  Q_OBJECT

 private:
  WorkspaceRow* recent(int number) {
    return part<QWidget>("recentColumn")
        .findChild<WorkspaceRow*>(QStringLiteral("recent%1").arg(number));
  }
  /// A copy of a small network.
  QString modelFile(const char* name) {
    const std::string path = dir_->file(name);
    std::filesystem::copy_file(sourceDir() / "tests/data/models/scripted.pt", path);
    return QString::fromStdString(path);
  }

 private Q_SLOTS:
  void init() { openFolder(); }
  void cleanup() { closeAll(); }

  void itOffersTheCommandsOfTheMenus() {
    openWindow();
    QVERIFY(part<StartPage>("startPage").isVisible());
    const std::pair<const char*, QString> commands[] = {
        {"openDemo", QStringLiteral("Open the demo")},
        {"openModel", QStringLiteral("Open model…")},
        {"openWorkspace", QStringLiteral("Open workspace…")}};
    for (const auto& [name, text] : commands) {
      auto& button = part<QPushButton>(qPrintable(QStringLiteral("start-") + name));
      QVERIFY2(button.isVisible(), name);
      QCOMPARE(button.text(), text);
      auto& action = part<QAction>(name);
      // What the menu does is not to happen here.
      action.disconnect(SIGNAL(triggered(bool)));
      const QSignalSpy triggered(&action, &QAction::triggered);
      button.click();
      QCOMPARE(triggered.count(), 1);
    }
    QVERIFY(part<QLabel>("startText").text().contains("uncertain"));
    QVERIFY(part<QLabel>("dropHeadline").isVisible());
    QVERIFY(recent(0) == nullptr);
  }

  void theFilesOpenedLastAreListedAndMissingOnesMarked() {
    const QString there = modelFile("there.pt");
    const QString gone = QString::fromStdString(dir_->file("gone.pt"));
    const QString pair = QStringLiteral("idx:%1,%2?items=0:5").arg(there, gone);
    RecentFiles files(*settings_);
    for (int i = 0; i < StartPage::kMaxRecent; ++i) {
      files.add(QStringLiteral("synthetic:moons?n=%1").arg(10 + i));
    }
    files.add(pair);
    files.add(gone);
    files.add(there);
    openWindow();
    QCOMPARE(recent(0)->text(), "there.pt");
    QCOMPARE(recent(1)->text(), "gone.pt");
    QCOMPARE(recent(1)->detail(), QFileInfo(gone).path());
    QCOMPARE(recent(2)->text(), "there.pt");
    QCOMPARE(recent(2)->detail(), QFileInfo(there).path());
    QCOMPARE(recent(3)->text(), "synthetic:moons?n=15");
    QCOMPARE(recent(3)->detail(), "");
    QVERIFY(recent(StartPage::kMaxRecent - 1) != nullptr);
    QVERIFY(recent(StartPage::kMaxRecent) == nullptr);
    QTRY_COMPARE(recent(1)->figure(), "missing");
    QTRY_COMPARE(recent(2)->figure(), "missing");
    QCOMPARE(recent(0)->figure(), "");
    QCOMPARE(recent(3)->figure(), "");
    QVERIFY(recent(1)->toolTip().contains(gone));
  }

  void aRecentFileOpensAndThePageGivesWay() {
    RecentFiles(*settings_).add(modelFile("net.pt"));
    openWindow();
    auto& beginning = part<QWidget>("beginning");
    QVERIFY(beginning.isVisible());
    recent(0)->click();
    QTRY_COMPARE_WITH_TIMEOUT(session().models().size(), 1U, kPatience);
    QTRY_VERIFY(!beginning.isVisible());
    QTRY_VERIFY(part<QLabel>("dropHeadline").text().contains("images"));
    session().removeModel(0);
    QTRY_VERIFY(beginning.isVisible());
    QCOMPARE(recent(0)->text(), "net.pt");
  }

  void aMissingFileIsNamedAndLeavesTheList() {
    const QString gone = QString::fromStdString(dir_->file("gone.pt"));
    RecentFiles(*settings_).add(gone);
    openWindow();
    QVERIFY(recent(0) != nullptr);
    recent(0)->click();
    QTRY_VERIFY_WITH_TIMEOUT(recent(0) == nullptr, kPatience);
    QVERIFY(part<QWidget>("beginning").isVisible());
    QVERIFY(RecentFiles(*settings_).list().isEmpty());
  }

  void whatIsOpenedElsewhereIsListedWhenThePageComesBack() {
    openWindow();
    QVERIFY(recent(0) == nullptr);
    window_->workbench().opener().open(
        {{modelFile("later.pt").toStdString(), FileKind::kModel, false, {}}});
    QTRY_COMPARE_WITH_TIMEOUT(session().models().size(), 1U, kPatience);
    QTRY_VERIFY(!window_->workbench().jobs().busy());
    session().removeModel(0);
    QTRY_VERIFY(recent(0) != nullptr);
    QCOMPARE(recent(0)->text(), "later.pt");
  }
};

}  // namespace dubito::test

#include "start_page_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::StartPageTest)
