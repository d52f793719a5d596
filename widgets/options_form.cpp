// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/options_form.h"
#include "core/base/choice_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "widgets/number_box.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

constexpr int kShortForm = 5;  // characters

QString listText(const std::vector<std::int64_t>& values) {
  QStringList texts;
  for (const std::int64_t value : values) {
    texts << QString::number(static_cast<qlonglong>(value));
  }
  return texts.join(QLatin1String(", "));
}

/// Integers separated by commas or spaces; nullopt if an entry is not an integer.
std::optional<std::vector<std::int64_t>> parseList(QString text) {
  std::vector<std::int64_t> values;
  for (const QString& part : text.replace(u',', u' ').split(u' ', Qt::SkipEmptyParts)) {
    bool fine = false;
    values.push_back(part.toLongLong(&fine));
    if (!fine) {
      return std::nullopt;
    }
  }
  return values;
}

/// The help of a field, with the labels of its choices and forms instead of their keys.
QString helpOf(const FieldInfo& info) {
  QString help = QString::fromStdString(info.help);
  const auto replace = [&help](const std::string& key, const QString& behind,
                               const std::string& label, const QString& after) {
    const QString pattern = QStringLiteral("(?<![\\w-])") +
                            QRegularExpression::escape(QString::fromStdString(key)) + behind;
    help.replace(QRegularExpression(pattern), QString::fromStdString(label) + after);
  };
  for (const TextForm& form : info.forms) {
    if (!info.choices.empty()) {
      replace(form.prefix, QStringLiteral(":"), form.label, QStringLiteral(":"));
    } else if (!form.prefix.empty()) {
      replace(form.prefix, form.number ? QStringLiteral("[A-Z]*") : QStringLiteral("(?![\\w-])"),
              form.label, QString());
    }
  }
  return help;
}

}  // namespace

