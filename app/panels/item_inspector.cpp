// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/item_inspector.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "app/panels/words.h"
#include "app/session/compute_request.h"
#include "widgets/class_probability_plot.h"
#include "widgets/image_view.h"
#include "widgets/key_value_list.h"
#include "widgets/plot_table.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kImageSide = 22 * kGrid;

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
  auto* const heading = makeLabel("title", "probabilitiesTitle", content);
  heading->setText(tr("Class probabilities"));
  plot_note_ = makeLabel("muted", "probabilitiesNote", content);
  plot_ = new ClassProbabilityPlot(content);
  plot_->setObjectName(QStringLiteral("classProbabilityPlot"));
  plot_->setMaximumClasses(10);

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
  layout->addWidget(heading);
  layout->addWidget(plot_note_);
  layout->addSpacing(kGrid);
  layout->addWidget(plot_, 1);
  stack_->addWidget(content);

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
    plot_note_->setText(tr("this file holds confidences alone"));
    plot_->setProbabilities({});
    return;
  }
  if (!drawsNeedModel(*analysis, item)) {
    RunContext context;
    setDraws(*analysis, item, drawsOf(*analysis, item, context).value_or(Array<float>()));
    return;
  }
  setDraws(*analysis, item, Array<float>());
  plot_note_->setText(tr("repeating the draws of this item…"));
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
  plot_note_->setText(count > 0 ? tr("mean and %1 draws · %2")
                                      .arg(countText(count), QString::fromStdString(analysis.name))
                                : tr("no draws · %1").arg(QString::fromStdString(analysis.name)));
  value.samples = std::move(draws);
  plot_->setCaption(title_->text(), subtitle_->text() + QStringLiteral(" · ") + plot_note_->text());
  plot_->setProbabilities(std::move(value));
}

}  // namespace dubito
