// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/images_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>

#include "app/pages/attribute_bar.h"
#include "app/pages/gallery_binder.h"
#include "app/panels/words.h"
#include "widgets/card.h"
#include "widgets/image_gallery.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kAnyClass = -1;

/// The style sheet's padding is no part of a combo box's own size hint.
void fitToTexts(QComboBox& box) {
  constexpr int kFrame = 10 * kGrid;
  constexpr int kWidest = 56 * kGrid;
  constexpr int kNarrowest = 16 * kGrid;
  int widest = 0;
  for (int i = 0; i < box.count(); ++i) {
    widest = std::max(widest, box.fontMetrics().horizontalAdvance(box.itemText(i)));
  }
  // A narrow card squeezes the choosers before it lets them overlap.
  box.setMinimumWidth(std::min(widest + kFrame, kNarrowest));
  box.setMaximumWidth(std::min(widest + kFrame, kWidest));
}

std::optional<std::int64_t> chosenClass(const QComboBox& box) {
  const int k = box.currentData().toInt();
  return k == kAnyClass ? std::nullopt : std::optional<std::int64_t>(k);
}

}  // namespace

ImagesPage::ImagesPage(Session& session, ThumbnailLoader& loader, QWidget* parent)
    : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("imagesPage"));
  card_ = new Card(tr("Images"), this);
  card_->setObjectName(QStringLiteral("imagesCard"));
  auto* const content = new QWidget(card_);
  auto* const bar = new QHBoxLayout;
  bar->setSpacing(2 * kGrid);
  group_ = addChooser(*bar, tr("Show"), "groupChooser");
  predicted_ = addChooser(*bar, tr("predicted"), "predictedChooser");
  label_ = addChooser(*bar, tr("label"), "labelChooser");
  sort_ = addChooser(*bar, tr("by"), "sortChooser");
  direction_ = new QPushButton(content);
  direction_->setObjectName(QStringLiteral("sortDirection"));
  direction_->setCheckable(true);
  direction_->setFixedWidth(8 * kGrid);
  direction_->setStyleSheet(QStringLiteral("padding: 4px 0;"));
  bar->addWidget(direction_);
  bar->addStretch(1);
  size_ = new QSlider(Qt::Horizontal, content);
  size_->setObjectName(QStringLiteral("thumbnailSize"));
  size_->setRange(28, 224);
  size_->setFixedWidth(16 * kGrid);
  size_->setToolTip(tr("Size of the images"));
  size_->setAccessibleName(tr("Size of the images"));
  bar->addWidget(size_);
  gallery_ = new ImageGallery(content);
  gallery_->setObjectName(QStringLiteral("imagesGallery"));
  auto* const inner = new QVBoxLayout(content);
  inner->setContentsMargins(0, 0, 0, 0);
  inner->setSpacing(2 * kGrid);
  inner->addLayout(bar);
  attributes_ = new AttributeBar(content);
  attributes_->setObjectName(QStringLiteral("attributeBar"));
  inner->addWidget(attributes_);
  inner->addWidget(gallery_, 1);
  card_->setContent(content);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(card_);

  connect(size_, &QSlider::valueChanged, gallery_, &ImageGallery::setThumbnailSize);
  size_->setValue(84);
  for (const GroupFilter filter :
       {GroupFilter::kAll, GroupFilter::kCorrect, GroupFilter::kMisclassified, GroupFilter::kOod}) {
    static constexpr ItemGroup kGroups[] = {ItemGroup::kUnlabelled, ItemGroup::kCorrect,
                                            ItemGroup::kMisclassified, ItemGroup::kOod};
    group_->addItem(
        filter == GroupFilter::kAll ? tr("all") : groupName(kGroups[static_cast<int>(filter)]),
        static_cast<int>(filter));
  }
  for (QComboBox* const box : {group_, predicted_, label_, sort_}) {
    connect(box, &QComboBox::currentIndexChanged, this, &ImagesPage::edited);
    // The keys walk through the images again, not through the chooser.
    connect(box, &QComboBox::activated, gallery_, [this] { gallery_->setFocus(); });
  }
  connect(direction_, &QPushButton::toggled, this, &ImagesPage::edited);
  connect(attributes_, &AttributeBar::edited, this, &ImagesPage::edited);
  new GalleryBinder(session_, loader, *gallery_);
  connect(&session_, &Session::activeAnalysisChanged, this, &ImagesPage::fillChoosers);
  connect(&session_, &Session::queryChanged, this, &ImagesPage::showQuery);
  connect(&session_, &Session::itemsChanged, this, &ImagesPage::showQuery);
  fillChoosers();
}

