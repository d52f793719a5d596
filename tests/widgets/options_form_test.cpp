// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/options_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QSignalSpy>
#include <QToolButton>

#include "tests/support/gui_test.h"
#include "tests/widgets/preview_data.h"
#include "widgets/number_box.h"
#include "widgets/number_text.h"

namespace dubito::test {
namespace {

void type(QWidget* editor, const QString& text) {
  QTest::keyClick(editor, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(editor, Qt::Key_Delete);
  QTest::keyClicks(editor, text);
}

}  // namespace

class OptionsFormTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void editorsTakeTheValuesOfTheStruct() {
    EveryOption options;
    options.draws = 123456789012;
    options.drop_rate = 0.1;
    options.sites = {0, 2};
    OptionsForm form;
    form.setFields(options.fields());
    QCOMPARE(form.findChild<NumberBox*>("draws")->text(), "123456789012");
    QCOMPARE(form.findChild<NumberBox*>("drop_rate")->text(), "0.1");
    QCOMPARE(form.findChild<QComboBox*>("map")->currentText(), "probit");
    QCOMPARE(form.findChild<QComboBox*>("map")->count(), 3);
    QCOMPARE(form.findChild<QLineEdit*>("sites")->text(), "0, 2");
    QVERIFY(form.findChild<QCheckBox*>("keep_samples")->isChecked());
    QVERIFY(form.findChild<QCheckBox*>("prior_precisionAuto")->isChecked());
    QVERIFY(!form.findChild<NumberBox*>("prior_precision")->isEnabled());
    QCOMPARE(form.findChild<NumberBox*>("draws")->toolTip(),
             "Number of stochastic passes over each item");
  }

  void aFieldCanHaveAWidgetBelowIt() {
    EveryOption options;
    OptionsForm form;
    form.setFields(options.fields());
    QPointer<QLabel> below(new QLabel("below"));
    form.addBelow("drop_rate", below);
    QPointer<QLabel> last(new QLabel("last"));
    form.addBelow("no_such_field", last);
    form.setAdvancedShown(true);
    form.resize(400, form.sizeHint().height());
    form.show();
    deliverEvents();
    const auto top = [&form](QWidget* part) { return part->mapTo(&form, QPoint()).y(); };
    QVERIFY(top(below) > top(form.findChild<NumberBox*>("drop_rate")));
    QVERIFY(top(below) < top(form.findChild<QLineEdit*>("sites")));
    QVERIFY(top(last) > top(form.findChild<QLineEdit*>("sites")));
    // They go with the fields.
    form.clearFields();
    QVERIFY(below.isNull() && last.isNull());
  }

  void numbersCopiedFromTheWindowKeepTheirGroups() {
    EveryOption options;
    OptionsForm form;
    form.setFields(options.fields());
    auto* const edit = form.findChild<NumberBox*>("draws")->findChild<QLineEdit*>();
    edit->selectAll();
    edit->insert(countText(20000));
    Q_EMIT edit->textEdited(edit->text());
    QCOMPARE(options.draws, 20000);
    QVERIFY(form.check());
    // A space that is typed separates numbers.
    edit->setText("2 0000");
    Q_EMIT edit->textEdited(edit->text());
    QVERIFY(!form.check());
  }

  void choicesAreShownWithTheirLabels() {
    std::string structure = "kron";
    OptionsForm form;
    form.setFields({{{.name = "structure",
                      .label = "Structure",
                      .help = "kron: factors; full: all",
                      .choices = {"kron", "full"},
                      .forms = {{.prefix = "kron", .label = "Kronecker"},
                                {.prefix = "full", .label = "all of it"}}},
                     &structure}});
    form.show();
    auto* const box = form.findChild<QComboBox*>("structure");
    QCOMPARE(box->currentText(), "Kronecker");
    QCOMPARE(box->toolTip(), "Kronecker: factors; all of it: all");
    box->setCurrentIndex(1);
    Q_EMIT box->activated(1);
    QCOMPARE(structure, std::string("full"));
    structure = "kron";
    form.reload();
    QCOMPARE(box->currentText(), "Kronecker");
  }

