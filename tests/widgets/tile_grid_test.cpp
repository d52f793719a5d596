// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tile_grid.h"

#include <QSignalSpy>
#include <QTest>

#include "tests/support/gui_test.h"

namespace dubito::test {

class TileGridTest : public QObject {
  Q_OBJECT

 private:
  static std::vector<Tile> numberedTiles(int count) {
    std::vector<Tile> tiles;
    for (int i = 0; i < count; ++i) {
      tiles.push_back({.key = 100 + i});
    }
    return tiles;
  }
  static QImage picture() {
    QImage image(8, 8, QImage::Format_RGB32);
    image.fill(Qt::red);
    return image;
  }
  static void show(QWidget& widget) {
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
  }

 private Q_SLOTS:
  void asManyTilesAsFit() {
    TileGrid grid;
    grid.resize(430, 300);
    grid.setTileSize(100);
    QCOMPARE(grid.capacity(), 4 * 2);  // 100 and gaps of 8, enlarged to fill the width
    QVERIFY(grid.rect().contains(grid.tileRect(7)));
    QVERIFY(!grid.rect().contains(grid.tileRect(8)));
    grid.setTileSize(40);
    QVERIFY(grid.capacity() > 8 * 5);
  }

  void theImagesOfAPageThatIsNotFullAreLarger() {
    TileGrid grid;
    grid.resize(860, 640);
    grid.setTileSize(100);
    grid.setTiles(numberedTiles(grid.capacity()));
    const QRect usual = grid.tileRect(0);
    const int last = grid.capacity() - 1;
    QVERIFY(grid.rect().contains(grid.tileRect(last)));
    const int capacity = grid.capacity();
    for (const int count : {1, 2, 5, 12, capacity - 1}) {
      grid.setTiles(numberedTiles(count));
      QCOMPARE(grid.capacity(), capacity);  // the next page holds as many as ever
      QVERIFY(grid.rect().contains(grid.tileRect(count - 1)));
      QVERIFY(grid.tileRect(0).width() >= usual.width());
      QVERIFY(grid.tileRect(0).width() <= 200);
    }
    grid.setTiles(numberedTiles(12));
    QCOMPARE(grid.tileRect(0).width(), (860 + 8) / 5 - 8);  // 4 columns are wider than 200
    // What is drawn is what the mouse meets.
    for (int index = 0; index < 12; ++index) {
      QCOMPARE(grid.tileAt(grid.tileRect(index).center()), index);
    }
  }

  void aTileIsSeenOnceItsPictureIsPainted() {
    TileGrid grid;
    grid.resize(430, 300);
    grid.setTileSize(100);
    grid.setTiles(numberedTiles(3));
    show(grid);
    deliverEvents();
    QVERIFY(grid.isLoading(0));
    QVERIFY(grid.seenTiles(false).empty());
    grid.setPicture(100, picture());
    grid.setPicture(102, {});
    QVERIFY(!grid.isSeen(0));  // not before it is painted
    QTRY_COMPARE(grid.seenTiles(false), std::vector{0});
    QVERIFY(grid.isUnreadable(2));
    grid.setMarked(2, true);
    grid.setMarked(1, true);
    QVERIFY(grid.seenTiles(true).empty());
  }

  void whatIsOutOfSightIsNotSeen() {
    QWidget window;
    window.resize(430, 180);
    TileGrid grid(&window);
    grid.resize(430, 600);
    grid.setTileSize(100);
    const int count = grid.capacity();
    grid.setTiles(numberedTiles(count));
    for (int i = 0; i < count; ++i) {
      grid.setPicture(100 + i, picture());
    }
    show(window);
    QTRY_COMPARE(grid.seenTiles(false), (std::vector{0, 1, 2, 3}));
    // Scrolled: what was seen before is out of sight now.
    grid.move(0, -grid.tileRect(4).top());
    QTRY_COMPARE(grid.seenTiles(false), (std::vector{4, 5, 6, 7}));
  }

  void marksStayWithTheirImages() {
    TileGrid grid;
    grid.resize(430, 300);
    grid.setTileSize(100);
    grid.setTiles(numberedTiles(3));
    for (int i = 0; i < 3; ++i) {
      grid.setPicture(100 + i, picture());
    }
    show(grid);
    QTRY_COMPARE(grid.seenTiles(false).size(), std::size_t{3});
    QSignalSpy marks(&grid, &TileGrid::marksChanged);
    QTest::mouseClick(&grid, Qt::LeftButton, {}, grid.tileRect(1).center());
    QCOMPARE(marks.count(), 1);
    std::vector<Tile> fewer = numberedTiles(3);
    fewer.erase(fewer.begin());
    grid.setTiles(fewer);
    QVERIFY(grid.isMarked(0) && !grid.isMarked(1));
    fewer[0].settled = "decided";
    grid.setTiles(fewer);
    QVERIFY(!grid.isMarked(0));
    QTest::mouseClick(&grid, Qt::LeftButton, {}, grid.tileRect(0).center());
    QVERIFY(!grid.isMarked(0));
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::TileGridTest)
#include "tile_grid_test.moc"
