// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/image_gallery.h"

#include <QPainter>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>

#include "tests/support/gui_test.h"
#include "tests/widgets/preview_data.h"
#include "widgets/image_view.h"
#include "widgets/theme.h"

namespace dubito::test {
namespace {

void show(ImageGallery& gallery) {
  gallery.resize(600, 400);
  gallery.show();
  (void)QTest::qWaitForWindowExposed(&gallery);
}

QVector<qint64> keysOf(const QSignalSpy& spy, qsizetype call) {
  return spy[call][0].value<QVector<qint64>>();
}

}  // namespace

class ImageGalleryTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void asksForTheVisibleImagesOnly() {
    ImageGallery gallery;
    QSignalSpy needed(&gallery, &ImageGallery::thumbnailsNeeded);
    gallery.setItems(galleryItems(500));
    show(gallery);
    QTRY_COMPARE(needed.count(), 1);
    const QVector<qint64> keys = keysOf(needed, 0);
    QVERIFY(keys.size() >= gallery.columns() * 3 && keys.size() < 100);
    QCOMPARE(keys.first(), 1000);
    for (const qint64 key : keys) {
      gallery.setThumbnail(key, digitImage(3, false));
    }
    // Scrolled to the end: one more question, about the last ones.
    gallery.verticalScrollBar()->setValue(gallery.verticalScrollBar()->maximum() / 2);
    gallery.verticalScrollBar()->setValue(gallery.verticalScrollBar()->maximum());
    QTRY_COMPARE(needed.count(), 2);
    QCOMPARE(keysOf(needed, 1).last(), 1499);
    QVERIFY(!keysOf(needed, 1).contains(1000));
  }

  void aSingleStepDoesNotWaitForItsImages() {
    ImageGallery gallery;
    gallery.setItems(galleryItems(500));
    show(gallery);
    QTest::qWait(200);  // nothing moves any more
    QSignalSpy needed(&gallery, &ImageGallery::thumbnailsNeeded);
    gallery.verticalScrollBar()->setValue(gallery.verticalScrollBar()->maximum());
    deliverEvents();
    QCOMPARE(needed.count(), 1);
    QCOMPARE(keysOf(needed, 0).last(), 1499);
    // A step that changes several things asks once, for what is visible in the end.
    QTest::qWait(200);
    gallery.verticalScrollBar()->setValue(100);
    gallery.setThumbnailSize(64);
    gallery.verticalScrollBar()->setValue(0);
    deliverEvents();
    QCOMPARE(needed.count(), 2);
    QCOMPARE(keysOf(needed, 1).first(), 1000);
    QTest::qWait(200);
    QCOMPARE(needed.count(), 2);
  }

  void aMillionItemsAreNoWork() {
    ImageGallery gallery;
    qint64 asked = 0;
    gallery.setItems(1000000, [&asked](qint64 position) {
      ++asked;
      GalleryItem item;
      item.key = position;
      item.label_predicted = QString::number(position % 10);
      item.measure = "0.50";
      return item;
    });
    show(gallery);
    gallery.setFocus();
    QTest::keyClick(&gallery, Qt::Key_End);
    QCOMPARE(gallery.primary(), 999999);
    deliverEvents();
    QVERIFY2(asked < 5000, qPrintable(QString::number(asked)));
    QVERIFY(gallery.viewport()->rect().contains(gallery.itemRect(999999)));
  }

  void keysMoveThePrimaryItem() {
    ImageGallery gallery;
    gallery.setItems(galleryItems(100));
    show(gallery);
    QSignalSpy changed(&gallery, &ImageGallery::primaryChanged);
    QSignalSpy activated(&gallery, &ImageGallery::activated);
    const int columns = gallery.columns();
    QTest::keyClick(&gallery, Qt::Key_Right);
    QCOMPARE(gallery.primary(), 0);
    QTest::keyClick(&gallery, Qt::Key_Right);
    QTest::keyClick(&gallery, Qt::Key_Down);
    QCOMPARE(gallery.primary(), 1 + columns);
    QTest::keyClick(&gallery, Qt::Key_Left);
    QTest::keyClick(&gallery, Qt::Key_Up);
    QCOMPARE(gallery.primary(), 0);
    QTest::keyClick(&gallery, Qt::Key_Up);
    QTest::keyClick(&gallery, Qt::Key_Left);
    QCOMPARE(gallery.primary(), 0);
    QTest::keyClick(&gallery, Qt::Key_PageDown);
    QVERIFY(gallery.primary() >= columns && gallery.primary() % columns == 0);
    QTest::keyClick(&gallery, Qt::Key_End);
    QCOMPARE(gallery.primary(), 99);
    QTest::keyClick(&gallery, Qt::Key_Right);
    QCOMPARE(gallery.primary(), 99);
    QTest::keyClick(&gallery, Qt::Key_Home);
    QCOMPARE(gallery.primary(), 0);
    QCOMPARE(changed.last()[0].toLongLong(), 0);
    QTest::keyClick(&gallery, Qt::Key_Return);
    QCOMPARE(activated.count(), 1);
  }

