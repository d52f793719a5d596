// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/rotation/lab_rotation.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <cmath>

#include "core/data/items/corruption_spec.h"
#include "tests/app/support/lab_window.h"
#include "tests/support/gui_test.h"
#include "tests/support/shared_data.h"
#include "widgets/card.h"
#include "widgets/curve_plot.h"
#include "widgets/image_gallery.h"

namespace dubito::test {

/// The laboratory "Rotated digit" in the real window.
class LabRotationTest : public QObject, private LabWindow<LabRotation> {
  Q_OBJECT

 private Q_SLOTS:
  void init() { openLaboratory(Laboratory::kRotation); }
  void cleanup() { closeAll(); }

  void theSampleIsShownAtOnce() {
    finish();
    QCOMPARE(lab().result()->item, 2);
    QCOMPARE(lab().result()->label, 1);
    QVERIFY(session().models().empty());
    QCOMPARE(part<QComboBox>("rotationModel").currentText(), "LeNet, MNIST (sample)");
    QVERIFY2(part<QLabel>("rotationSentence").text().startsWith("At 0° the model says 1 ("),
             qPrintable(part<QLabel>("rotationSentence").text()));
  }

  void everyPlotHasTheNumbersOfTheCore() {
    finish();
    const RotationResult& result = *lab().result();
    const CurvePlotValue& inputs = part<CurvePlot>("rotationInputs").curves();
    const CurvePlotValue& outputs = part<CurvePlot>("rotationOutputs").curves();
    // Dots and a line for each class.
    QCOMPARE(inputs.curves.size(), 2 * result.classes.size());
    QCOMPARE(outputs.curves.size(), 2 * result.classes.size());
    QVERIFY(inputs.curves[0].is_dots);
    QCOMPARE(inputs.curves[0].curve.x.size(),
             static_cast<std::size_t>(result.draws() * result.steps()));
    const std::int64_t k = result.classes[0];
    QCOMPARE(inputs.curves[0].curve.y[0], static_cast<double>(result.inputs.data()[k]));
    QVERIFY(std::abs(outputs.curves[1].curve.y[3] -
                     result.summary.mean_probs.row(3)[static_cast<std::size_t>(k)]) < 1e-6);
    const CurvePlotValue& uncertainty = part<CurvePlot>("rotationUncertainty").curves();
    QCOMPARE(uncertainty.curves.size(), std::size_t{3});
    QCOMPARE(uncertainty.curves[2].curve.y[6], result.summary.mutual_information.data()[6]);
    const auto& steps = part<ImageGallery>("rotationSteps");
    QCOMPARE(steps.count(), result.steps());
    QVERIFY(steps.hasThumbnail(12));
  }

  void everyChangeAndTheWalkAreFollowed() {
    finish();
    for (const CorruptionKind kind : allCorruptions()) {
      change(static_cast<int>(kind));
      QCOMPARE(lab().result()->path.positions.back(),
               kind == CorruptionKind::kRotation ? 180.0 : 5.0);
    }
    QVERIFY(!part<QSpinBox>("rotationTo").isVisible());
    change(-1);
    QVERIFY(part<QSpinBox>("rotationTo").isVisible());
    QCOMPARE(lab().result()->path.positions.back(), 1.0);
    QVERIFY(part<CurvePlot>("rotationInputs").curves().x_is_share);
    const auto before = lab().result();
    part<QSpinBox>("rotationTo").setValue(5);
    finish();
    QVERIFY(lab().result() != before);
    QVERIFY(part<QLabel>("rotationSentence").text().contains("of the way"));
  }

  void theSeedRepeatsThePicture() {
    finish();
    const std::vector<float> first = inputs();
    part<QSpinBox>("rotationSeed").setValue(3);
    finish();
    QVERIFY(inputs() != first);
    part<QSpinBox>("rotationSeed").setValue(0);
    finish();
    QCOMPARE(inputs(), first);
  }