  void aTextOfSeveralFormsIsChosenFromAList() {
    std::string prior = "auto-nll";
    const std::vector<TextForm> forms = {
        {.prefix = "auto-nll", .label = "auto-nll"},
        {.prefix = "drop=", .label = "drop", .number = 0.05, .above = 0.0, .below = 1.0},
        {.prefix = "", .label = "number", .number = 1.0, .above = 0.0}};
    OptionsForm form;
    form.setFields({{{.name = "prior", .label = "Prior", .help = "rule", .forms = forms}, &prior}});
    form.show();
    auto* const rule = form.findChild<QComboBox*>("prior");
    auto* const number = form.findChild<NumberBox*>("priorNumber");
    QCOMPARE(rule->count(), 3);
    QCOMPARE(rule->currentText(), "auto-nll");
    QVERIFY(!number->isVisible());
    const auto choose = [rule](int index) {
      rule->setCurrentIndex(index);
      Q_EMIT rule->activated(index);
    };
    choose(1);
    QVERIFY(number->isVisible());
    QCOMPARE(prior, std::string("drop=0.05"));
    type(number, "0.2");
    QCOMPARE(prior, std::string("drop=0.2"));
    type(number, "2");
    QVERIFY(!form.check());
    QVERIFY(form.errorText("prior").contains("between 0 and 1"));
    QCOMPARE(prior, std::string("drop=0.2"));
    choose(2);
    QVERIFY(form.check());
    QCOMPARE(prior, std::string("1"));
    type(number, "1e-3");
    QCOMPARE(prior, std::string("0.001"));
    choose(0);
    QCOMPARE(prior, std::string("auto-nll"));
    QVERIFY(!number->isVisible());
    prior = "drop=0.3";
    form.reload();
    QCOMPARE(rule->currentText(), "drop");
    QCOMPARE(number->text(), "0.3");
    prior = "20";
    form.reload();
    QCOMPARE(rule->currentText(), "number");
    QCOMPARE(number->text(), "20");
  }

  void advancedFieldsAreFoldedAway() {
    std::int64_t batch = 64;
    std::int64_t draws = 50;
    OptionsForm form;
    form.setFields(
        {{{.name = "batch", .label = "Batch", .help = "", .min = 1, .advanced = true}, &batch},
         {{.name = "draws", .label = "Draws", .help = ""}, &draws}});
    form.show();
    auto* const editor = form.findChild<NumberBox*>("batch");
    QVERIFY(form.findChild<NumberBox*>("draws")->isVisible());
    QVERIFY(!editor->isVisible());
    auto* const unfold = form.findChild<QToolButton*>("advancedOptions");
    unfold->click();
    QVERIFY(editor->isVisible());
    // An error stays in sight.
    type(editor, "0");
    unfold->click();
    QVERIFY(editor->isVisible());
    type(editor, "8");
    unfold->click();
    unfold->click();
    QVERIFY(!editor->isVisible());
    QCOMPARE(batch, 8);
    form.setFields({{{.name = "draws", .label = "Draws", .help = ""}, &draws}});
    QVERIFY(form.findChild<QToolButton*>("advancedOptions") == nullptr);
  }

  void typingWritesIntoTheStruct() {
    EveryOption options;
    OptionsForm form;
    form.setFields(options.fields());
    form.show();
    QSignalSpy edited(&form, &OptionsForm::edited);
    type(form.findChild<NumberBox*>("draws"), "100");
    QCOMPARE(options.draws, 100);
    QCOMPARE(edited.last()[0].toString(), "draws");
    type(form.findChild<NumberBox*>("drop_rate"), "2.5e-1");
    QCOMPARE(options.drop_rate, 0.25);
    type(form.findChild<QLineEdit*>("sites"), "1, 3 5");
    QCOMPARE(options.sites, std::vector<std::int64_t>({1, 3, 5}));
    type(form.findChild<QLineEdit*>("note"), "hello");
    QCOMPARE(options.note, "hello");
    form.findChild<QCheckBox*>("keep_samples")->click();
    QVERIFY(!options.keep_samples);
    form.findChild<QCheckBox*>("prior_precisionAuto")->click();
    type(form.findChild<NumberBox*>("prior_precision"), "16.4");
    QCOMPARE(options.prior_precision.value_or(0.0), 16.4);
    form.findChild<QCheckBox*>("prior_precisionAuto")->click();
    QVERIFY(!options.prior_precision.has_value());
    auto* map = form.findChild<QComboBox*>("map");
    map->setFocus();
    QTest::keyClick(map, Qt::Key_Down);
    QCOMPARE(options.map, "bridge-centred");
    QVERIFY(form.check().has_value());
  }

  void wholeNumbersMayBeChosenAutomatically() {
    std::optional<std::int64_t> most;
    OptionsForm form;
    form.setFields({{{.name = "most", .label = "Most", .help = "", .min = 0, .max = 10}, &most}});
    form.show();
    auto* automatic = form.findChild<QCheckBox*>("mostAuto");
    auto* number = form.findChild<NumberBox*>("most");
    QVERIFY(automatic->isChecked());
    QVERIFY(!number->isEnabled());
    automatic->click();
    type(number, "7");
    QCOMPARE(most.value_or(-1), 7);
    type(number, "ten");
    QCOMPARE(form.errorText("most"), "Not an integer; use digits, or choose auto");
    QCOMPARE(most.value_or(-1), 7);
    type(number, "11");
    QVERIFY(form.errorText("most").startsWith("Most is 11"));
    automatic->click();
    QVERIFY(!most.has_value());
    QVERIFY(form.check().has_value());
  }