/// Editor of one field: `load` reads the struct, `store` writes it.
class OptionsForm::Row {
 public:
  Row(Field field, OptionsForm& form)
      : field_(std::move(field)),
        form_(form),
        box_(new QWidget(&form)),
        error_(new WrappedLabel(box_)) {
    auto* line = new QHBoxLayout;
    line->setSpacing(2 * kGrid);
    std::visit([&](auto* value) { build(value, *line); }, field_.value);
    if (!field_.info.unit.empty()) {
      auto* unit = new QLabel(QString::fromStdString(field_.info.unit), box_);
      unit->setProperty("role", "muted");
      line->addWidget(unit);
    }
    error_->setObjectName(name() + QLatin1String("Error"));
    error_->setProperty("role", "error");
    error_->hide();
    auto* layout = new QVBoxLayout(box_);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid / 2);
    layout->addLayout(line);
    layout->addWidget(error_);
    load();
  }

  [[nodiscard]] QString name() const { return QString::fromStdString(field_.info.name); }
  [[nodiscard]] QString label() const { return QString::fromStdString(field_.info.label); }
  [[nodiscard]] QWidget* box() const { return box_; }
  [[nodiscard]] QWidget* editor() const { return editor_; }
  [[nodiscard]] QString error() const { return error_->text(); }
  [[nodiscard]] bool advanced() const { return field_.info.advanced; }
  void setInactive(const QString& requirement) {
    box_->setEnabled(requirement.isEmpty());
    const QString help = helpOf(field_.info);
    editor_->setToolTip(
        requirement.isEmpty() ? help : OptionsForm::tr("%1. Requires %2").arg(help, requirement));
  }
  void load() {
    load_();
    parse_error_.clear();
    showError();
  }

  /// Writes the value to the struct unless it does not parse.
  void store() {
    parse_error_ = store_();
    showError();
  }

  /// Shows the error of a rule of the form if the field is valid alone.
  void setRuleError(const QString& error) {
    if (rule_error_ != error) {
      rule_error_ = error;
      showError();
    }
  }
  [[nodiscard]] bool isValidAlone() const {
    return parse_error_.isEmpty() && checkFields({field_}).has_value();
  }

  void showError() {
    QString text = parse_error_;
    if (text.isEmpty()) {
      const Status status = checkFields({field_});
      text = status ? rule_error_ : QString::fromStdString(status.error().message);
    }
    error_->setText(text);
    error_->setVisible(!text.isEmpty());
    if (editor_->property("invalid").toBool() != !text.isEmpty()) {
      editor_->setProperty("invalid", !text.isEmpty());
      editor_->style()->unpolish(editor_);
      editor_->style()->polish(editor_);
    }
  }

 private:
  using Loader = std::function<void()>;
  using Storer = std::function<QString()>;

  void adopt(QWidget* editor, QHBoxLayout& line, Loader load, Storer store) {
    editor_ = editor;
    editor->setObjectName(name());
    editor->setAccessibleName(label());
    editor->setToolTip(helpOf(field_.info));
    line.addWidget(editor, 1);
    load_ = std::move(load);
    store_ = std::move(store);
  }
  void changed() { form_.rowEdited(*this); }

  void build(bool* value, QHBoxLayout& line) {
    auto* check = new QCheckBox(box_);
    adopt(
        check, line, [=] { check->setChecked(*value); },
        [=] {
          *value = check->isChecked();
          return QString();
        });
    QObject::connect(check, &QCheckBox::clicked, &form_, [this] { changed(); });
  }

  NumberBox* addNumber(NumberBox::Kind kind) {
    auto* number = new NumberBox(kind, box_);
    number->setRange(field_.info.min, field_.info.max);
    QObject::connect(number, &NumberBox::edited, &form_, [this] { changed(); });
    return number;
  }

  void build(std::int64_t* value, QHBoxLayout& line) {
    auto* number = addNumber(NumberBox::Kind::kInteger);
    adopt(
        number, line, [=] { number->setInteger(*value); },
        [=] {
          const auto read = number->integer();
          *value = read.value_or(*value);
          return read ? QString() : OptionsForm::tr("Not an integer; use digits only");
        });
  }

  void build(double* value, QHBoxLayout& line) {
    auto* number = addNumber(NumberBox::Kind::kReal);
    adopt(
        number, line, [=] { number->setReal(*value); },
        [=] {
          const auto read = number->real();
          *value = read.value_or(*value);
          return read ? QString() : OptionsForm::tr("Not a number; enter e.g. 0.5 or 1e-4");
        });
  }

  template <class Number>
  void build(std::optional<Number>* value, QHBoxLayout& line) {
    constexpr bool kWhole = std::is_integral_v<Number>;
    auto* number = addNumber(kWhole ? NumberBox::Kind::kInteger : NumberBox::Kind::kReal);
    const auto show = [=](Number shown) {
      if constexpr (kWhole) {
        number->setInteger(shown);
      } else {
        number->setReal(shown);
      }
    };
    const auto readNumber = [=]() -> std::optional<Number> {
      if constexpr (kWhole) {
        return number->integer();
      } else {
        return number->real();
      }
    };
    number->setPlaceholderText(OptionsForm::tr("auto"));
    auto* automatic = new QCheckBox(OptionsForm::tr("auto"), box_);
    automatic->setObjectName(name() + QLatin1String("Auto"));
    adopt(
        number, line,
        [=] {
          automatic->setChecked(!value->has_value());
          number->setEnabled(value->has_value());
          value->has_value() ? show(**value) : number->clearNumber();
        },
        [=] {
          number->setEnabled(!automatic->isChecked());
          if (automatic->isChecked()) {
            number->clearNumber();
            value->reset();
            return QString();
          }
          const std::optional<Number> read = readNumber();
          *value = read ? read : *value;
          return read     ? QString()
                 : kWhole ? OptionsForm::tr("Not an integer; use digits, or choose auto")
                          : OptionsForm::tr("Not a number; enter one, or choose auto");
        });
    line.addWidget(automatic);
    QObject::connect(automatic, &QCheckBox::clicked, &form_, [this] { changed(); });
  }

  void build(std::string* value, QHBoxLayout& line) {
    if (!field_.info.choices.empty()) {
      auto* combo = new QComboBox(box_);
      for (const std::string& choice : field_.info.choices) {
        combo->addItem(QString::fromStdString(choiceLabel(field_.info, choice)),
                       QString::fromStdString(choice));
      }
      adopt(
          combo, line,
          [=] { combo->setCurrentIndex(combo->findData(QString::fromStdString(*value))); },
          [=] {
            *value = combo->currentData().toString().toStdString();
            return QString();
          });
      QObject::connect(combo, &QComboBox::activated, &form_, [this] { changed(); });
      return;
    }
    if (!field_.info.forms.empty()) {
      buildForms(value, line);
      return;
    }
    auto* edit = addText();
    adopt(
        edit, line, [=] { edit->setText(QString::fromStdString(*value)); },
        [=] {
          *value = edit->text().toStdString();
          return QString();
        });
  }

  /// A list of the forms, plus a number box for forms that take a number.
  void buildForms(std::string* value, QHBoxLayout& line) {
    const std::vector<TextForm>& forms = field_.info.forms;
    auto* combo = new QComboBox(box_);
    for (const TextForm& form : forms) {
      combo->addItem(QString::fromStdString(form.label));
    }
    // The number next to it needs the room more than long names do.
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(kShortForm);
    auto* number = new NumberBox(NumberBox::Kind::kReal, box_);
    number->setObjectName(name() + QLatin1String("Number"));
    number->setAccessibleName(OptionsForm::tr("%1, number").arg(label()));
    QObject::connect(number, &NumberBox::edited, &form_, [this] { changed(); });
    const auto show_number = [=, this] {
      const auto& form = field_.info.forms[static_cast<std::size_t>(combo->currentIndex())];
      number->setVisible(form.number.has_value());
      number->setRange(form.above, form.below);
      return form;
    };
    adopt(
        combo, line,
        [=, this] {
          const auto [position, read] = readForm(*value);
          combo->setCurrentIndex(position);
          show_number();
          if (read) {
            number->setReal(*read);
          }
        },
        [=] {
          const TextForm form = show_number();
          if (!form.number) {
            *value = form.prefix;
            return QString();
          }
          const auto read = number->real();
          if (!read) {
            return OptionsForm::tr("Not a number; enter e.g. %1").arg(*form.number);
          }
          if (!(*read > form.above && *read < form.below)) {
            return std::isinf(form.below) ? OptionsForm::tr("Must be above %1").arg(form.above)
                                          : OptionsForm::tr("Must be between %1 and %2")
                                                .arg(form.above)
                                                .arg(form.below);
          }
          *value = form.prefix +
                   QString::number(*read, 'g', QLocale::FloatingPointShortest).toStdString();
          return QString();
        });
    line.addWidget(number, 1);
    QObject::connect(combo, &QComboBox::activated, &form_, [=, this](int index) {
      if (const auto first = field_.info.forms[static_cast<std::size_t>(index)].number) {
        number->setReal(*first);
      }
      changed();
    });
  }

  /// Index of the form that matches `text`, and its number.
  [[nodiscard]] std::pair<int, std::optional<double>> readForm(const std::string& text) const {
    const std::vector<TextForm>& forms = field_.info.forms;
    for (std::size_t i = 0; i < forms.size(); ++i) {
      if (!forms[i].number && text == forms[i].prefix) {
        return {static_cast<int>(i), std::nullopt};
      }
      bool is_number = false;
      const double number =
          text.starts_with(forms[i].prefix)
              ? QString::fromStdString(text.substr(forms[i].prefix.size())).toDouble(&is_number)
              : 0.0;
      if (forms[i].number && is_number) {
        return {static_cast<int>(i), number};
      }
    }
    return {0, std::nullopt};
  }

  void build(std::vector<std::int64_t>* values, QHBoxLayout& line) {
    auto* edit = addText();
    edit->setPlaceholderText(OptionsForm::tr("all"));
    adopt(
        edit, line, [=] { edit->setText(listText(*values)); },
        [=] {
          const auto read = parseList(edit->text());
          *values = read.value_or(*values);
          return read ? QString() : OptionsForm::tr("Not a list of integers; enter e.g. 0, 2, 5");
        });
  }

  QLineEdit* addText() {
    auto* edit = new QLineEdit(box_);
    QObject::connect(edit, &QLineEdit::textEdited, &form_, [this] { changed(); });
    return edit;
  }

  Field field_;
  OptionsForm& form_;
  QWidget* box_;
  QLabel* error_;
  QWidget* editor_ = nullptr;
  Loader load_;
  Storer store_;
  QString parse_error_;
  QString rule_error_;
};

