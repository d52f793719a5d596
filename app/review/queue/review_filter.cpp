// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/queue/review_filter.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QFrame>
#include <QHBoxLayout>
#include <QLineEdit>
#include <algorithm>

#include "app/review/queue/review_queue.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

struct StateName {
  ItemState state;
  const char* name;
};
constexpr StateName kStates[] = {
    {ItemState::kUndecided, QT_TRANSLATE_NOOP("dubito::ReviewFilter", "undecided")},
    {ItemState::kDecided, QT_TRANSLATE_NOOP("dubito::ReviewFilter", "decided")},
    {ItemState::kSkipped, QT_TRANSLATE_NOOP("dubito::ReviewFilter", "skipped")},
    {ItemState::kAmbiguous, QT_TRANSLATE_NOOP("dubito::ReviewFilter", "can't tell")},
    {ItemState::kNotInClasses, QT_TRANSLATE_NOOP("dubito::ReviewFilter", "none of these")},
    {ItemState::kFlagged, QT_TRANSLATE_NOOP("dubito::ReviewFilter", "for somebody else")},
    {ItemState::kAny, QT_TRANSLATE_NOOP("dubito::ReviewFilter", "any")}};

QComboBox* makeChoice(const char* name, QWidget* parent) {
  auto* const choice = new QComboBox(parent);
  choice->setObjectName(QLatin1String(name));
  return choice;
}

void choose(QComboBox& choice, const QVariant& value) {
  choice.setCurrentIndex(std::max(0, choice.findData(value)));
}

}  // namespace

ReviewFilter::ReviewFilter(ReviewQueue& queue, const LabelFile& file, QWidget* parent)
    : QPushButton(parent), queue_(queue), file_(file) {
  setObjectName(QStringLiteral("reviewFilter"));
  setFocusPolicy(Qt::TabFocus);
  form_ = new QFrame(this, Qt::Popup);
  form_->setObjectName(QStringLiteral("reviewFilterForm"));
  form_->setFrameShape(QFrame::StyledPanel);
  name_ = new QLineEdit(form_);
  name_->setObjectName(QStringLiteral("reviewFilterName"));
  name_->setPlaceholderText(tr("part of the name"));
  name_->setClearButtonEnabled(true);
  given_ = makeChoice("reviewFilterGiven", form_);
  state_ = makeChoice("reviewFilterState", form_);
  decided_ = makeChoice("reviewFilterDecided", form_);
  person_ = makeChoice("reviewFilterPerson", form_);
  part_ = makeChoice("reviewFilterPart", form_);
  part_->setToolTip(
      tr("A part of all images, chosen at random: everybody who chooses it sees the same images, "
         "for second opinions or to compare persons"));
  part_->addItem(tr("all images"), 100);
  for (const int percent : {50, 20, 10, 5}) {
    part_->addItem(tr("%1 % at random, for everybody the same").arg(percent), percent);
  }
  commented_ = new QCheckBox(tr("with a comment"), form_);
  commented_->setObjectName(QStringLiteral("reviewFilterCommented"));
  for (const StateName& state : kStates) {
    state_->addItem(tr(state.name), static_cast<int>(state.state));
  }
  auto* const show = new QPushButton(tr("Show"), form_);
  show->setObjectName(QStringLiteral("reviewFilterShow"));
  show->setProperty("role", QStringLiteral("primary"));
  show->setDefault(true);
  auto* const clear = new QPushButton(tr("All images"), form_);
  clear->setObjectName(QStringLiteral("reviewFilterClear"));
  auto* const form = new QFormLayout(form_);
  form->addRow(tr("File"), name_);
  form->addRow(tr("Labelled"), given_);
  form->addRow(tr("State"), state_);
  form->addRow(tr("Decided as"), decided_);
  form->addRow(tr("Decided by"), person_);
  form->addRow(tr("Part"), part_);
  form->addRow(QString(), commented_);
  auto* const buttons = new QHBoxLayout;
  buttons->setSpacing(2 * kGrid);
  buttons->addStretch(1);
  buttons->addWidget(clear);
  buttons->addWidget(show);
  form->addRow(buttons);
  connect(this, &QPushButton::clicked, this, &ReviewFilter::open);
  connect(name_, &QLineEdit::returnPressed, show, &QPushButton::click);
  connect(show, &QPushButton::clicked, this, [this] {
    const ItemFilter filter = chosen();
    form_->close();
    queue_.setFilter(filter);
    Q_EMIT finished();
  });
  connect(clear, &QPushButton::clicked, this, [this] {
    form_->close();
    queue_.setFilter({});
    Q_EMIT finished();
  });
  showState();
}

void ReviewFilter::open() {
  fill();
  form_->adjustSize();
  form_->move(mapToGlobal(QPoint(0, height())));
  form_->show();
  name_->setFocus();
}

void ReviewFilter::fill() {
  const ItemFilter& filter = queue_.filter();
  name_->setText(filter.name);
  const auto fillClasses = [this](QComboBox& choice, const std::optional<std::int64_t>& chosen) {
    choice.clear();
    choice.addItem(tr("anything"));
    for (const LabelClass& entry : file_.classes()) {
      if (!entry.merged_into) {
        choice.addItem(QString::fromStdString(entry.name), static_cast<qlonglong>(entry.id));
      }
    }
    if (chosen) {
      choose(choice, static_cast<qlonglong>(*chosen));
    }
  };
  fillClasses(*given_, filter.given_class);
  fillClasses(*decided_, filter.decided_class);
  // Orders of decided images would have nothing to show otherwise.
  const auto kind = queueOfKey(queue_.key());
  const bool shows_decided = kind && describe(*kind).needs.labels;
  choose(*state_, static_cast<int>(shows_decided && filter == ItemFilter() ? ItemState::kAny
                                                                           : filter.state));
  choose(*part_, filter.percent);
  person_->clear();
  person_->addItem(tr("anybody"));
  for (const QString& person : personsOf(file_.labels())) {
    person_->addItem(person, person);
  }
  choose(*person_, filter.person);
  commented_->setChecked(filter.commented);
}

ItemFilter ReviewFilter::chosen() const {
  ItemFilter filter{.name = name_->text().trimmed(),
                    .state = static_cast<ItemState>(state_->currentData().toInt()),
                    .person = person_->currentData().toString(),
                    .commented = commented_->isChecked(),
                    .percent = part_->currentData().toInt()};
  const auto classOf = [](const QComboBox& choice) {
    return choice.currentData().isValid()
               ? std::optional<std::int64_t>(choice.currentData().toLongLong())
               : std::nullopt;
  };
  filter.given_class = classOf(*given_);
  filter.decided_class = classOf(*decided_);
  // Undecided images were decided as nothing.
  if (filter.decided_class && filter.state == ItemState::kUndecided) {
    filter.state = ItemState::kDecided;
  }
  return filter;
}

void ReviewFilter::showState() {
  const ItemFilter& filter = queue_.filter();
  const bool holds = filter != ItemFilter();
  setText(holds ? tr("Filter: %1").arg(filterText(filter, file_.classes())) : tr("Filter…"));
  setToolTip(
      tr("Which images are shown: by file name, label, decision, state, person and "
         "comments, or a random part"));
}

}  // namespace dubito