QComboBox* ImagesPage::addChooser(QHBoxLayout& bar, const QString& label, const char* name) {
  auto* const text = new QLabel(label, this);
  text->setProperty("role", QStringLiteral("muted"));
  auto* const box = new QComboBox(this);
  box->setObjectName(QLatin1String(name));
  box->setAccessibleName(label);
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  text->setBuddy(box);
  bar.addWidget(text);
  bar.addWidget(box);
  return box;
}

void ImagesPage::fillChoosers() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  card_->setEmptyText(analysis ? QString()
                               : tr("The images appear here with their uncertainty once a run is "
                                    "computed or opened"));
  filling_ = true;
  for (QComboBox* const box : {predicted_, label_}) {
    box->clear();
    box->addItem(tr("any"), kAnyClass);
    for (std::int64_t k = 0; analysis && k < analysis->in().run->classCount(); ++k) {
      box->addItem(className(*analysis, k), static_cast<int>(k));
    }
  }
  sort_->clear();
  for (const Measure measure : allMeasures()) {
    if (analysis && analysis->in().has(measure)) {
      sort_->addItem(measureName(measure), static_cast<int>(measure));
      sort_->setItemData(sort_->count() - 1, measureFormula(measure), Qt::ToolTipRole);
    }
  }
  std::vector<AttributeSummary> attributes =
      analysis ? attributesOf(*analysis) : std::vector<AttributeSummary>();
  for (const AttributeSummary& attribute : attributes) {
    const QString name = QString::fromStdString(attribute.name);
    sort_->addItem(name, name);
  }
  attributes_->setAttributes(std::move(attributes));
  for (QComboBox* const box : {group_, predicted_, label_, sort_}) {
    fitToTexts(*box);
  }
  filling_ = false;
  showQuery();
}

void ImagesPage::showQuery() {
  if (!session_.activeAnalysis()) {
    return;
  }
  const ItemQuery& query = session_.query();
  filling_ = true;
  group_->setCurrentIndex(group_->findData(static_cast<int>(query.group)));
  predicted_->setCurrentIndex(
      predicted_->findData(static_cast<int>(query.predicted.value_or(kAnyClass))));
  label_->setCurrentIndex(label_->findData(static_cast<int>(query.label.value_or(kAnyClass))));
  sort_->setCurrentIndex(query.sort_attribute
                             ? sort_->findData(QString::fromStdString(*query.sort_attribute))
                             : sort_->findData(static_cast<int>(query.sort)));
  attributes_->setFilter(query.attribute);
  direction_->setChecked(query.descending);
  direction_->setText(query.descending ? QStringLiteral("↓") : QStringLiteral("↑"));
  direction_->setToolTip(query.descending ? tr("highest first; press to turn round")
                                          : tr("lowest first; press to turn round"));
  direction_->setAccessibleName(direction_->toolTip());
  filling_ = false;
  card_->setSubtitle(describeQuery(
      query, session_.items() ? static_cast<std::int64_t>(session_.items()->size()) : 0));
}

void ImagesPage::edited() {
  if (filling_) {
    return;
  }
  ItemQuery query = session_.query();
  query.group = static_cast<GroupFilter>(group_->currentData().toInt());
  query.predicted = chosenClass(*predicted_);
  query.label = chosenClass(*label_);
  const QVariant sort = sort_->currentData();
  if (sort.userType() == QMetaType::QString) {
    query.sort_attribute = sort.toString().toStdString();
  } else {
    query.sort = static_cast<Measure>(sort.toInt());
    query.sort_attribute.reset();
  }
  query.attribute = attributes_->filter();
  query.descending = direction_->isChecked();
  session_.setQuery(query);
}

}  // namespace dubito
