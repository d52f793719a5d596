// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shift/shift_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/session/error_text.h"
#include "app/session/run_names.h"
#include "app/shift/shift_values.h"
#include "app/words/plot_caption.h"
#include "app/words/words.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/card_scroll.h"
#include "widgets/curve_plot.h"
#include "widgets/image_gallery.h"
#include "widgets/image_view.h"
#include "widgets/muted_label.h"
#include "widgets/theme.h"

namespace dubito {
namespace {}  // namespace

ShiftPage::ShiftPage(Session& session, WindowJobs& jobs, RunComputer& computer, QWidget* parent)
    : Page(PageId::kShift, parent),
      computer_(computer),
      session_(session),
      job_(jobs.computeThread()),
      images_job_(jobs.fileThread()) {
  setObjectName(QStringLiteral("shiftPage"));
  card_ = new Card(tr("Shift"), this);
  card_->setObjectName(QStringLiteral("shiftCard"));
  auto* const bar_widget = new QWidget(card_);
  auto* const bar = new QHBoxLayout(bar_widget);
  buildBar(*bar);
  card_->setContent(bar_widget);
  const auto addPlot = [this](Card*& card, CurvePlot*& plot, const QString& title,
                              const char* name) {
    card = new Card(title, this);
    card->setObjectName(QLatin1String(name) + QStringLiteral("Card"));
    plot = new CurvePlot(card);
    plot->setObjectName(QLatin1String(name));
    card->setContent(plot);
    connect(plot, &CurvePlot::failed, this, &ShiftPage::failed);
  };
  addPlot(shares_card_, shares_, tr("Accuracy and calibration"), "shiftShares");
  addPlot(entropies_card_, entropies_, tr("Uncertainty"), "shiftEntropies");
  item_card_ = new Card(tr("Selected image"), this);
  item_card_->setObjectName(QStringLiteral("shiftItemCard"));
  steps_ = new ImageGallery(item_card_);
  steps_->setObjectName(QStringLiteral("shiftSteps"));
  item_card_->setContent(steps_);
  connect(&steps_->exporter(), &Exporter::failed, this, &ShiftPage::failed);
  auto* const rows = new CardRows(QStringLiteral("shiftRows"), this);
  QScrollArea* const scroll = makeCardScroll(rows, this);
  rows->addRow(3, {{shares_card_, 1}, {entropies_card_, 1}});
  rows->addRow(2, {{item_card_, 1}});
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(card_);
  layout->addWidget(scroll, 1);

  connect(&job_, &Job::stateChanged, this, &ShiftPage::showState);
  connect(&job_, &Job::progressChanged, this, [this](const Progress& progress) {
    status_->setText(QString::fromStdString(progress.stage));
  });
  connect(&session_, &Session::activeAnalysisChanged, this, &ShiftPage::showRun);
  connect(&session_, &Session::workspaceChanged, this, &ShiftPage::showRun);
  connect(&session_, &Session::shiftsChanged, this, [this] {
    chooseKindWithResult();
    showRun();
  });
  connect(kind_, &QComboBox::activated, this, &ShiftPage::showRun);
  const std::array<Card*, 2> cards = {shares_card_, entropies_card_};
  for (std::size_t i = 0; i < cards.size(); ++i) {
    connect(cards[i], &Card::choiceMade, this, [this, i](int index) {
      chosen_[i] = index;
      showResult();
    });
  }
  connect(&session_.listing(), &ItemListing::primaryChanged, this, &ShiftPage::showItem);
  showState();
  showResult();
}

void ShiftPage::buildBar(QHBoxLayout& bar) {
  QWidget* const parent = bar.parentWidget();
  bar.setContentsMargins(0, 0, 0, 0);
  bar.setSpacing(2 * kGrid);
  kind_ = new QComboBox(parent);
  kind_->setObjectName(QStringLiteral("shiftKind"));
  kind_->setAccessibleName(tr("Corruption"));
  for (const CorruptionKind kind : allCorruptions()) {
    kind_->addItem(corruptionName(kind), static_cast<int>(kind));
    kind_->setItemData(kind_->count() - 1, corruptionDescription(kind), Qt::ToolTipRole);
  }
  start_ = new QPushButton(parent);
  start_->setObjectName(QStringLiteral("shiftStart"));
  start_->setProperty("role", QStringLiteral("primary"));
  status_ = makeMutedLabel(QStringLiteral("shiftStatus"), parent);
  bar.addWidget(kind_);
  bar.addWidget(start_);
  bar.addWidget(status_, 1);
  connect(start_, &QPushButton::clicked, this, &ShiftPage::start);
}

CorruptionKind ShiftPage::chosenKind() const {
  return static_cast<CorruptionKind>(kind_->currentData().toInt());
}

void ShiftPage::compute(CorruptionKind kind) {
  kind_->setCurrentIndex(kind_->findData(static_cast<int>(kind)));
  if (!isActive(job_.state())) {
    start();
  }
}

void ShiftPage::start() {
  if (isActive(job_.state())) {
    job_.cancel();
    return;
  }
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis || !whyNoShift(*analysis).empty()) {
    return;
  }
  const ComputeSettings& settings = computer_.settings();
  const ShiftRequest request{analysis, chosenKind(), settings.predict, settings.evaluation};
  job_.start<ShiftResultPtr>(
      tr("Shift"), computer_.jobSettings(),
      [request](RunContext& context) { return computeShift(request, context); }, this,
      [this](const Expected<ShiftResultPtr>& result) {
        if (result) {
          result_ = *result;
          session_.addShift(*result);
        } else if (result.error().code != ErrorCode::kCancelled) {
          Q_EMIT failed(errorText(result.error()));
        }
        showState();
      });
}

