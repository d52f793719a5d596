// SPDX-License-Identifier: GPL-3.0-or-later
// The plots of the bandit laboratory.
#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "widgets/point_cloud_qcp.h"
#include "widgets/pull_plot.h"
#include "widgets/theme.h"
#include "widgets/world_plot.h"

namespace dubito::test {

class GamePlotsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void pullsAreDrawnByArm() {
    PullPlot widget;
    PullPlotValue value;
    for (int arm = 0; arm < 5; ++arm) {
      value.groups.push_back({QStringLiteral("arm %1").arg(arm), {{0.2 * arm, -0.5}}});
    }
    value.circle = 0.5;
    value.x_label = "x";
    value.y_label = "y";
    widget.setValue(value);
    QCustomPlot& plot = shown(widget);
    std::vector<PointCloud*> clouds;
    for (int i = 0; i < plot.plottableCount(); ++i) {
      if (auto* const cloud = dynamic_cast<PointCloud*>(plot.plottable(i))) {
        clouds.push_back(cloud);
      }
    }
    QCOMPARE(clouds.size(), std::size_t{5});
    for (std::size_t a = 0; a < 5; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        QVERIFY(clouds[a]->shape() != clouds[b]->shape() || a - b < 4);
        QVERIFY(clouds[a]->color() != clouds[b]->color());
      }
    }
    QVERIFY(widget.hoverText(pixelOf(plot, 0.4, -0.5)).startsWith("arm 2"));
    QCOMPARE(widget.hoverText(pixelOf(plot, -0.9, 0.9)), QString());
    QCOMPARE(widget.table().rows.size(), std::size_t{5});
    QCOMPARE(widget.table().rows[3][1].toDouble(), 0.2 * 3);
    // Fewer arms leave nothing behind.
    value.groups.resize(2);
    widget.setValue(value);
    QCOMPARE(widget.table().rows.size(), std::size_t{2});
  }

  void theWorldIsDrawnWithOneScale() {
    WorldPlot widget;
    QCOMPARE(widget.hoverText({10.0, 10.0}), QString());
    QVERIFY(widget.table().rows.empty());
    WorldPlotValue value;
    value.size = {4.0, 2.0};
    value.walls = {{{0.0, 0.0}, {4.0, 0.0}}};
    value.good = {{2.0, 1.0}};
    value.bad = {{3.0, 0.5}};
    value.item_radius = 0.2;
    value.agent = {1.0, 1.0};
    value.agent_radius = 0.2;
    value.eyes = {{{value.agent, {1.8, 1.0}}, WorldPlotValue::Sight::kGood}};
    value.trail = {{0.5, 1.0}, {1.0, 1.0}};
    widget.setValue(value);
    QCustomPlot& plot = shown(widget, {600, 500});
    // The middle of the world is that of the plot, and y points up.
    const QPointF middle = QRectF(plot.axisRect()->rect()).center();
    const double scale = (plot.axisRect()->width() - 4.0) / 4.0;
    QCOMPARE(widget.hoverText(middle), "Good to eat");
    QCOMPARE(widget.hoverText(middle + QPointF(scale, 0.5 * scale)), "Bad to eat");
    QVERIFY(widget.hoverText(middle - QPointF(scale, 0.0)).startsWith("The agent"));
    QCOMPARE(widget.hoverText(middle + QPointF(0.0, 0.5 * scale)), QString());
    // The pixels show it.
    const QImage image = plot.grab().toImage();
    const auto colorAt = [&](const QPointF& place) {
      const double ratio = image.devicePixelRatio();
      return image.pixelColor((place * ratio).toPoint());
    };
    QCOMPARE(colorAt(middle), currentTheme().correct);
    QCOMPARE(colorAt(middle + QPointF(scale, 0.5 * scale)), currentTheme().misclassified);
    {
      const ThemeScope dark(Theme::darkTheme());
      widget.setValue(value);
      plot.replot(QCustomPlot::rpImmediateRefresh);
      QCOMPARE(plot.toPixmap().toImage().pixelColor(1, 1), currentTheme().panel);
    }
    QCOMPARE(widget.table().rows.size(), std::size_t{5});
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::GamePlotsTest)
#include "game_plots_test.moc"
