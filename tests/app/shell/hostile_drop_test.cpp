// SPDX-License-Identifier: GPL-3.0-or-later
// Networks of unknown origin dropped on the window.
#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QToolButton>
#include <filesystem>

#include "app/shell/error_banner.h"
#include "app/shell/file_drop.h"
#include "core/base/sample_files.h"
#include "tests/app/support/test_window.h"
#include "tests/hostile/network_archive.h"

namespace dubito::test {

class HostileDropTest : public QObject, TestWindow {
  Q_OBJECT

  void drop(const QString& path) {
    window_->fileDrop().open({path}, false);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workbench().jobs().busy(), kPatience);
  }

 private Q_SLOTS:
  void init() {
    openFolder();
    settings_->setValue(QStringLiteral("models/confine_unknown"), true);
    openWindow();
    window_->workbench().computer().setCliProgram(DUBITO_CLI);
  }
  void cleanup() { closeAll(); }

  void aNetworkThatWritesIsRefusedAndTheWindowLivesOn() {
    writeBytes(dir_->path() / "net.pt",
               buildArchive({.program = "  def forward(self: __torch__.Net,\n"
                                        "    x: Tensor) -> Tensor:\n"
                                        "    torch.save(x, \"w\")\n    return x\n"}));
    QSignalSpy failed(&window_->workbench().messages(), &Messages::failed);
    drop(QString::fromStdString(dir_->file("net.pt")));
    QCOMPARE(failed.count(), 1);
    QVERIFY(failed.front().front().toString().contains(QLatin1String("aten::save")));
    QVERIFY(session().models().empty());
    QVERIFY(!std::filesystem::exists("w"));
    drop(QString::fromStdString(*findSampleFile("lenet-mnist.pt")));
    QCOMPARE(session().models().size(), 1U);
  }

  void linesThatExportAForeignFileCanBeCopied() {
    writeBytes(dir_->path() / "<b>best.safetensors", std::string("@\0\0\0\0\0\0\0{\"w\":", 13));
    drop(QString::fromStdString(dir_->file("<b>best.safetensors")));
    auto* const copy = window_->findChild<QToolButton*>(QStringLiteral("errorOffer"));
    QVERIFY(copy->isVisible());
    QTest::mouseClick(copy, Qt::LeftButton);
    const QString lines = QGuiApplication::clipboard()->text();
    QVERIFY(lines.contains(QLatin1String("load_model(model, \"")));
    QVERIFY(lines.contains(QLatin1String("torch.export.save(program, \"_b_best.pt2\")")));
    // A name is never markup.
    QVERIFY(copy->toolTip().contains(QLatin1String("&lt;b&gt;best")));
    window_->findChild<ErrorBanner*>()->dismiss();
    writeBytes(dir_->path() / "broken.pt", "PK\x03\x04");
    drop(QString::fromStdString(dir_->file("broken.pt")));
    QVERIFY(!copy->isVisible());
  }

  void aNetworkIsOpenedByAnotherProcessTheFirstTimeOnly() {
    const QString path = QString::fromStdString(*findSampleFile("lenet-mnist.pt"));
    drop(path);
    QCOMPARE(session().models().size(), 1U);
    openWindow();
    window_->workbench().computer().setCliProgram("/nonexistent/dubito-cli");
    QSignalSpy failed(&window_->workbench().messages(), &Messages::failed);
    drop(path);
    QCOMPARE(failed.count(), 0);
    QCOMPARE(session().models().size(), 1U);
  }
};

}  // namespace dubito::test

#include "hostile_drop_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::HostileDropTest)
