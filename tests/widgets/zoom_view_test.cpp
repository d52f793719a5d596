// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/zoom_view.h"

#include <QSignalSpy>
#include <QTest>

#include "tests/support/gui_test.h"

namespace dubito::test {

class ZoomViewTest : public QObject {
  Q_OBJECT

 private:
  static QImage picture() {
    QImage image(20, 10, QImage::Format_RGB32);
    image.fill(Qt::red);
    return image;
  }

 private Q_SLOTS:
  void fitsTheWholeImage() {
    ZoomView view;
    view.resize(200, 200);
    view.setImage(picture(), {});
    QCOMPARE(view.imageRect(), QRectF(0, 50, 200, 100));
    QCOMPARE(view.zoom(), 1.0);
  }

  void zoomKeepsWhatIsBelowTheMouse() {
    ZoomView view;
    view.resize(200, 200);
    view.setImage(picture(), {});
    const QPointF mouse(60, 90);
    const auto shareAt = [&] {
      const QRectF rect = view.imageRect();
      return QPointF((mouse.x() - rect.x()) / rect.width(), (mouse.y() - rect.y()) / rect.height());
    };
    view.zoomBy(4.0, mouse);
    const QPointF before(0.3, 0.4);
    QCOMPARE(view.zoom(), 4.0);
    QVERIFY2(QLineF(shareAt(), before).length() < 1e-9,
             qPrintable(QString("%1 %2").arg(shareAt().x()).arg(shareAt().y())));
    // Never smaller than fitted, and then in its place again.
    view.zoomBy(0.01, QPointF(0, 0));
    QCOMPARE(view.imageRect(), QRectF(0, 50, 200, 100));
  }

  void asksForMorePixelsAndKeepsWhatIsInView() {
    ZoomView view;
    view.resize(200, 200);
    view.setImage(picture(), {});
    QSignalSpy enlarged(&view, &ZoomView::enlarged);
    view.zoomBy(3.0, QPointF(60, 90));
    QCOMPARE(enlarged.count(), 1);
    const QRectF before = view.imageRect();
    view.refine(picture().scaled(200, 100));
    QCOMPARE(view.imageRect(), before);
    QCOMPARE(view.image().size(), QSize(200, 100));
    view.zoomBy(0.01, QPointF(0, 0));
    QCOMPARE(enlarged.count(), 1);
  }

  void turnsAndBrightensOnlyWhatIsShown() {
    QImage stored(4, 2, QImage::Format_RGB888);
    stored.fill(QColor(100, 100, 100));
    stored.setPixelColor(0, 0, Qt::black);
    stored.setPixelColor(3, 0, Qt::white);
    ZoomView view;
    view.resize(200, 200);
    view.setImage(stored, {});
    view.turn(1);
    QCOMPARE(view.image().size(), QSize(2, 4));
    QCOMPARE(view.image().pixelColor(1, 0), QColor(Qt::black));
    QCOMPARE(view.image().pixelColor(1, 3), QColor(Qt::white));
    view.turn(3);
    QCOMPARE(view.image(), stored);
    view.setLight(0.2, 0.0);
    QCOMPARE(view.image().pixelColor(1, 1), QColor(151, 151, 151));
    QCOMPARE(view.image().pixelColor(0, 0), QColor(51, 51, 51));
    QCOMPARE(view.image().pixelColor(3, 0), QColor(Qt::white));
    view.setLight(0.0, -1.0);  // no contrast at all: middle grey
    QCOMPARE(view.image().pixelColor(0, 0), QColor(128, 128, 128));
    view.setLight(0.0, 0.5);  // 127.5 + 2 (100 - 127.5)
    QCOMPARE(view.image().pixelColor(1, 1), QColor(73, 73, 73));
    view.refine(stored.scaled(8, 4));
    QCOMPARE(view.image().pixelColor(3, 3), QColor(73, 73, 73));
    view.setLight(0.0, 0.0);
    view.turn(1);
    view.resetTurns();
    QCOMPARE(view.image().size(), QSize(8, 4));
  }

  void draggingStopsAtTheEdges() {
    ZoomView view;
    view.resize(200, 200);
    view.setImage(picture(), {});
    view.zoomBy(2.0, QPointF(100, 100));
    QTest::mousePress(&view, Qt::LeftButton, {}, QPoint(100, 100));
    QMouseEvent move(QEvent::MouseMove, QPointF(900, 100), view.mapToGlobal(QPointF(900, 100)),
                     Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&view, &move);
    QCOMPARE(view.imageRect(), QRectF(0, 0, 400, 200));
    QTest::mouseDClick(&view, Qt::LeftButton);
    QCOMPARE(view.zoom(), 1.0);
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ZoomViewTest)
#include "zoom_view_test.moc"