OptionsForm::OptionsForm(QWidget* parent) : QWidget(parent), layout_(new QFormLayout(this)) {
  setObjectName(QStringLiteral("optionsForm"));
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setHorizontalSpacing(4 * kGrid);
  layout_->setVerticalSpacing(2 * kGrid);
  layout_->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  layout_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
}

OptionsForm::~OptionsForm() = default;

void OptionsForm::setFields(std::vector<Field> fields) {
  clearFields();
  const auto advanced = std::stable_partition(
      fields.begin(), fields.end(), [](const Field& field) { return !field.info.advanced; });
  for (auto field = fields.begin(); field != fields.end(); ++field) {
    if (field == advanced) {
      advanced_ = new QToolButton(this);
      advanced_->setObjectName(QStringLiteral("advancedOptions"));
      advanced_->setProperty("role", QStringLiteral("quiet"));
      advanced_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
      advanced_->setText(tr("Advanced"));
      layout_->addRow(advanced_);
      connect(advanced_, &QToolButton::clicked, this,
              [this] { setAdvancedShown(!advanced_shown_); });
    }
    addRow(std::move(*field));
  }
  showAdvanced();
  valid_ = check().has_value();
}

void OptionsForm::setRule(std::function<Status()> rule) {
  rule_ = std::move(rule);
  showRule();
  showAdvanced();
  valid_ = check().has_value();
}

