// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/plane/plane_view.h"

#include <QComboBox>
#include <QStackedWidget>
#include <algorithm>

#include "core/train/train.h"
#include "tests/app/support/test_window.h"
#include "tests/support/gui_test.h"
#include "widgets/image_gallery.h"
#include "widgets/key_value_list.h"

namespace dubito::test {

/// Runs whose inputs are points of the plane, on the Images page.
class PlaneViewTest : public QObject, private TestWindow {
  Q_OBJECT

 private:
  DatasetPtr moons_;

  /// A small network for two moons, and its run over 60 of them.
  AnalysisPtr moonAnalysis(const std::string& query = "n=60&seed=1") {
    RunContext context;
    const DatasetPtr train_set = openDataset("synthetic:moons?n=200&seed=2", context).value();
    TrainOptions options;
    options.architecture = "mlp";
    options.epochs = 3;
    options.width = 0.1;
    const std::string path = dir_->file("moons.pt");
    if (!train(*train_set, options, path, context)) {
      return nullptr;
    }
    const ModelPtr model = loadModel(path, {}, context).value();
    moons_ = openDataset("synthetic:moons?" + query, context).value();
    const MethodOptions method = MapOptions{};
    auto run = std::make_shared<const Run>(predict(*model, *moons_, method, {}, context).value());
    return analyse({makePart("moons", run, moons_, context)}, model, method, {}, context).value();
  }

 private Q_SLOTS:
  void init() {
    openFolder();
    openWindow();
    window_->showPage(PageId::kImages);
  }
  void cleanup() { closeAll(); }

  void imagesStayAList() {
    showSample();
    QVERIFY(!part<QComboBox>("imagesViewChooser").isVisible());
    QCOMPARE(part<QStackedWidget>("imagesViews").currentIndex(), 0);
  }

  void pointsStandAtTheirCoordinatesOverThePredictedRegions() {
    const AnalysisPtr analysis = moonAnalysis();
    QVERIFY(analysis);
    session().addAnalysis(analysis);
    PlaneView& plane = part<PlaneView>("planeView");
    QTRY_VERIFY(plane.isVisible());
    const ScatterPlot& plot = part<ScatterPlot>("planePlot");
    QCOMPARE(plot.scatter().points->size(), 60);
    const auto sample = moons_->read(7);
    const float* const at = std::get<Array<float>>(*sample).data();
    QCOMPARE(plot.scatter().points->x.data()[7], static_cast<double>(at[0]));
    QCOMPARE(plot.scatter().points->y.data()[7], static_cast<double>(at[1]));

    QTRY_VERIFY_WITH_TIMEOUT(plane.field() != nullptr, kPatience);
    const auto backdrop = plot.scatter().backdrop;
    QVERIFY(backdrop);
    QCOMPARE(backdrop->classes.size(), 2);
    // Near an item the map says what the run says of it.
    int equal = 0;
    for (int i = 0; i < 60; ++i) {
      const auto row = static_cast<std::size_t>(i);
      const double predicted =
          backdrop->at(plot.scatter().points->x.data()[row], plot.scatter().points->y.data()[row]);
      equal += predicted == static_cast<double>(analysis->in().run->predictions.data()[i]) ? 1 : 0;
    }
    QVERIFY2(equal >= 57, qPrintable(QString::number(equal)));

    // Another colour, on the scale of its values.
    QComboBox& colors = part<QComboBox>("planeColors");
    colors.setCurrentIndex(colors.findText("entropy"));
    const auto heat = plot.scatter().backdrop;
    QVERIFY(heat && heat->classes.isEmpty());
    QCOMPARE(heat->label, QString("entropy (nats)"));
    const auto [low, high] = std::ranges::minmax(heat->values);
    QVERIFY(low >= 0.0 && high <= std::log(2.0) + 1e-6 && high > low);
    QCOMPARE(heat->range.high, high);
    QVERIFY(plot.csv().count("grid") == 100 * 100);
  }

