// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/images/images_page.h"

#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSlider>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/explore/images/attribute_bar.h"
#include "app/explore/images/chooser.h"
#include "app/explore/images/gallery_binder.h"
#include "app/explore/images/item_table.h"
#include "app/explore/images/sort_bar.h"
#include "app/explore/plane/plane_view.h"
#include "app/pictures/picture_source.h"
#include "app/words/glossary_entries.h"
#include "app/words/words.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/confusion_matrix.h"
#include "widgets/flow_layout.h"
#include "widgets/help_topic.h"
#include "widgets/image_gallery.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kAnyClass = -1;
constexpr int kMatrixWidth = 60 * kGrid;

std::optional<std::int64_t> chosenClass(const QComboBox& box) {
  const int k = box.currentData().toInt();
  return k == kAnyClass ? std::nullopt : std::optional<std::int64_t>(k);
}

}  // namespace

ImagesPage::ImagesPage(Session& session, WindowJobs& jobs, RunComputer& computer,
                       ThumbnailLoader& loader, QWidget* parent)
    : Page(PageId::kImages, parent), session_(session) {
  setObjectName(QStringLiteral("imagesPage"));
  card_ = new Card(tr("Images"), this);
  card_->setObjectName(QStringLiteral("imagesCard"));
  auto* const content = new QWidget(card_);
  filters_ = new QWidget(content);
  auto* const bar = new FlowLayout(filters_, 2 * kGrid);
  group_ = addChooser(*bar, tr("Show"), "groupChooser", filters_);
  predicted_ = addChooser(*bar, tr("Predicted"), "predictedChooser", filters_);
  label_ = addChooser(*bar, tr("Label"), "labelChooser", filters_);
  sorting_ = new SortBar(content);
  auto* const second = new QWidget(content);
  auto* const second_bar = new FlowLayout(second, 2 * kGrid);
  back_ = new QPushButton(tr("Back to run"), content);
  back_->setObjectName(QStringLiteral("backToRun"));
  connect(back_, &QPushButton::clicked, this, [this] { session_.endBrowsing(); });
  second_bar->addWidget(back_);
  second_bar->addWidget(sorting_);
  size_ = new QSlider(Qt::Horizontal, content);
  size_->setObjectName(QStringLiteral("thumbnailSize"));
  size_->setRange(28, 224);
  size_->setFixedWidth(16 * kGrid);
  size_->setToolTip(tr("Image size"));
  size_->setAccessibleName(tr("Image size"));
  second_bar->addWidget(size_);  // makeViews() adds the view chooser
  as_table_ = new QPushButton(tr("Table"), content);
  as_table_->setObjectName(QStringLiteral("imagesAsTable"));
  as_table_->setCheckable(true);
  as_table_->setToolTip(tr("Show the items as rows with all their values"));
  second_bar->addWidget(as_table_);
  gallery_ = new ImageGallery(content);
  gallery_->setObjectName(QStringLiteral("imagesGallery"));
  auto* const inner = new QVBoxLayout(content);
  inner->setContentsMargins(0, 0, 0, 0);
  inner->setSpacing(2 * kGrid);
  inner->addWidget(filters_);
  inner->addWidget(second);
  attributes_ = new AttributeBar(content);
  attributes_->setObjectName(QStringLiteral("attributeBar"));
  inner->addWidget(attributes_);
  inner->addWidget(makeViews(jobs, computer, *second_bar), 1);
  card_->setContent(content);
  addConfusion();

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
  for (QComboBox* const box : {group_, predicted_, label_}) {
    connect(box, &QComboBox::currentIndexChanged, this, &ImagesPage::edited);
    // Return the keyboard focus to the images.
    connect(box, &QComboBox::activated, views_, [this] { views_->currentWidget()->setFocus(); });
  }
  connect(sorting_, &SortBar::edited, this, &ImagesPage::edited);
  connect(sorting_, &SortBar::chosen, views_, [this] { views_->currentWidget()->setFocus(); });
  connect(attributes_, &AttributeBar::edited, this, &ImagesPage::edited);
  new GalleryBinder(session_, loader, *gallery_, GalleryBinder::Browsing::kFollows);
  connect(&gallery_->exporter(), &Exporter::failed, this, &ImagesPage::failed);
  connect(&session_, &Session::activeAnalysisChanged, this, &ImagesPage::fillChoosers);
  connect(&session_, &Session::workspaceChanged, this, &ImagesPage::showState);
  connect(&session_.listing(), &ItemListing::queryChanged, this, &ImagesPage::showQuery);
  connect(&session_.listing(), &ItemListing::itemsChanged, this, &ImagesPage::showQuery);
  fillChoosers();
}

