// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/key_value_list.h"

#include <QContextMenuEvent>
#include <QGridLayout>
#include <QLabel>

#include "widgets/help_topic.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {

KeyValueList::KeyValueList(QWidget* parent) : QWidget(parent), layout_(new QGridLayout(this)) {
  setObjectName(QStringLiteral("keyValueList"));
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setHorizontalSpacing(2 * kGrid);
  layout_->setVerticalSpacing(kGrid / 2);
  layout_->setColumnStretch(0, 1);
  exporter_ = new Exporter({.table = [this] { return table(); },
                            .picture = {},
                            .title = [this] { return title_; },
                            .as_document = true},
                           this);
  connect(exporter_, &Exporter::failed, this, &KeyValueList::failed);
}

PlotTable KeyValueList::table() const {
  PlotTable table;
  table.columns = {"name", "value", "unit"};
  for (const KeyValue& value : values_) {
    table.rows.push_back({value.name, value.value, value.unit});
  }
  return table;
}

void KeyValueList::contextMenuEvent(QContextMenuEvent* event) {
  exporter_->popUp(event->globalPos());
}

void KeyValueList::setValues(std::vector<KeyValue> values) {
  values_ = std::move(values);
  while (lines_.size() > values_.size()) {
    delete lines_.back().name;
    delete lines_.back().value;
    lines_.pop_back();
  }
  while (lines_.size() < values_.size()) {
    const int row = static_cast<int>(lines_.size());
    Line line{new WrappedLabel(this), new QLabel(this)};  // a value is never cut
    line.name->setProperty("role", "muted");
    line.value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    line.value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    line.value->setFont(uiFont(TypeSize::kSmall));
    for (QLabel* label : {line.name, line.value}) {
      label->setTextFormat(Qt::PlainText);
      label->setContextMenuPolicy(Qt::NoContextMenu);  // use the menu of the list
    }
    layout_->addWidget(line.name, row, 0);
    layout_->addWidget(line.value, row, 1);
    lines_.push_back(line);
  }
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const KeyValue& value = values_[i];
    const QString text = value.unit.isEmpty() ? value.value : value.value + u' ' + value.unit;
    lines_[i].name->setText(value.name);
    lines_[i].value->setText(text);
    lines_[i].value->setAccessibleName(value.name + u' ' + text);
    for (QLabel* const label : {lines_[i].name, lines_[i].value}) {
      label->setToolTip(value.tooltip);
      setHelpTopic(*label, value.topic);
    }
  }
}

}  // namespace dubito
