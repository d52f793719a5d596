// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/images/similar_images.h"

#include <QProgressBar>
#include <QPushButton>
#include <QThread>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "app/pictures/message_or_gallery.h"
#include "app/session/error_text.h"
#include "app/words/words.h"
#include "widgets/plot_table.h"

namespace dubito {
namespace {

QPushButton* makeButton(const char* name, const QString& text, QWidget* parent) {
  auto* const button = new QPushButton(text, parent);
  button->setObjectName(QLatin1String(name));
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

JobSettings jobSettings() {
  JobSettings settings;
  settings.threads = std::max(1, QThread::idealThreadCount());
  return settings;
}

GalleryItem galleryItem(const Dataset& dataset, const Neighbour& neighbour) {
  GalleryItem shown;
  shown.key = neighbour.index;
  shown.name = QString::fromStdString(dataset.itemName(neighbour.index));
  shown.label_true =
      className(dataset, dataset.labels()[static_cast<std::size_t>(neighbour.index)]);
  shown.measure = QString::number(neighbour.similarity, 'f', 3);
  shown.tooltip =
      SimilarImages::tr("%1\nlabel %2 · similarity %3")
          .arg(shown.name,
               shown.label_true.isEmpty() ? SimilarImages::tr("unknown") : shown.label_true,
               exactText(neighbour.similarity));
  return shown;
}

}  // namespace

SimilarImages::SimilarImages(Session& session, WorkerThread& compute_thread, QWidget* parent)
    : QWidget(parent),
      session_(session),
      index_job_(compute_thread),
      query_(compute_thread),
      view_(new MessageOrGallery(QStringLiteral("similar"), this)),
      start_(makeButton("indexTrainingImages", {}, view_)),
      progress_(new QProgressBar(view_)),
      cancel_(makeButton("cancelIndexing", tr("Cancel"), view_)) {
  setObjectName(QStringLiteral("similarImages"));
  progress_->setObjectName(QStringLiteral("indexProgress"));
  progress_->setTextVisible(false);
  view_->addControl(start_, Qt::AlignLeft);
  view_->addControl(progress_);
  view_->addControl(cancel_, Qt::AlignLeft);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(view_);

  connect(start_, &QPushButton::clicked, this, &SimilarImages::startIndexing);
  connect(cancel_, &QPushButton::clicked, this, [this] { index_job_.cancel(); });
  connect(&index_job_, &Job::progressChanged, this, [this](const Progress& progress) {
    // QProgressBar counts in int.
    constexpr int kSteps = 1000;
    progress_->setRange(0, progress.total > 0 ? kSteps : 0);
    progress_->setValue(
        progress.total > 0 ? static_cast<int>(kSteps * progress.done / progress.total) : 0);
  });
  connect(&session_, &Session::workspaceChanged, this, [this] {
    if (!trainingSet()) {
      setIndex(nullptr);  // may be gigabytes
    }
    if (!isVisible()) {
      analysis_.reset();  // setItem() is called before it is shown again
    } else if (analysis_) {
      showState();
    }
  });
}

bool SimilarImages::busy() const {
  return isActive(index_job_.state()) || query_.busy() || view_->loading();
}

void SimilarImages::setItem(const AnalysisPtr& analysis, ItemRef item) {
  if (analysis == analysis_ && item_ == item) {
    return;
  }
  analysis_ = analysis;
  item_ = item;
  failure_.clear();
  showState();
}

DatasetPtr SimilarImages::trainingSet() const {
  const auto found = std::ranges::find_if(session_.datasets(), [](const DatasetEntry& entry) {
    return entry.dataset->info().role == Role::kTrain;
  });
  return found == session_.datasets().end() ? nullptr : found->dataset;
}

QString SimilarImages::missing() const {
  const AnalysisPart& part = analysis_->partOf(*item_);
  if (!analysis_->model) {
    return tr("Open the model of this run to find similar training images");
  }
  if (const Head& head = analysis_->model->audit().head; !head.found) {
    return tr("Images cannot be compared: the last layer of the network was not found (%1)")
        .arg(QString::fromStdString(head.reason));
  }
  if (!part.dataset || part.dataset_index[static_cast<std::size_t>(item_->row)] < 0) {
    return tr("Open the dataset of this image to find similar training images");
  }
  if (!trainingSet()) {
    return tr(
        "To find similar images, open the training set and set its role to train (Edit dataset…)");
  }
  return {};
}

bool SimilarImages::hasIndex() const {
  return index_ && index_->model() == analysis_->model && index_->dataset() == trainingSet();
}

void SimilarImages::setIndex(FeatureIndexPtr index) {
  index_ = std::move(index);
  view_->setPictures(index_ ? smallPicturesOf(index_->dataset(), kSmallPicture) : PictureSource());
}

void SimilarImages::showState() {
  if (const QString needed = missing(); !needed.isEmpty()) {
    showMessage(needed, false);
  } else if (hasIndex()) {
    startSearch();
  } else if (isActive(index_job_.state())) {
    showMessage(tr("Computing the features of the training images…"), false);
  } else {
    setIndex(nullptr);
    showMessage(failure_.isEmpty() ? tr("Finds the images in %1 whose features before the last "
                                        "layer are most similar to those "
                                        "of this image")
                                         .arg(QString::fromStdString(trainingSet()->info().name))
                                   : failure_,
                true);
  }
}

void SimilarImages::showMessage(const QString& text, bool can_index) {
  query_.abandon();
  start_->setVisible(can_index);
  if (can_index) {
    start_->setText(countedText(trainingSet()->size(), tr("Compare with %1 image"),
                                tr("Compare with %1 images")));
  }
  const bool indexing = isActive(index_job_.state());
  progress_->setVisible(indexing);
  cancel_->setVisible(indexing);
  view_->showMessage(text);
  setNote({});
}

void SimilarImages::setNote(const QString& note) {
  note_ = note;
  Q_EMIT noteChanged();
}

QString SimilarImages::noteDetails() const {
  QStringList lines = {
      tr("Cosine similarity of the inputs to the last layer, without dropout; 1 means the same "
         "direction")};
  if (index_) {
    for (const std::string& note : index_->notes()) {
      lines << noteText(note);
    }
  }
  return lines.join(QLatin1Char('\n'));
}

void SimilarImages::startIndexing() {
  failure_.clear();
  progress_->setRange(0, 0);
  index_job_.start<FeatureIndexPtr>(
      tr("Features of the training images"), jobSettings(),
      [model = analysis_->model, dataset = trainingSet()](RunContext& context) {
        return FeatureIndex::of(model, dataset, {}, context);
      },
      this,
      [this](const Expected<FeatureIndexPtr>& index) {
        if (index) {
          setIndex(*index);
        } else if (index.error().code != ErrorCode::kCancelled) {
          failure_ = errorText(index.error());
        }
        if (analysis_) {
          showState();
        }
      });
  showState();
}

void SimilarImages::startSearch() {
  const AnalysisPart& part = analysis_->partOf(*item_);
  query_.submit<std::vector<Neighbour>>(
      tr("Similar training images"), jobSettings(),
      [index = index_, dataset = part.dataset,
       position = part.dataset_index[static_cast<std::size_t>(item_->row)]](RunContext& context) {
        return index->nearest(*dataset, position, kCount, context);
      },
      this,
      [this, analysis = analysis_, item = item_](const Expected<std::vector<Neighbour>>& found) {
        if (!analysis || analysis != analysis_ || item != item_ || !missing().isEmpty() ||
            !hasIndex()) {
          return;  // the result of the newer query follows
        }
        if (found) {
          showNeighbours(*found);
        } else if (found.error().code != ErrorCode::kCancelled) {
          showMessage(errorText(found.error()), false);
        }
      });
}

void SimilarImages::showNeighbours(const std::vector<Neighbour>& neighbours) {
  std::vector<GalleryItem> items;
  for (const Neighbour& neighbour : neighbours) {
    items.push_back(galleryItem(*index_->dataset(), neighbour));
  }
  view_->showItems(std::move(items));
  const auto indexed = static_cast<qint64>(index_->table().ids.size());
  const QString name = QString::fromStdString(index_->dataset()->info().name);
  setNote(
      indexed < index_->dataset()->size()
          ? tr("nearest of %1 images sampled from %2, with cosine similarity")
                .arg(countText(indexed), name)
          : tr("nearest of %1 images in %2, with cosine similarity").arg(countText(indexed), name));
}

}  // namespace dubito