QWidget* ImagesPage::makeViews(WindowJobs& jobs, RunComputer& computer, QLayout& bar) {
  views_ = new QStackedWidget(this);
  views_->setObjectName(QStringLiteral("imagesViews"));
  plane_ = new PlaneView(session_, jobs, computer, views_);
  views_->addWidget(gallery_);
  views_->addWidget(plane_);
  table_ = new ItemTable(session_, views_);
  table_->setObjectName(QStringLiteral("imagesTable"));
  views_->addWidget(table_);
  view_ = new QComboBox(this);
  view_->setObjectName(QStringLiteral("imagesViewChooser"));
  view_->setAccessibleName(tr("List or plane"));
  view_->setToolTip(view_->accessibleName());
  view_->addItems({tr("list"), tr("plane")});
  view_->setVisible(false);
  bar.addWidget(view_);
  connect(view_, &QComboBox::currentIndexChanged, this, &ImagesPage::showView);
  connect(plane_, &PlaneView::planarChanged, this, [this](bool planar) {
    // Keep the user's choice for later runs.
    if (std::exchange(planar_, planar) != planar) {
      view_->setCurrentIndex(planar ? 1 : 0);
    }
    showView();
  });
  connect(plane_, &PlaneView::failed, this, &ImagesPage::failed);
  connect(gallery_, &ImageGallery::activated, this, &ImagesPage::largeImageRequested);
  connect(as_table_, &QPushButton::toggled, this, &ImagesPage::showView);
  connect(table_, &ItemTable::failed, this, &ImagesPage::failed);
  connect(table_, &ItemTable::itemActivated, this, [this] {
    if (const AnalysisPtr analysis = session_.activeAnalysis();
        analysis && hasPictures(*analysis)) {
      Q_EMIT largeImageRequested();
    }
  });
  return views_;
}

void ImagesPage::showView() {
  // The plane and the table belong to the run.
  const AnalysisPtr analysis =
      session_.shownDataset() == nullptr ? session_.activeAnalysis() : nullptr;
  view_->setVisible(planar_ && analysis);
  const bool has_pictures = !analysis || hasPictures(*analysis);
  QWidget* shown = gallery_;
  if (analysis && view_->currentIndex() == 1) {
    shown = plane_;
  } else if (analysis && (as_table_->isChecked() || !has_pictures)) {
    shown = table_;
  }
  as_table_->setVisible(analysis && has_pictures && shown != plane_);
  views_->setCurrentWidget(shown);
  size_->setVisible(shown == gallery_);
}

bool ImagesPage::busy() const {
  return plane_->busy();
}

