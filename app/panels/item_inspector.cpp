// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/item_inspector.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "app/panels/item_dirichlet.h"
#include "app/panels/words.h"
#include "app/session/compute_request.h"
#include "widgets/class_probability_plot.h"
#include "widgets/image_view.h"
#include "widgets/key_value_list.h"
#include "widgets/plot_table.h"
#include "widgets/ridge_plot.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kImageSide = 22 * kGrid;
constexpr int kMostClasses = 10;

QLabel* makeLabel(const char* role, const char* name, QWidget* parent) {
  auto* const label = new QLabel(parent);
  label->setObjectName(QLatin1String(name));
  label->setProperty("role", QLatin1String(role));
  label->setTextFormat(Qt::PlainText);
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  return label;
}

}  // namespace

ItemInspector::ItemInspector(Session& session, WorkerThread& compute_thread, QWidget* parent)
    : QFrame(parent),
      session_(session),
      draws_job_(compute_thread),
      stack_(new QStackedLayout(this)) {
  setObjectName(QStringLiteral("itemInspector"));
  setProperty("role", QStringLiteral("card"));
  auto* const empty =
      new QLabel(tr("Choose an image to see why the model decides as it does"), this);
  empty->setObjectName(QStringLiteral("inspectorEmpty"));
  empty->setProperty("role", QStringLiteral("muted"));
  empty->setAlignment(Qt::AlignCenter);
  empty->setWordWrap(true);
  empty->setMargin(4 * kGrid);
  stack_->addWidget(empty);

  auto* const content = new QWidget(this);
  title_ = makeLabel("title", "itemTitle", content);
  subtitle_ = makeLabel("muted", "itemSubtitle", content);
  image_ = new ImageView(content);
  image_->setObjectName(QStringLiteral("itemImage"));
  image_->setFixedSize(kImageSide, kImageSide);
  image_->setEmptyText(tr("no image"));
  measures_ = new KeyValueList(content);
  measures_->setObjectName(QStringLiteral("itemMeasures"));
  view_ = new QComboBox(content);
  view_->setObjectName(QStringLiteral("itemView"));
  view_->setProperty("role", QStringLiteral("title"));
  view_->setFocusPolicy(Qt::TabFocus);  // a click leaves the keys where they were
  view_->setAccessibleName(tr("What is shown of the item"));
  view_->addItems({tr("Class probabilities"), tr("Beta marginals")});
  plot_note_ = makeLabel("muted", "probabilitiesNote", content);
  plot_note_->setWordWrap(true);
  plot_note_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  plot_ = new ClassProbabilityPlot(content);
  plot_->setObjectName(QStringLiteral("classProbabilityPlot"));
  plot_->setMaximumClasses(kMostClasses);
  marginals_ = new RidgePlot(content);
  marginals_->setObjectName(QStringLiteral("marginalsPlot"));
  plots_ = new QStackedLayout;
  plots_->addWidget(plot_);
  plots_->addWidget(marginals_);

  auto* const head = new QHBoxLayout;
  head->setSpacing(2 * kGrid);
  head->addWidget(image_, 0, Qt::AlignTop);
  head->addWidget(measures_, 1, Qt::AlignTop);
  auto* const layout = new QVBoxLayout(content);
  layout->setContentsMargins(3 * kGrid, 2 * kGrid, 3 * kGrid, 2 * kGrid);
  layout->setSpacing(0);
  layout->addWidget(title_);
  layout->addWidget(subtitle_);
  layout->addSpacing(2 * kGrid);
  layout->addLayout(head);
  layout->addSpacing(3 * kGrid);
  layout->addWidget(view_, 0, Qt::AlignLeft);
  layout->addWidget(plot_note_);
  layout->addSpacing(kGrid);
  layout->addLayout(plots_, 1);
  stack_->addWidget(content);
  connect(view_, &QComboBox::currentIndexChanged, this, [this](int index) {
    plots_->setCurrentIndex(index);
    showDirichlet();
  });

  connect(measures_, &KeyValueList::failed, this, &ItemInspector::failed);
  connect(plot_, &PlotBase::failed, this, &ItemInspector::failed);
  connect(marginals_, &PlotBase::failed, this, &ItemInspector::failed);
  connect(&loader_, &ThumbnailLoader::loaded, this, &ItemInspector::takeImage);
  connect(&session_, &Session::primaryChanged, this, &ItemInspector::showPrimary);
  showPrimary();
}

void ItemInspector::showPrimary() {
  draws_job_.abandon();
  const AnalysisPtr analysis = session_.activeAnalysis();
  const std::optional<ItemRef> item = session_.primary();
  if (!analysis || !item) {
    stack_->setCurrentIndex(0);
    return;
  }
  stack_->setCurrentIndex(1);
  const AnalysisPart& part = analysis->partOf(*item);
  title_->setText(tr("Item %1").arg(itemName(*analysis, *item)));
  measures_->setTitle(title_->text());
  const std::int64_t predicted = part.run->predictions.data()[item->row];
  const QString label = trueClassName(*analysis, *item);
  subtitle_->setText(
      QStringLiteral("%1 · %2 · %3")
          .arg(QString::fromStdString(part.name),
               label.isEmpty() ? groupName(groupOf(*analysis, *item)) : tr("label %1").arg(label),
               tr("predicted %1").arg(className(*analysis, predicted))));
  subtitle_->setToolTip(subtitle_->text());
  loader_.load(analysis, {ThumbnailLoader::keyOf(*item)});
  showMeasures(*analysis, *item);
  showProbabilities(analysis, *item);
  showDirichlet();
}