void OptionsForm::showRule() {
  const bool asks = rule_ && !rows_.empty() &&
                    std::ranges::all_of(rows_, [](const auto& row) { return row->isValidAlone(); });
  const Status checked = asks ? rule_() : Status();
  const Row* wrong = checked ? nullptr : rows_.front().get();
  QString text;
  if (!checked) {
    text = QString::fromStdString(checked.error().message);
    for (const Setting& named : checked.error().remedy.settings) {
      const auto row = std::ranges::find(rows_, QString::fromStdString(named.name),
                                         [](const auto& one) { return one->name(); });
      if (row != rows_.end()) {
        wrong = row->get();
        break;
      }
    }
  }
  for (const auto& row : rows_) {
    row->setRuleError(row.get() == wrong ? text : QString());
  }
}

void OptionsForm::addRow(Field field) {
  auto row = std::make_unique<Row>(std::move(field), *this);
  layout_->addRow(row->label(), row->box());
  auto* label = qobject_cast<QLabel*>(layout_->labelForField(row->box()));
  label->setBuddy(row->editor());
  label->setMinimumWidth(kFormLabelWidth);
  label->setToolTip(row->editor()->toolTip());
  rows_.push_back(std::move(row));
}

void OptionsForm::addBelow(const QString& name, QWidget* widget) {
  int place = layout_->rowCount();
  const auto row = std::ranges::find(rows_, name, [](const auto& one) { return one->name(); });
  if (row != rows_.end()) {
    QFormLayout::ItemRole role{};
    layout_->getWidgetPosition((*row)->box(), &place, &role);
    ++place;
  }
  layout_->insertRow(place, widget);
}

void OptionsForm::setAdvancedShown(bool shown) {
  advanced_shown_ = shown;
  showAdvanced();
}

void OptionsForm::showAdvanced() {
  if (advanced_ == nullptr) {
    return;
  }
  // Errors must be visible.
  const bool wrong = std::any_of(rows_.begin(), rows_.end(), [](const auto& row) {
    return row->advanced() && !row->error().isEmpty();
  });
  const bool shown = advanced_shown_ || wrong;
  advanced_->setArrowType(shown ? Qt::DownArrow : Qt::RightArrow);
  for (const auto& row : rows_) {
    if (row->advanced()) {
      layout_->setRowVisible(row->box(), shown);
    }
  }
}

void OptionsForm::clearFields() {
  rule_ = nullptr;
  rows_.clear();
  advanced_ = nullptr;
  while (layout_->rowCount() > 0) {
    layout_->removeRow(0);
  }
}

void OptionsForm::reload() {
  for (const auto& row : rows_) {
    row->load();
  }
  showRule();
  showAdvanced();
  valid_ = check().has_value();
}

Status OptionsForm::check() const {
  for (const auto& row : rows_) {
    if (!row->error().isEmpty()) {
      return fail(ErrorCode::kInvalidArgument,
                  QStringLiteral("%1: %2").arg(row->label(), row->error()).toStdString());
    }
  }
  return {};
}

void OptionsForm::setInactive(const QString& name, const QString& requirement) {
  for (const auto& row : rows_) {
    if (row->name() == name) {
      row->setInactive(requirement);
      layout_->labelForField(row->box())->setEnabled(requirement.isEmpty());
    }
  }
}

QString OptionsForm::errorText(const QString& name) const {
  for (const auto& row : rows_) {
    if (row->name() == name) {
      return row->error();
    }
  }
  return {};
}

void OptionsForm::rowEdited(Row& row) {
  row.store();
  showRule();
  const bool valid = check().has_value();
  Q_EMIT edited(row.name());
  if (valid != valid_) {
    valid_ = valid;
    Q_EMIT validChanged(valid);
  }
}

}  // namespace dubito