  void clickingChoosesAndDoubleClickingActivates() {
    ImageGallery gallery;
    gallery.setItems(galleryItems(40));
    show(gallery);
    QSignalSpy changed(&gallery, &ImageGallery::primaryChanged);
    QSignalSpy activated(&gallery, &ImageGallery::activated);
    QTest::mouseClick(gallery.viewport(), Qt::LeftButton, {}, gallery.itemRect(9).center());
    QCOMPARE(gallery.primary(), 9);
    QCOMPARE(changed.count(), 1);
    QTest::mouseClick(gallery.viewport(), Qt::LeftButton, {}, gallery.itemRect(9).center());
    QCOMPARE(changed.count(), 1);
    QTest::mouseDClick(gallery.viewport(), Qt::LeftButton, {}, gallery.itemRect(3).center());
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated[0][0].toLongLong(), 3);
    gallery.setPrimary(20);
    QCOMPARE(changed.count(), 2);
  }

  void theCacheIsBounded() {
    ImageGallery gallery;
    gallery.setCacheLimit(100 * 1024);
    QImage image(100, 100, QImage::Format_RGB32);
    image.fill(Qt::red);
    for (qint64 key = 0; key < 10; ++key) {
      gallery.setThumbnail(key, image);
    }
    // 39 KiB each: two fit.
    QVERIFY(gallery.hasThumbnail(9));
    QVERIFY(gallery.hasThumbnail(8));
    QVERIFY(!gallery.hasThumbnail(7));
  }

  void theChosenItemAndOodItemsStandOut() {
    for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
      applyTheme(*qApp, theme);
      ImageGallery gallery;
      gallery.resize(300, 200);
      std::vector<GalleryItem> items = galleryItems(2);
      items[0].ood = true;
      items[0].wrong = false;
      items[0].label_true.clear();
      gallery.setItems(items);
      for (const GalleryItem& item : items) {
        QImage black(8, 8, QImage::Format_RGB32);
        black.fill(Qt::black);
        gallery.setThumbnail(item.key, black);
      }
      gallery.setPrimary(1);
      gallery.show();
      QVERIFY(QTest::qWaitForWindowExposed(&gallery));
      const QImage view = gallery.viewport()->grab().toImage();
      const QRect chosen = gallery.itemRect(1);
      QCOMPARE(view.pixelColor(chosen.left() + 1, chosen.top() + chosen.width() / 2), theme.accent);
      // Its caption is in the colour of OOD, and says so.
      const QRect ood = gallery.itemRect(0);
      int coloured = 0;
      for (int y = ood.top() + ood.width(); y < ood.bottom(); ++y) {
        for (int x = ood.left(); x < ood.right(); ++x) {
          coloured += view.pixelColor(x, y) == theme.ood ? 1 : 0;
        }
      }
      QVERIFY(coloured > 10);
    }
    applyTheme(*qApp, Theme::light());
  }

  void whatIsInViewIsExported() {
    ImageGallery gallery;
    gallery.resize(300, 150);
    gallery.setItems(galleryItems(1000));
    gallery.show();
    QVERIFY(QTest::qWaitForWindowExposed(&gallery));
    const PlotTable table = gallery.table();
    QVERIFY(!table.rows.empty() && table.rows.size() < 100U);
    QCOMPARE(table.rows[1][1].toString(), gallery.item(1).label_predicted);
    const TempDir folder;
    for (const char* const suffix : {"png", "svg", "pdf", "csv"}) {
      const std::string path = folder.file(std::string("gallery.") + suffix);
      QVERIFY2(gallery.exporter().saveAs(QString::fromStdString(path)).has_value(), suffix);
    }
  }

  void thePrimaryItemStaysOnlyWhereItIsTheSame() {
    ImageGallery gallery;
    std::vector<GalleryItem> items = galleryItems(20);
    gallery.setItems(items);
    gallery.setPrimary(5);
    gallery.setItems(items);
    QCOMPARE(gallery.primary(), 5);
    std::swap(items[5], items[6]);
    gallery.setItems(items);
    QCOMPARE(gallery.primary(), -1);
    gallery.setItems({});
    QCOMPARE(gallery.count(), 0);
  }

  void smallImagesStaySharp() {
    QImage checks(2, 2, QImage::Format_Grayscale8);
    checks.fill(Qt::black);
    checks.setPixelColor(1, 0, Qt::white);
    checks.setPixelColor(0, 1, Qt::white);
    QImage canvas(40, 20, QImage::Format_RGB32);
    canvas.fill(Qt::red);
    QPainter painter(&canvas);
    paintImage(painter, canvas.rect(), checks);
    painter.end();
    // Centred in its aspect: 20 x 20 in the middle; each pixel a square of one colour.
    QCOMPARE(canvas.pixelColor(5, 10), QColor(Qt::red));
    for (int y = 0; y < 20; ++y) {
      for (int x = 10; x < 30; ++x) {
        const bool white = (x < 20) != (y < 10);
        QCOMPARE(canvas.pixelColor(x, y), QColor(white ? Qt::white : Qt::black));
      }
    }
  }

  void arraysBecomeImages() {
    const Image8 colour{Array<std::uint8_t>::fromVector({1, 2, 3}, {255, 0, 0, 0, 0, 255})};
    const QImage image = toQImage(colour);
    QCOMPARE(image.size(), QSize(2, 1));
    QCOMPARE(image.pixelColor(0, 0), QColor(Qt::red));
    QCOMPARE(image.pixelColor(1, 0), QColor(Qt::blue));
    QVERIFY(toQImage(Image8{}).isNull());
    QVERIFY(toQImage({Array<std::uint8_t>::zeros({2, 2, 4})}).isNull());
  }
};

}  // namespace dubito::test

#include "image_gallery_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::ImageGalleryTest)
