// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pictures/large_image.h"

#include <QLabel>
#include <QTest>

#include "tests/app/support/test_window.h"
#include "tests/support/gui_test.h"
#include "widgets/image_gallery.h"
#include "widgets/zoom_view.h"

namespace dubito::test {

/// A double click on an image shows it large.
class LargeImageTest : public QObject, private TestWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openFolder();
    openWindow();
  }
  void cleanup() { closeAll(); }

  void aDoubleClickInTheGalleryShowsTheImageLarge() {
    showSample();
    window_->showPage(PageId::kImages);
    ImageGallery& gallery = part<ImageGallery>("imagesGallery");
    QTRY_VERIFY(gallery.count() > 1);
    const QPoint first = gallery.itemRect(0).center();
    QTest::mouseClick(gallery.viewport(), Qt::LeftButton, {}, first);
    QTest::mouseDClick(gallery.viewport(), Qt::LeftButton, {}, first);
    LargeImage& large = part<LargeImage>("largeImage");
    QTRY_VERIFY(large.isVisible());
    QVERIFY(!large.isModal());
    ZoomView& view = part<ZoomView>("largeImageView");
    QTRY_VERIFY(!view.image().isNull());
    QCOMPARE(view.image().size(), QSize(8, 8));
    QVERIFY(part<QLabel>("largeImageCaption").text().contains("predicted"));
    // The keys walk on.
    const std::optional<ItemRef> before = session().listing().primary();
    QTest::keyClick(&large, Qt::Key_D);
    QVERIFY(session().listing().primary() != before);
    QTest::keyClick(&large, Qt::Key_Escape);
    QVERIFY(!large.isVisible());
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::LargeImageTest)
#include "large_image_test.moc"