  void theImagesOfADatasetTakeThePlaceOfThePlane() {
    session().addAnalysis(moonAnalysis());
    PlaneView& plane = part<PlaneView>("planeView");
    QTRY_VERIFY(plane.isVisible());
    const std::size_t position = session().addDataset("moons", moons_, false);
    session().browse(static_cast<int>(position));
    QVERIFY(!plane.isVisible());
    QVERIFY(part<QWidget>("imagesGallery").isVisible());
    QVERIFY(!part<QComboBox>("imagesViewChooser").isVisible());
    session().endBrowsing();
    QVERIFY(plane.isVisible());
    QVERIFY(part<QComboBox>("imagesViewChooser").isVisible());
    // Who prefers the list keeps it.
    part<QComboBox>("imagesViewChooser").setCurrentIndex(0);
    session().browse(static_cast<int>(position));
    session().endBrowsing();
    QVERIFY(!plane.isVisible());
  }

  void aRectangleSelectsItsItemsAndAPointIsInspected() {
    session().addAnalysis(moonAnalysis());
    PlaneView& plane = part<PlaneView>("planeView");
    QTRY_VERIFY(plane.isVisible());
    ScatterPlot& plot = part<ScatterPlot>("planePlot");
    QTRY_VERIFY(session().listing().items() != nullptr);
    const ScatterPoints& points = *plot.scatter().points;
    const ScatterRectangle left{{points.x_range.low, 0.5}, points.y_range};
    const auto expected =
        std::ranges::count_if(points.x.values(), [](double x) { return x <= 0.5; });
    QVERIFY(expected > 5 && expected < 55);
    Q_EMIT plot.rectangleSelected(left);
    QTRY_VERIFY(hasSelection(session().listing().query()));
    QTRY_COMPARE(static_cast<qint64>(session().listing().items()->size()),
                 static_cast<qint64>(expected));
    Q_EMIT plot.pointChosen(7);
    QVERIFY(session().listing().primary());
    QCOMPARE(session().listing().primary()->row, 7);
    QStringList names;
    for (const KeyValue& line : part<KeyValueList>("itemMeasures").values()) {
      names << line.name;
    }
    QVERIFY2(names.contains("x") && names.contains("y"), qPrintable(names.join(", ")));
  }

  void aSelectionOutlivesNewColours() {
    session().addAnalysis(moonAnalysis());
    PlaneView& plane = part<PlaneView>("planeView");
    ScatterPlot& plot = part<ScatterPlot>("planePlot");
    QTRY_VERIFY_WITH_TIMEOUT(plane.field() != nullptr, kPatience);
    QTRY_VERIFY(session().listing().items() != nullptr);
    const ScatterPoints& points = *plot.scatter().points;
    const ScatterRectangle left{{points.x_range.low, 0.5}, points.y_range};
    plot.setRectangle(left);
    Q_EMIT plot.rectangleSelected(left);
    // Before the selection is made: as when the field arrives in the meantime.
    QComboBox& colors = part<QComboBox>("planeColors");
    colors.setCurrentIndex(colors.findText("entropy"));
    QTRY_VERIFY_WITH_TIMEOUT(hasSelection(session().listing().query()), kPatience);
    QTRY_VERIFY(plot.selected() && !plot.selected()->empty());
    QVERIFY(plot.rectangle());
    QCOMPARE(plot.rectangle()->x.high, 0.5);
    colors.setCurrentIndex(0);
    QTRY_VERIFY(plot.selected() && !plot.selected()->empty());
  }

  void theListShowsSmallPictures() {
    session().addAnalysis(moonAnalysis());
    QComboBox& view = part<QComboBox>("imagesViewChooser");
    QTRY_VERIFY(view.isVisible());
    view.setCurrentIndex(0);
    QTRY_VERIFY(session().listing().items() != nullptr && !session().listing().items()->empty());
    const ImageGallery& gallery = part<ImageGallery>("imagesGallery");
    QVERIFY(gallery.isVisible());
    QTRY_VERIFY(gallery.count() > 0);
    QTRY_VERIFY(gallery.hasThumbnail(gallery.item(0).key));
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::PlaneViewTest)
#include "plane_view_test.moc"
