// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/drop_target.h"

#include <QDragEnterEvent>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QUrl>

#include "tests/support/gui_test.h"

namespace dubito::test {

class DropTargetTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void takesLocalFilesOnly() {
    DropTarget target;
    target.resize(600, 400);
    QSignalSpy dropped(&target, &DropTarget::pathsDropped);
    QMimeData files;
    files.setUrls({QUrl::fromLocalFile("/data/model.pt"), QUrl("https://example.org/x.pt"),
                   QUrl::fromLocalFile("/data/images")});
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &files, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&target, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop({10, 10}, Qt::CopyAction, &files, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&target, &drop);
    QCOMPARE(dropped.count(), 1);
    QCOMPARE(dropped[0][0].toStringList(), QStringList({"/data/model.pt", "/data/images"}));

    QMimeData text;
    text.setText("no file");
    QDragEnterEvent wrong({10, 10}, Qt::CopyAction, &text, Qt::LeftButton, {});
    wrong.ignore();
    QCoreApplication::sendEvent(&target, &wrong);
    QVERIFY(!wrong.isAccepted());
  }

  void theButtonAsksForWhatItSays() {
    DropTarget target;
    target.setAction("Open…");
    target.show();
    auto* primary = target.findChild<QPushButton*>("dropPrimary");
    QVERIFY(primary->isVisible());
    QSignalSpy asked(&target, &DropTarget::primaryRequested);
    QTest::mouseClick(primary, Qt::LeftButton);
    QCOMPARE(asked.count(), 1);
    target.setAction({});
    QVERIFY(!primary->isVisible());
  }
};

}  // namespace dubito::test

#include "drop_target_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::DropTargetTest)
