// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/signed_map.h"

#include <cmath>
#include <vector>

#include "tests/support/gui_test.h"
#include "widgets/theme.h"

namespace dubito::test {

class SignedMapTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theSignIsTheColourAndTheSizeTheOpacity() {
    const Theme theme = Theme::light();
    const auto map = Array<float>::fromVector({2, 2}, {1.0F, -1.0F, 0.5F, 0.0F});
    const QImage image = signedMapImage(map, theme, 0.8);
    QCOMPARE(image.size(), QSize(2, 2));
    const auto has = [&image](int x, int y, const QColor& color, double opacity) {
      const QColor pixel = image.pixelColor(x, y);
      return pixel.rgb() == color.rgb() && std::abs(pixel.alpha() - 255.0 * opacity) <= 1.0;
    };
    QVERIFY(has(0, 0, signColors(theme).positive, 0.8));
    QVERIFY(has(1, 0, signColors(theme).negative, 0.8));
    QVERIFY(has(0, 1, signColors(theme).positive, 0.4));
    QCOMPARE(image.pixelColor(1, 1).alpha(), 0);
  }

  void aFewLargeNumbersDoNotHideTheOthers() {
    std::vector<float> values(1000, 1.0F);
    values[0] = 100.0F;
    const QImage image =
        signedMapImage(Array<float>::fromVector({10, 100}, values), Theme::light(), 1.0);
    QCOMPARE(image.pixelColor(50, 5).alpha(), 255);
    // A single number other than 0 is seen although the quantile is 0.
    std::vector<float> single(1000, 0.0F);
    single[7] = -2.0F;
    const QImage of_single =
        signedMapImage(Array<float>::fromVector({10, 100}, single), Theme::light(), 1.0);
    QCOMPARE(of_single.pixelColor(7, 0), signColors(Theme::light()).negative);
    QCOMPARE(of_single.pixelColor(8, 0).alpha(), 0);
  }

  void aMapOfZerosIsTransparentAndWithoutOneThereIsNoImage() {
    const QImage zeros = signedMapImage(Array<float>::zeros({3, 4}), Theme::light(), 1.0);
    QCOMPARE(zeros.size(), QSize(4, 3));
    QCOMPARE(zeros.pixelColor(2, 2).alpha(), 0);
    QVERIFY(signedMapImage({}, Theme::light(), 1.0).isNull());
  }

  void theColoursAreSeenOnBlackAndOnWhite() {
    for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
      const QImage overlay =
          signedMapImage(Array<float>::fromVector({1, 2}, {1.0F, -1.0F}), theme, 0.8);
      for (const QColor& ground : {QColor(Qt::black), QColor(Qt::white)}) {
        QImage picture(2, 1, QImage::Format_RGB32);
        picture.fill(ground);
        const QImage plain = withSignedMap(picture, {});
        const QColor grey = plain.pixelColor(0, 0);
        QVERIFY(grey.red() == grey.green() && grey.red() > 30 && grey.red() < 230);
        const QImage drawn = withSignedMap(picture, overlay);
        QVERIFY(drawn.pixelColor(0, 0).red() > drawn.pixelColor(0, 0).blue() + 80);
        QVERIFY(drawn.pixelColor(1, 0).blue() > drawn.pixelColor(1, 0).red() + 80);
      }
    }
    QVERIFY(withSignedMap({}, {}).isNull());
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::SignedMapTest)
#include "signed_map_test.moc"
