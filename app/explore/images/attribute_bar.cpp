// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/images/attribute_bar.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/flow_layout.h"
#include "widgets/number_box.h"
#include "widgets/plot_table.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kMaxChooserWidth = 56 * kGrid;

QLabel* mutedLabel(const QString& text, QWidget* parent) {
  auto* const label = new QLabel(text, parent);
  label->setProperty("role", QStringLiteral("muted"));
  return label;
}

}  // namespace

AttributeBar::AttributeBar(QWidget* parent) : QWidget(parent) {
  name_ = new QComboBox(this);
  name_->setObjectName(QStringLiteral("attributeChooser"));
  name_->setAccessibleName(tr("Attribute"));
  value_ = new QComboBox(this);
  value_->setObjectName(QStringLiteral("attributeValueChooser"));
  value_->setAccessibleName(tr("Attribute value"));
  value_->setInsertPolicy(QComboBox::NoInsert);
  for (QComboBox* const box : {name_, value_}) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box->setMaximumWidth(kMaxChooserWidth);
  }
  low_ = new NumberBox(NumberBox::Kind::kReal, this);
  low_->setObjectName(QStringLiteral("attributeLow"));
  low_->setAccessibleName(tr("Minimum attribute value"));
  high_ = new NumberBox(NumberBox::Kind::kReal, this);
  high_->setObjectName(QStringLiteral("attributeHigh"));
  high_->setAccessibleName(tr("Maximum attribute value"));
  to_ = mutedLabel(tr("to"), this);
  auto* const layout = new FlowLayout(this, 2 * kGrid);
  layout->addWidget(mutedLabel(tr("where"), this));
  layout->addWidget(name_);
  layout->addWidget(value_);
  for (QWidget* const part : std::initializer_list<QWidget*>{low_, to_, high_}) {
    layout->addWidget(part);
  }
  for (NumberBox* const box : {low_, high_}) {
    box->setFixedWidth(24 * kGrid);
  }

  connect(name_, &QComboBox::currentIndexChanged, this, [this] {
    if (!filling_) {
      showAttribute();
      Q_EMIT edited();
    }
  });
  const auto choose_value = [this] {
    if (filling_) {
      return;
    }
    // A value and a range are mutually exclusive.
    low_->clearNumber();
    high_->clearNumber();
    Q_EMIT edited();
  };
  connect(value_, &QComboBox::currentIndexChanged, this, choose_value);
  connect(value_, &QComboBox::editTextChanged, this, choose_value);
  for (NumberBox* const box : {low_, high_}) {
    connect(box, &NumberBox::edited, this, [this] {
      filling_ = true;
      value_->setCurrentIndex(0);
      filling_ = false;
      Q_EMIT edited();
    });
  }
  setAttributes({});
}

void AttributeBar::setAttributes(std::vector<AttributeSummary> attributes) {
  const QString before = name_->currentData().toString();
  attributes_ = std::move(attributes);
  filling_ = true;
  name_->clear();
  name_->addItem(tr("any attribute"), QString());
  for (const AttributeSummary& attribute : attributes_) {
    const QString name = QString::fromStdString(attribute.name);
    name_->addItem(name, name);
  }
  name_->setCurrentIndex(std::max(0, name_->findData(before)));
  filling_ = false;
  showAttribute();
  setVisible(!attributes_.empty());
}

const AttributeSummary* AttributeBar::chosen() const {
  const auto at = static_cast<std::size_t>(name_->currentIndex());
  return name_->currentIndex() < 1 || at > attributes_.size() ? nullptr : &attributes_[at - 1];
}

void AttributeBar::showAttribute() {
  const AttributeSummary* const attribute = chosen();
  filling_ = true;
  value_->clear();
  value_->addItem(tr("any value"));
  if (attribute != nullptr) {
    for (const std::string& text : attribute->values) {
      value_->addItem(QString::fromStdString(text), QString::fromStdString(text));
    }
    if (attribute->has_missing_values) {
      value_->addItem(tr("none"), QStringLiteral(""));
    }
    low_->setPlaceholderText(exactText(attribute->range.low));
    high_->setPlaceholderText(exactText(attribute->range.high));
  }
  low_->clearNumber();
  high_->clearNumber();
  const bool numeric = attribute != nullptr && attribute->numeric;
  // Type the text if there are too many values for a list.
  value_->setEditable(attribute != nullptr && !numeric && attribute->values.empty());
  if (value_->isEditable()) {
    value_->lineEdit()->setPlaceholderText(tr("exact text"));
    value_->clearEditText();
  }
  value_->setVisible(attribute != nullptr && value_->count() + (numeric ? 0 : 1) > 1);
  for (QWidget* const part : std::initializer_list<QWidget*>{low_, to_, high_}) {
    part->setVisible(numeric);
  }
  filling_ = false;
}

std::optional<AttributeFilter> AttributeBar::filter() const {
  const AttributeSummary* const attribute = chosen();
  if (attribute == nullptr) {
    return std::nullopt;
  }
  const std::optional<double> low = low_->real();
  const std::optional<double> high = high_->real();
  if (attribute->numeric && (low || high)) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return AttributeFilter{attribute->name,
                           Interval{low.value_or(-kInfinity), high.value_or(kInfinity)}};
  }
  const QString text = value_->currentText();
  if (value_->isEditable() && text != value_->itemText(value_->currentIndex())) {
    return text.isEmpty() ? std::nullopt
                          : std::optional(AttributeFilter{attribute->name, text.toStdString()});
  }
  const QVariant value = value_->currentData();
  return value.isValid()
             ? std::optional(AttributeFilter{attribute->name, value.toString().toStdString()})
             : std::nullopt;
}

void AttributeBar::setFilter(const std::optional<AttributeFilter>& wanted) {
  if (filter() == wanted) {
    return;
  }
  filling_ = true;
  if (wanted) {
    name_->setCurrentIndex(std::max(0, name_->findData(QString::fromStdString(wanted->name))));
  }
  filling_ = false;
  showAttribute();
  filling_ = true;
  if (wanted) {
    if (const auto* const range = std::get_if<Interval>(&wanted->wanted)) {
      for (const auto& [box, number] : {std::pair{low_, range->low}, {high_, range->high}}) {
        if (std::isfinite(number)) {
          box->setReal(number);
        }
      }
    } else {
      const QString text = QString::fromStdString(std::get<std::string>(wanted->wanted));
      const int at = value_->findData(text);
      value_->setCurrentIndex(std::max(0, at));
      if (at < 0 && value_->isEditable()) {
        value_->setEditText(text);
      }
    }
  }
  filling_ = false;
}

}  // namespace dubito