  void mistakesAreExplainedUnderTheirField() {
    EveryOption options;
    OptionsForm form;
    form.setFields(options.fields());
    form.show();
    QSignalSpy valid(&form, &OptionsForm::validChanged);
    type(form.findChild<NumberBox*>("draws"), "0");
    QCOMPARE(form.errorText("draws"), "Draws is 0; it must lie in [1, 1000000]");
    QVERIFY(form.findChild<QLabel*>("drawsError")->isVisible());
    QVERIFY(!form.check().has_value());
    QCOMPARE(valid.last()[0].toBool(), false);
    type(form.findChild<NumberBox*>("draws"), "ten");
    QVERIFY(form.errorText("draws").startsWith("Not an integer"));
    type(form.findChild<NumberBox*>("draws"), "10");
    QCOMPARE(form.errorText("draws"), "");
    QVERIFY(!form.findChild<QLabel*>("drawsError")->isVisible());
    QCOMPARE(valid.last()[0].toBool(), true);
    QCOMPARE(options.draws, 10);
    type(form.findChild<QLineEdit*>("sites"), "1, x");
    QVERIFY(form.errorText("sites").startsWith("Not a list"));
    type(form.findChild<QLineEdit*>("sites"), "1, 12");
    QVERIFY(form.errorText("sites").contains("12"));
  }

  void theErrorOfARuleIsShownUnderTheFieldItNames() {
    EveryOption options;
    OptionsForm form;
    form.setFields(options.fields());
    form.show();
    QSignalSpy valid(&form, &OptionsForm::validChanged);
    form.setRule([&options]() -> Status {
      return options.draws == 13 ? Status(fail(ErrorCode::kInvalidArgument, "13 brings bad luck",
                                               {setting("drop_rate")}))
                                 : Status();
    });
    QVERIFY(form.check().has_value());
    type(form.findChild<NumberBox*>("draws"), "13");
    QCOMPARE(form.errorText("drop_rate"), "13 brings bad luck");
    QVERIFY(form.errorText("draws").isEmpty());
    QVERIFY(!form.check().has_value());
    QVERIFY(!valid.isEmpty() && !valid.last()[0].toBool());
    // What the fields say themselves comes first.
    type(form.findChild<NumberBox*>("draws"), "ten");
    QVERIFY(form.errorText("drop_rate").isEmpty());
    QVERIFY(!form.errorText("draws").isEmpty());
    type(form.findChild<NumberBox*>("draws"), "14");
    QVERIFY(form.check().has_value());
    form.setFields(options.fields());
    options.draws = 13;
    form.reload();
    QVERIFY(form.check().has_value());
  }

  void aNumberHasRoomForItsDigits() {
    NumberBox box(NumberBox::Kind::kReal);
    const auto text_room = [&box] {
      box.resize(box.minimumSizeHint().width(), box.sizeHint().height());
      box.show();
      return box.findChild<QLineEdit*>()->width();
    };
    QVERIFY(text_room() >= box.fontMetrics().horizontalAdvance("0.05"));
  }

  void steppingKeepsToTheRangeAndToRoundNumbers() {
    NumberBox real(NumberBox::Kind::kReal);
    real.setRange(0.0, 1.0);
    real.setReal(0.5);
    real.stepBy(1);
    QCOMPARE(*real.real(), 0.51);
    real.setReal(0.999);
    real.stepBy(10);
    QCOMPARE(*real.real(), 1.0);
    NumberBox integer(NumberBox::Kind::kInteger);
    integer.setRange(1, 10);
    integer.setInteger(9);
    integer.stepBy(5);
    QCOMPARE(*integer.integer(), 10);
    integer.stepBy(-100);
    QCOMPARE(*integer.integer(), 1);
  }

  void reloadShowsWhatSomethingElseChanged() {
    EveryOption options;
    OptionsForm form;
    form.setFields(options.fields());
    options.draws = 7;
    options.prior_precision = 3.0;
    form.reload();
    QCOMPARE(form.findChild<NumberBox*>("draws")->text(), "7");
    QVERIFY(form.findChild<NumberBox*>("prior_precision")->isEnabled());
    options.draws = -1;
    form.reload();
    QVERIFY(!form.errorText("draws").isEmpty());
    QCOMPARE(options.draws, -1);
  }

  void anotherStructReplacesTheForm() {
    EveryOption first;
    EveryOption second;
    OptionsForm form;
    form.setFields(first.fields());
    form.setFields({second.fields().front()});
    QCOMPARE(form.findChildren<NumberBox*>().size(), 1);
    form.clearFields();
    QCOMPARE(form.findChildren<NumberBox*>().size(), 0);
    QVERIFY(form.check().has_value());
  }
};

}  // namespace dubito::test

#include "options_form_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::OptionsFormTest)
