// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_list.h"

#include <fmt/format.h>

#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kListHeight = 34 * kGrid;

}  // namespace

StudyList::StudyList(const StudyDraft& draft, const char* place, const char* name, QWidget* parent)
    : QWidget(parent),
      draft_(draft),
      place_(place),
      name_(QLatin1String(name)),
      rows_(new QVBoxLayout(this)),
      list_(new QListWidget(this)),
      fields_(new StudyFields(draft, this)) {
  rows_->setContentsMargins(0, 0, 0, 0);
  rows_->setSpacing(2 * kGrid);
  list_->setObjectName(nameOf("List"));
  list_->setAccessibleName(name_);
  list_->setFixedHeight(kListHeight);
  list_->setTextElideMode(Qt::ElideRight);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  rows_->addWidget(list_);
  buttons_ = new QHBoxLayout;
  buttons_->setSpacing(2 * kGrid);
  const auto button = [this](const QString& text, const char* part, const QString& tip) {
    auto* const made = new QPushButton(text, this);
    made->setObjectName(nameOf(part));
    made->setToolTip(tip);
    buttons_->addWidget(made);
    return made;
  };
  QPushButton* const add_one = button(tr("Add"), "Add", tr("Add a member to the list"));
  copy_ = button(tr("Duplicate"), "Copy", tr("Add a copy of the selected member"));
  remove_ = button(tr("Remove"), "Remove", tr("Remove the selected member"));
  buttons_->addStretch(1);
  rows_->addLayout(buttons_);
  rows_->addWidget(fields_);
  connect(add_one, &QPushButton::clicked, this, [this] { add(freshMember()); });
  connect(copy_, &QPushButton::clicked, this, [this] {
    if (const StudyJson* const member = currentMember()) {
      StudyJson copy = *member;
      copy["name"] = freshName(member->value("name", std::string("copy")));
      add(std::move(copy));
    }
  });
  connect(remove_, &QPushButton::clicked, this, &StudyList::remove);
  connect(list_, &QListWidget::currentRowChanged, this, &StudyList::showCurrent);
  connect(fields_, &StudyFields::edited, this, &StudyList::edited);
}

QString StudyList::nameOf(const char* part) const {
  return name_ + QLatin1String(part);
}

int StudyList::current() const {
  return list_->currentRow();
}

void StudyList::setCurrent(int row) {
  list_->setCurrentRow(row);
}

StudyJson::json_pointer StudyList::currentPlace() const {
  return place_ / static_cast<std::size_t>(std::max(current(), 0));
}

const StudyJson* StudyList::currentMember() const {
  const StudyJson* const member = current() < 0 ? nullptr : draft_.find(currentPlace());
  return member != nullptr && member->is_object() ? member : nullptr;
}

StudyJson StudyList::members() const {
  const StudyJson* const list = draft_.find(place_);
  return list != nullptr && list->is_array() ? *list : StudyJson::array();
}

std::string StudyList::freshName(const std::string& wish) const {
  const StudyJson all = members();
  const auto is_taken = [&all](const std::string& name) {
    return std::ranges::any_of(all, [&name](const StudyJson& member) {
      return member.is_object() && member.contains("name") && member["name"] == name;
    });
  };
  std::string name = wish;
  for (int number = 2; is_taken(name); ++number) {
    name = fmt::format("{} {}", wish, number);
  }
  return name;
}

void StudyList::add(StudyJson member) {
  StudyJson all = members();
  all.push_back(std::move(member));
  const int last = static_cast<int>(all.size()) - 1;
  Q_EMIT edited(place_, all);
  setCurrent(last);
}

void StudyList::remove() {
  StudyJson all = members();
  if (current() < 0 || current() >= static_cast<int>(all.size())) {
    return;
  }
  all.erase(static_cast<std::size_t>(current()));
  Q_EMIT edited(place_, all);
}

void StudyList::reload() {
  const StudyJson all = members();
  const int before = current();
  {
    const QSignalBlocker quiet(list_);
    while (list_->count() > static_cast<int>(all.size())) {
      delete list_->takeItem(list_->count() - 1);
    }
    for (int row = 0; row < static_cast<int>(all.size()); ++row) {
      const StudyJson& member = all[static_cast<std::size_t>(row)];
      const QString text = member.is_object() ? summaryOf(member) : tr("not an object");
      if (row == list_->count()) {
        list_->addItem(text);
      }
      list_->item(row)->setText(text);
      list_->item(row)->setToolTip(text);
    }
    list_->setCurrentRow(std::clamp(before, all.empty() ? -1 : 0, list_->count() - 1));
  }
  showCurrent();
}

void StudyList::showCurrent() {
  const bool has_member = currentMember() != nullptr;
  fields_->setVisible(has_member);
  copy_->setEnabled(has_member);
  remove_->setEnabled(current() >= 0);
  if (has_member) {
    fields_->setBase(currentPlace());
  }
  showMember();
}

}  // namespace dubito