/// Only while it is looked at: the note belongs to what is shown.
void ItemInspector::showDirichlet() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  const std::optional<ItemRef> item = session_.primary();
  if (plots_->currentIndex() == 0 || !analysis || !item) {
    plot_note_->setText(probabilities_note_);
    plot_note_->setToolTip({});
    return;
  }
  ItemDirichletView view = itemDirichlet(*analysis, *item, kMostClasses);
  plot_note_->setText(view.note);
  plot_note_->setToolTip(tr("%1\nα₀ is the precision of the Dirichlet: the larger, the surer. The "
                            "set holds the classes "
                            "whose marginals overlap, the likeliest first.")
                             .arg(view.note));
  marginals_->setCaption(title_->text(), subtitle_->text() + QStringLiteral(" · ") + view.note);
  marginals_->setRidges(std::move(view.ridges), tr("probability"));
}

void ItemInspector::takeImage(const AnalysisPtr& analysis, qint64 key, const QImage& image) {
  const std::optional<ItemRef> item = session_.primary();
  if (item && analysis == session_.activeAnalysis() && ThumbnailLoader::keyOf(*item) == key) {
    image_->setImage(image);
  }
}

void ItemInspector::showMeasures(const Analysis& analysis, ItemRef item) {
  const AnalysisPart& part = analysis.partOf(item);
  std::vector<KeyValue> lines;
  for (const Measure measure : allMeasures()) {
    if (!part.has(measure)) {
      continue;
    }
    const double value = part.values(measure).data()[item.row];
    lines.push_back({measureSymbol(measure), shortText(value), measureUnit(measure),
                     QStringLiteral("%1\n%2 %3")
                         .arg(measureFormula(measure), exactText(value), measureUnit(measure))});
  }
  for (const auto& [name, value] : attributeTexts(part, item.row)) {
    constexpr int kLongest = 24;
    const auto shortened = [](const QString& text) {
      return text.size() > kLongest ? text.left(kLongest - 1) + QChar(0x2026) : text;
    };
    lines.push_back(
        {shortened(name), shortened(value), {}, QStringLiteral("%1: %2").arg(name, value)});
  }
  measures_->setValues(std::move(lines));
}

void ItemInspector::showProbabilities(const AnalysisPtr& analysis, ItemRef item) {
  const Run& run = *analysis->partOf(item).run;
  if (!run.probs) {
    setProbabilitiesNote(tr("this file holds confidences alone"));
    plot_->setProbabilities({});
    return;
  }
  if (!drawsNeedModel(*analysis, item)) {
    RunContext context;
    setDraws(*analysis, item, drawsOf(*analysis, item, context).value_or(Array<float>()));
    return;
  }
  setDraws(*analysis, item, Array<float>());
  setProbabilitiesNote(tr("repeating the draws of this item…"));
  JobSettings settings;
  settings.seed = run.meta.seed;
  draws_job_.start<Array<float>>(
      tr("Draws of one item"), settings,
      [analysis, item](RunContext& context) { return drawsOf(*analysis, item, context); }, this,
      [this, analysis, item](Expected<Array<float>> draws) {
        if (draws) {
          setDraws(*analysis, item, *draws);
        } else if (draws.error().code != ErrorCode::kCancelled) {
          Q_EMIT failed(QString::fromStdString(draws.error().message));
        }
      });
}

void ItemInspector::setProbabilitiesNote(const QString& note) {
  probabilities_note_ = note;
  if (plots_->currentIndex() == 0) {
    plot_note_->setText(note);
  }
}

void ItemInspector::setDraws(const Analysis& analysis, ItemRef item, Array<float> draws) {
  const Run& run = *analysis.partOf(item).run;
  ItemProbabilities value;
  for (std::int64_t k = 0; k < run.classCount(); ++k) {
    value.class_names.push_back(className(analysis, k));
    value.mean_probs.push_back(run.prob(item.row, k));
  }
  value.label_true = item.part == 0 ? run.labels.data()[item.row] : -1;
  value.label_predicted = run.predictions.data()[item.row];
  const std::int64_t count = draws.rank() == 2 ? draws.extent(0) : 0;
  setProbabilitiesNote(count > 0 ? tr("mean and %1 draws · %2")
                                       .arg(countText(count), QString::fromStdString(analysis.name))
                                 : tr("no draws · %1").arg(QString::fromStdString(analysis.name)));
  value.samples = std::move(draws);
  plot_->setCaption(title_->text(),
                    subtitle_->text() + QStringLiteral(" · ") + probabilities_note_);
  plot_->setProbabilities(std::move(value));
}

}  // namespace dubito