void ImagesPage::addConfusion() {
  confusion_card_ = new Card(tr("Confusion"), this);
  confusion_card_->setObjectName(QStringLiteral("confusionCard"));
  confusion_ = new ConfusionMatrix(confusion_card_);
  confusion_->setObjectName(QStringLiteral("confusionMatrix"));
  mistakes_ = new QListWidget(confusion_card_);
  mistakes_->setObjectName(QStringLiteral("mistakeList"));
  mistakes_->setAccessibleName(tr("Most frequent mistakes"));
  mistakes_->setFrameShape(QFrame::NoFrame);
  mistakes_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* const heading = new QLabel(tr("Most frequent mistakes"), confusion_card_);
  heading->setProperty("role", QStringLiteral("title"));
  auto* const content = new QWidget(confusion_card_);
  auto* const inner = new QVBoxLayout(content);
  inner->setContentsMargins(0, 0, 0, 0);
  inner->setSpacing(kGrid);
  inner->addWidget(confusion_);
  inner->addSpacing(kGrid);
  inner->addWidget(heading);
  inner->addWidget(mistakes_, 1);
  confusion_card_->setContent(content);
  confusion_card_->setMinimumWidth(kMatrixWidth);
  auto* const rows = new CardRows(QStringLiteral("imagesRows"), this);
  rows->addRow(1, {{card_, 2}, {confusion_card_, 1}});
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(rows);
  connect(confusion_, &ConfusionMatrix::cellChosen, this, [this](int label, int predicted) {
    session_.listing().selectCell({label, predicted});
  });
  const auto choose = [this](const QListWidgetItem* item) {
    const QPoint cell = item->data(Qt::UserRole).toPoint();
    session_.listing().selectCell({cell.y(), cell.x()});
    // Move the keyboard focus to the listed images.
    views_->currentWidget()->setFocus();
  };
  connect(mistakes_, &QListWidget::itemClicked, this, choose);
  connect(mistakes_, &QListWidget::itemActivated, this, choose);
  connect(confusion_, &ConfusionMatrix::failed, this, &ImagesPage::failed);
  connect(confusion_, &ConfusionMatrix::cleared, &session_.listing(), &ItemListing::clearSelection);
}

void ImagesPage::fillChoosers() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  filling_ = true;
  for (QComboBox* const box : {predicted_, label_}) {
    box->clear();
    box->addItem(tr("any"), kAnyClass);
    for (std::int64_t k = 0; analysis && k < analysis->in().run->classCount(); ++k) {
      box->addItem(className(*analysis, k), static_cast<int>(k));
    }
  }
  std::vector<AttributeSummary> attributes =
      analysis ? attributesOf(*analysis) : std::vector<AttributeSummary>();
  sorting_->setChoices(analysis, attributes);
  attributes_->setAttributes(std::move(attributes));
  for (QComboBox* const box : {group_, predicted_, label_}) {
    fitToTexts(*box);
  }
  filling_ = false;
  showConfusion();
  showState();
}

void ImagesPage::showState() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  const bool has_run = analysis != nullptr;
  const bool browses = session_.browsed() != nullptr;
  const DatasetPtr dataset = session_.shownDataset();
  filters_->setVisible(has_run && !browses);
  sorting_->setVisible(has_run && !browses);
  attributes_->setHidden(browses || !attributes_->hasAttributes());
  showView();
  back_->setVisible(has_run && browses);
  back_->setToolTip(
      has_run ? tr("Show the images of %1 again").arg(QString::fromStdString(analysis->name))
              : QString());
  const QString only_ood = tr(
      "No evaluation images are open. Select a dataset in the workspace list to view its images");
  const QString none =
      tr("Open images to see them here. Compute or open a run to see their uncertainty");
  card_->setEmptyText(has_run || dataset            ? QString()
                      : session_.datasets().empty() ? none
                                                    : only_ood);
  if (browses || !has_run) {
    const QString of = dataset
                           ? tr("%1 of %2")
                                 .arg(countedText(dataset->size(), tr("%1 item"), tr("%1 items")),
                                      QString::fromStdString(dataset->info().name))
                           : QString();
    card_->setSubtitle(
        !dataset || has_run ? of : tr("%1 · compute a run to see their uncertainty").arg(of));
  } else {
    showQuery();
  }
}

bool ImagesPage::showsDataset() const {
  return session_.browsed() || !session_.activeAnalysis();
}