void ShiftPage::chooseKindWithResult() {
  const AnalysisPtr shown = session_.activeAnalysis();
  const auto found = std::ranges::find_if(
      session_.shifts(), [&shown](const auto& result) { return shown && isOf(*result, *shown); });
  // Results of a workspace that was opened; the choice of somebody who looks at others stays.
  if (!result_ && found != session_.shifts().end()) {
    kind_->setCurrentIndex(kind_->findData(static_cast<int>((*found)->kind)));
  }
}

std::vector<ShiftResultPtr> ShiftPage::overlaid() const {
  std::vector<ShiftResultPtr> overlaid;
  for (const AnalysisPtr& analysis : session_.analyses()) {
    const auto found = std::ranges::find_if(session_.shifts(), [&](const ShiftResultPtr& result) {
      return isOf(*result, *analysis) && result_ && result->kind == result_->kind;
    });
    if (found != session_.shifts().end()) {
      overlaid.push_back(*found);
    }
  }
  return overlaid;
}

void ShiftPage::showRun() {
  const std::vector<AnalysisPtr>& analyses = session_.analyses();
  const auto isClosed = [&analyses](const ShiftResultPtr& result) {
    return std::ranges::none_of(
        analyses, [&result](const AnalysisPtr& analysis) { return isOf(*result, *analysis); });
  };
  session_.dropClosedShifts();
  if (result_ && isClosed(result_)) {
    result_ = nullptr;
  }
  const AnalysisPtr shown = session_.activeAnalysis();
  const auto found = std::ranges::find_if(session_.shifts(), [&](const ShiftResultPtr& result) {
    return shown && isOf(*result, *shown) && result->kind == chosenKind();
  });
  if (found != session_.shifts().end()) {
    result_ = *found;
  }
  fillChoices();
  showState();
  showResult();
  Q_EMIT overlaidChanged();
}

void ShiftPage::fillChoices() {
  const bool several = overlaid().size() > 1;
  if (several == compared_) {
    return;
  }
  compared_ = several;
  const auto offer = [several](Card& card, const QString& alone,
                               std::span<const ShiftQuantity> quantities) {
    QStringList titles;
    for (const ShiftQuantity& quantity : quantities) {
      titles << tr("All runs: %1").arg(shiftQuantityName(quantity));
    }
    titles.prepend(alone);
    card.setChoices(several ? titles : QStringList());
    card.setTitle(alone);
  };
  offer(*shares_card_, tr("Accuracy and calibration"), shiftShares());
  offer(*entropies_card_, tr("Uncertainty"), shiftEntropies());
  // With a second run, show the comparison by default.
  chosen_ = several ? std::array<int, 2>{1, 1} : std::array<int, 2>{};
  if (several) {
    shares_card_->setChoice(chosen_[0]);
    entropies_card_->setChoice(chosen_[1]);
  }
}

