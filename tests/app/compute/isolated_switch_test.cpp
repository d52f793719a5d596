// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTest>
#include <filesystem>
#include <memory>

#include "app/compute/compute_panel.h"
#include "app/shell/error_banner.h"
#include "app/shell/main_window.h"
#include "tests/app/support/test_window.h"
#include "tests/app/support/workspace_files.h"
#include "tests/support/gui_test.h"
#include "widgets/progress_strip.h"

namespace dubito::test {

/// Computations in a process of their own, started from the window.
class IsolatedTest : public QObject, private TestWindow {
  Q_OBJECT

 private:
  std::unique_ptr<WorkspaceFiles> files_;

  void useStandIn(const std::string& script) {
    const std::string path = dir_->file("stand-in");
    writeBytes(path, "#!/bin/sh\n" + script + "\n");
    chmod(path.c_str(), 0700);
    window_->workbench().computer().setCliProgram(path);
  }
  void makeWindow() {
    openWindow();
    window_->workbench().opener().open({{files_->model, FileKind::kModel, false, "net"},
                                        {files_->digits, FileKind::kDataset, false, "digits"}});
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 1U, kPatience);
    window_->setComputeOpen(true);
    part<ComputePanel>("computePanel").chooseMethod(QStringLiteral("map"));
  }
  void startIsolated() {
    part<QCheckBox>("isolatedCheck").setChecked(true);
    QTRY_VERIFY_WITH_TIMEOUT(part<QPushButton>("startCompute").isEnabled(), kPatience);
    part<QPushButton>("startCompute").click();
  }
  const QStringList& messages() { return part<ErrorBanner>("errorBanner").messages(); }

 private Q_SLOTS:
  void init() {
    openFolder();
    files_ = std::make_unique<WorkspaceFiles>(dir_->file("tree"));
    makeWindow();
  }
  void cleanup() {
    closeAll();
    files_.reset();
  }

  void theChildsRunIsShownLikeAnyOther() {
    startIsolated();
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 1U, kPatience);
    QCOMPARE(session().activeAnalysis()->itemCount(), 30);
    QVERIFY(session().activeAnalysis()->in().dataset != nullptr);
    QCOMPARE(otherMessages(), QStringList());
  }

  void aCrashEndsTheComputationAndNotTheWindow() {
    useStandIn("kill -SEGV $$");
    startIsolated();
    QTRY_COMPARE_WITH_TIMEOUT(messages().size(), 1, kPatience);
    QVERIFY(messages().front().contains("killed by signal 11"));
    QVERIFY(!window_->workbench().jobs().busy());
    QVERIFY(window_->workbench().computer().canCompute());
    QVERIFY(session().analyses().empty());
  }

  void cancellingAChildThatNeverEndsFreesTheWindow() {
    useStandIn("trap '' TERM; echo > " + dir_->file("up") + "; while :; do sleep 0.05; done");
    startIsolated();
    QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(dir_->file("up")), kPatience);
    window_->workbench().jobs().cancel();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workbench().jobs().busy(), kPatience);
    QVERIFY(window_->workbench().computer().canCompute());
    QVERIFY(messages().isEmpty());
  }

  void theChoiceIsRemembered() {
    QVERIFY(!part<QCheckBox>("isolatedCheck").isChecked());
    part<QCheckBox>("isolatedCheck").setChecked(true);
    window_.reset();
    makeWindow();
    QVERIFY(part<QCheckBox>("isolatedCheck").isChecked());
  }

  void anEnsembleOfRunsSaysWhyItStaysInTheWindow() {
    QVERIFY(part<QCheckBox>("isolatedCheck").isEnabled());
    QVERIFY(part<QLabel>("isolatedNote").isHidden());
    part<ComputePanel>("computePanel").chooseMethod(QStringLiteral("ensemble"));
    QVERIFY(!part<QCheckBox>("isolatedCheck").isEnabled());
    QVERIFY(part<QLabel>("isolatedNote").text().contains("in memory"));
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::IsolatedTest)
#include "isolated_switch_test.moc"