  void itIsCancelledAndRunAgain() {
    finish();
    QPushButton& run = part<QPushButton>("rotationRun");
    QCOMPARE(run.text(), "Run");
    // A click meant for Run right after typing must not cancel what the typing has started.
    type("steps", "73");
    type("draws", "999");
    QCOMPARE(run.text(), "Run");
    QVERIFY(!run.isEnabled());
    // A fast machine would be done before the button changes.
    partOf<QTimer>(lab(), "rotationPatience").setInterval(0);
    type("draws", "1000");
    QTRY_COMPARE(run.text(), "Cancel");
    run.click();
    QTRY_VERIFY_WITH_TIMEOUT(!lab().busy(), kPatience);
    QVERIFY(part<QLabel>("rotationNotes").text().startsWith("Cancelled"));
    type("steps", "13");
    type("draws", "20");
    finish();
    QCOMPARE(lab().result()->draws(), 20);
    run.click();
    finish();
    QVERIFY(part<QLabel>("rotationNotes").text().isEmpty());
  }

  void anotherModelOfTheWindowIsFollowed() {
    finish();
    RunContext context;
    auto model = loadModel((sourceDir() / "tests/data/models/scripted.pt").string(), {}, context);
    QVERIFY(model);
    session().addModel("small", *model);
    QComboBox& models = part<QComboBox>("rotationModel");
    QCOMPARE(models.count(), 2);
    // The laboratory stays with what it shows until another model is chosen.
    QCOMPARE(models.currentText(), "LeNet, MNIST (sample)");
    const std::vector<float> before = inputs();
    models.setCurrentIndex(0);
    Q_EMIT models.activated(0);
    finish();
    QVERIFY(inputs() != before);
    QComboBox& method = part<QComboBox>("method");
    method.setCurrentText("map");
    Q_EMIT method.activated(method.currentIndex());
    finish();
    QCOMPARE(lab().result()->draws(), 1);
    // Lines alone, and no epistemic part.
    QCOMPARE(part<CurvePlot>("rotationInputs").curves().curves.size(),
             lab().result()->classes.size());
    QCOMPARE(part<CurvePlot>("rotationUncertainty").curves().curves.size(), std::size_t{1});
  }

  void whatCannotBeFollowedIsSaid() {
    finish();
    part<QSpinBox>("rotationItem").setValue(1299);
    finish();
    QCOMPARE(lab().result()->item, 1299);
    QCOMPARE(part<QSpinBox>("rotationItem").maximum(), 1299);
    type("classes", "77");
    QTRY_VERIFY_WITH_TIMEOUT(!lab().busy(), kPatience);
    QVERIFY(part<QLabel>("rotationNotes").text().contains("no class 77"));
    QVERIFY(!part<QLabel>("rotationNotes").text().contains("--"));
    QCOMPARE(part<Card>("rotationInputsCard").emptyText(), "No result");
    type("classes", "7, 2");
    finish();
    QCOMPARE(lab().result()->classes, (std::vector<std::int64_t>{7, 2}));
    QVERIFY(part<QLabel>("rotationNotes").text().isEmpty());
  }

 private:
  void finish() { QTRY_VERIFY_WITH_TIMEOUT(lab().result() && !lab().busy(), kPatience); }
  std::vector<float> inputs() {
    const auto values = lab().result()->inputs.values();
    return {values.begin(), values.end()};
  }
  void change(int data) {
    QComboBox& list = part<QComboBox>("rotationChange");
    list.setCurrentIndex(list.findData(data));
    Q_EMIT list.activated(list.currentIndex());
    finish();
  }
  void type(const char* field, const QString& text) {
    auto* const field_editor =
        part<QWidget>("rotationOptions").findChild<QWidget*>(QLatin1String(field));
    QVERIFY(field_editor != nullptr);
    auto* editor = qobject_cast<QLineEdit*>(field_editor);
    if (editor == nullptr) {
      editor = field_editor->findChild<QLineEdit*>();  // of a number
    }
    editor->setText(text);
    Q_EMIT editor->textEdited(text);
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::LabRotationTest)
#include "lab_rotation_test.moc"