void ShiftPage::showState() {
  const bool running = isActive(job_.state());
  const AnalysisPtr analysis = session_.activeAnalysis();
  const std::string reason = analysis ? whyNoShift(*analysis) : std::string();
  const bool possible = analysis && reason.empty();
  start_->setText(running ? tr("Cancel") : tr("Compute"));
  start_->setEnabled(running || possible);
  kind_->setEnabled(!running);
  if (!running) {
    status_->setText(
        possible
            ? tr("%1 on up to %2 images, evenly spaced in the dataset")
                  .arg(QString::fromStdString(analysis->name), countText(ShiftRequest().max_items))
        : analysis ? QString::fromStdString(reason)
                   : tr("Compute a run first; this page repeats it on corrupted images"));
  }
}

void ShiftPage::showResult() {
  const QString empty = tr("Choose a corruption, then press Compute");
  shares_card_->setEmptyText(result_ ? QString() : empty);
  entropies_card_->setEmptyText(result_ ? QString() : empty);
  item_card_->setEmptyText(result_ ? QString() : tr("Shows the selected image at each step"));
  if (!result_) {
    return;
  }
  const std::vector<ShiftResultPtr> all = overlaid();
  std::vector<QString> names;
  const std::vector<std::string> of_runs = runNames(session_);
  for (const ShiftResultPtr& result : all) {
    const auto at = std::ranges::find_if(
        session_.analyses(),
        [&result](const AnalysisPtr& analysis) { return isOf(*result, *analysis); });
    names.push_back(QString::fromStdString(
        of_runs[static_cast<std::size_t>(at - session_.analyses().begin())]));
  }
  const auto show = [&](Card& card, CurvePlot& plot, int choice,
                        std::span<const ShiftQuantity> quantities, const CurvePlotValue& alone) {
    plot.setCurves(
        choice == 0 ? alone
                    : compareShift(all, names, quantities[static_cast<std::size_t>(choice - 1)]));
    setCaptions(card, plot,
                choice == 0
                    ? shiftCaption(*result_)
                    : withLabels(*result_->analysis,
                                 QStringLiteral("%1 · %2").arg(
                                     corruptionName(result_->kind),
                                     countedText(std::ssize(all), tr("%1 run"), tr("%1 runs")))));
  };
  show(*shares_card_, *shares_, chosen_[0], shiftShares(), shiftCalibrationCurves(*result_));
  show(*entropies_card_, *entropies_, chosen_[1], shiftEntropies(),
       shiftUncertaintyCurves(*result_));
  showItem();
}

void ShiftPage::showItem() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  const std::optional<ItemRef> item = session_.listing().primary();
  if (!result_ || !analysis || !item || item->part != 0) {
    return;
  }
  const std::int64_t id = analysis->in().run->ids.data()[item->row];
  images_job_.restart<std::vector<Image8>>(
      tr("Corrupting one image"), {},
      [result = result_, id](RunContext&) -> Expected<std::vector<Image8>> {
        return shiftedImages(*result, id);
      },
      this,
      [this, id](const Expected<std::vector<Image8>>& images) {
        if (images) {
          showImages(*images, id);
        }
      });
}

void ShiftPage::showImages(const std::vector<Image8>& images, std::int64_t id) {
  steps_->clearThumbnails();
  steps_->setItems(shiftItems(*result_, id, images.size()));
  for (std::size_t i = 0; i < images.size(); ++i) {
    steps_->setThumbnail(static_cast<qint64>(i), toQImage(images[i]));
  }
  item_card_->setSubtitle(
      images.empty() ? tr("this item is not part of the result")
                     : tr("prediction and confidence at each step · select an image on any page"));
}

}  // namespace dubito
