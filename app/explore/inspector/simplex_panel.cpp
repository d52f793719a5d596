// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/inspector/simplex_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "app/words/words.h"
#include "widgets/theme.h"

namespace dubito {

SimplexPanel::SimplexPanel(QWidget* parent) : QWidget(parent), plot_(new SimplexPlot(this)) {
  setObjectName(QStringLiteral("simplexPanel"));
  auto* const chooser = new QHBoxLayout;
  chooser->setSpacing(kGrid);
  const std::array names = {"simplexLeft", "simplexRight", "simplexTop"};
  const std::array explanations = {tr("Class at the left corner"), tr("Class at the right corner"),
                                   tr("Class at the top corner")};
  for (std::size_t corner = 0; corner < boxes_.size(); ++corner) {
    auto* const box = new QComboBox(this);
    box->setObjectName(QLatin1String(names[corner]));
    box->setFocusPolicy(Qt::TabFocus);  // clicking must not move the keyboard focus
    box->setAccessibleName(explanations[corner]);
    box->setToolTip(explanations[corner]);
    // Fill the available width, regardless of the name lengths.
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connect(box, &QComboBox::activated, this, [this, corner](int index) { choose(corner, index); });
    chooser->addWidget(box, 1);
    boxes_[corner] = box;
  }
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addLayout(chooser);
  layout->addWidget(plot_, 1);
  layout->addStretch(0);
}

void SimplexPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  plot_->setMaximumHeight(std::max(plot_->minimumSizeHint().height(), width()));
}

void SimplexPanel::setItem(AnalysisPtr analysis, ItemRef item, Array<float> draws) {
  analysis_ = std::move(analysis);
  item_ = item;
  draws_ = std::move(draws);
  listClasses();
  show();
}

void SimplexPanel::setView(SimplexPlot::View view) {
  plot_->setView(view);
}

void SimplexPanel::setCaption(const QString& title, const QString& subtitle) {
  plot_->setCaption(title, subtitle);
}

/// Once per class list: there may be thousands.
void SimplexPanel::listClasses() {
  const std::int64_t classes = analysis_->in().run->classCount();
  std::vector<QString> names;
  for (std::int64_t k = 0; k < classes; ++k) {
    names.push_back(className(*analysis_, k));
  }
  if (names == listed_) {
    return;
  }
  listed_ = std::move(names);
  choices_ = {};
  const std::array automatic = {tr("likeliest"), tr("second"), tr("third")};
  for (std::size_t corner = 0; corner < boxes_.size(); ++corner) {
    boxes_[corner]->clear();
    boxes_[corner]->addItem(automatic[corner]);
    boxes_[corner]->addItems(QStringList(listed_.begin(), listed_.end()));
  }
}

void SimplexPanel::choose(std::size_t corner, int index) {
  choices_[corner] = index == 0 ? std::nullopt : std::optional<std::int64_t>(index - 1);
  for (std::size_t other = 0; other < boxes_.size(); ++other) {
    // A class can be at one corner only.
    if (other != corner && choices_[other] && choices_[other] == choices_[corner]) {
      choices_[other].reset();
      boxes_[other]->setCurrentIndex(0);
    }
  }
  show();
}

void SimplexPanel::show() {
  if (!analysis_) {
    return;
  }
  const auto classes = cornerClasses(*analysis_, item_, choices_);
  for (QComboBox* const box : boxes_) {
    box->setEnabled(classes.has_value());
  }
  if (classes) {
    ItemSimplexView view = itemSimplex(*analysis_, item_, *classes, draws_);
    note_ = view.note;
    plot_->setValue(std::move(view.value));
  } else {
    note_ = tr("requires at least three classes");
    plot_->setValue({});
  }
  Q_EMIT noteChanged();
}

}  // namespace dubito