void ImagesPage::showConfusion() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  const bool known = analysis && !analysis->confusion.empty();
  ConfusionValue value;
  if (known) {
    value.counts = analysis->confusion;
    for (std::int64_t k = 0; k < value.counts.extent(0); ++k) {
      value.class_names << className(*analysis, k);
    }
  }
  confusion_card_->setSubtitle(known ? tr("items by true and predicted class · %1")
                                           .arg(QString::fromStdString(analysis->in().name))
                                     : QString());
  if (known) {
    confusion_card_->setSubtitle(withLabels(*analysis, confusion_card_->subtitle()));
  }
  confusion_card_->setEmptyText(
      known      ? QString()
      : analysis ? tr("Requires labelled items and at most 2 000 classes")
                 : tr("Compute or open a run to see which classes are confused"));
  confusion_->setValue(std::move(value));
  confusion_->setCaption(
      tr("Confusion"),
      known ? tr("%1 · %2").arg(QString::fromStdString(analysis->name), confusion_card_->subtitle())
            : QString());
  showMistakes();
}

void ImagesPage::showMistakes() {
  constexpr std::size_t kMaxShown = 50;
  struct Mistake {
    std::int64_t count;
    ConfusionCell cell;
  };
  std::vector<Mistake> mistakes;
  const Array<std::int64_t>& counts = confusion_->value().counts;
  const int classes = static_cast<int>(confusion_->value().class_names.size());
  for (int label = 0; label < classes; ++label) {
    for (int predicted = 0; predicted < classes; ++predicted) {
      const std::int64_t count = counts.row(label)[static_cast<std::size_t>(predicted)];
      if (count > 0 && label != predicted) {
        mistakes.push_back({count, {label, predicted}});
      }
    }
  }
  std::ranges::stable_sort(mistakes, std::ranges::greater(), &Mistake::count);
  mistakes_->clear();
  const QStringList& names = confusion_->value().class_names;
  mistakes.resize(std::min(mistakes.size(), kMaxShown));
  for (const Mistake& mistake : mistakes) {
    auto* const item =
        new QListWidgetItem(tr("true %1, predicted %2: %3")
                                .arg(names[mistake.cell.label], names[mistake.cell.predicted],
                                     countText(mistake.count)),
                            mistakes_);
    item->setToolTip(confusion_->describe(mistake.cell));
    item->setData(Qt::UserRole, QPoint(mistake.cell.predicted, mistake.cell.label));
  }
}

void ImagesPage::showQuery() {
  if (showsDataset()) {
    return;
  }
  const ItemQuery& query = session_.listing().query();
  filling_ = true;
  group_->setCurrentIndex(group_->findData(static_cast<int>(query.group)));
  predicted_->setCurrentIndex(
      predicted_->findData(static_cast<int>(query.predicted.value_or(kAnyClass))));
  label_->setCurrentIndex(label_->findData(static_cast<int>(query.label.value_or(kAnyClass))));
  sorting_->setOrder(query);
  confusion_->setSelected(
      query.cell ? std::optional(ConfusionCell{static_cast<int>(query.cell->label),
                                               static_cast<int>(query.cell->predicted)})
                 : std::nullopt);
  if (!query.cell) {
    mistakes_->setCurrentRow(-1);
  }
  setHelpTopic(*this, query.sort_column == ItemColumn::kLoss      ? helpTopicOf(Metric::kNll)
                      : query.sort_attribute || query.sort_column ? QString()
                                                                  : helpTopicOf(query.sort));
  attributes_->setFilter(query.attribute);
  filling_ = false;
  card_->setSubtitle(withLabels(
      *session_.activeAnalysis(),
      describeQuery(query, session_.listing().items()
                               ? static_cast<std::int64_t>(session_.listing().items()->size())
                               : 0)));
}

void ImagesPage::edited() {
  if (filling_) {
    return;
  }
  ItemQuery query = session_.listing().query();
  query.group = static_cast<GroupFilter>(group_->currentData().toInt());
  query.predicted = chosenClass(*predicted_);
  query.label = chosenClass(*label_);
  query.attribute = attributes_->filter();
  session_.listing().setQuery(sorting_->ordered(std::move(query)));
}

}  // namespace dubito
