// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/inspector/item_inspector.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "app/explore/images/scene_items.h"
#include "app/explore/images/similar_images.h"
#include "app/explore/inspector/item_dirichlet.h"
#include "app/explore/inspector/item_picture.h"
#include "app/explore/inspector/item_probabilities.h"
#include "app/explore/inspector/logits_of_item.h"
#include "app/explore/inspector/simplex_panel.h"
#include "app/explore/inspector/why_panel.h"
#include "app/pictures/large_image.h"
#include "app/session/error_text.h"
#include "app/words/command_words.h"
#include "app/words/glossary_entries.h"
#include "app/words/words.h"
#include "app/workbench/compute_request.h"
#include "widgets/class_probability_plot.h"
#include "widgets/exporter.h"
#include "widgets/help_topic.h"
#include "widgets/item_runs_table.h"
#include "widgets/key_value_list.h"
#include "widgets/muted_label.h"
#include "widgets/plot_table.h"
#include "widgets/ridge_plot.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

constexpr int kMaxClasses = 10;
constexpr auto kViewKey = "inspector/view";
constexpr auto kScaleKey = "inspector/scale";
constexpr auto kSimplexKey = "inspector/simplex";
constexpr auto kPictureKey = "inspector/picture";

QLabel* makeLineLabel(const char* role, const char* name, QWidget* parent) {
  auto* const label = new QLabel(parent);
  label->setObjectName(QLatin1String(name));
  label->setProperty("role", QLatin1String(role));
  label->setTextFormat(Qt::PlainText);
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  return label;
}

QComboBox* makeChooser(const char* role, const char* name, const QString& what,
                       const QStringList& texts, QWidget* parent) {
  auto* const box = new QComboBox(parent);
  box->setObjectName(QLatin1String(name));
  box->setProperty("role", QLatin1String(role));
  box->setFocusPolicy(Qt::TabFocus);  // clicking must not move the keyboard focus
  box->setAccessibleName(what);
  box->setToolTip(what);
  box->addItems(texts);
  return box;
}

}  // namespace

ItemInspector::ItemInspector(Session& session, WorkerThread& compute_thread, QSettings& settings,
                             QWidget* parent)
    : QFrame(parent),
      session_(session),
      settings_(settings),
      draws_job_(compute_thread),
      stack_(new QStackedLayout(this)) {
  setObjectName(QStringLiteral("itemInspector"));
  setProperty("role", QStringLiteral("card"));
  auto* const empty =
      new WrappedLabel(tr("Select an image to see why the model predicts what it does"), this);
  empty->setObjectName(QStringLiteral("inspectorEmpty"));
  empty->setProperty("role", QStringLiteral("muted"));
  empty->setAlignment(Qt::AlignCenter);
  empty->setMargin(4 * kGrid);
  stack_->addWidget(empty);
  stack_->addWidget(makeContent(compute_thread));
  restoreChoices();

  connect(why_, &WhyPanel::overlayChanged, picture_, &ItemPicture::setOverlay);
  connect(why_, &WhyPanel::overlayChanged, this, [this](bool is_on, const QImage& overlay) {
    overlay_ = is_on ? std::optional(overlay) : std::nullopt;
    if (large_ != nullptr) {
      large_->setOverlay(is_on, overlay);
    }
  });
  connect(picture_, &ItemPicture::largeRequested, this, &ItemInspector::showLargeImage);
  connect(picture_, &ItemPicture::pictureChosen, this, [this](Picture picture) {
    if (large_ != nullptr) {
      large_->setPicture(picture);
    }
    settings_.setValue(QLatin1String(kPictureKey), static_cast<int>(picture));
  });
  connect(simplex_, &SimplexPanel::noteChanged, this, [this] {
    if (view() == View::kSimplex) {
      setNote(simplex_->note(),
              tr("%1\nDensity of the three renormalised probabilities; the lines enclose 50, 90 "
                 "and 99 % of it. The colour scale is logarithmic, or linear for a histogram.")
                  .arg(simplex_->note()));
      simplex_->setCaption(title_->text(),
                           subtitle_->text() + QStringLiteral(" · ") + simplex_->note());
    }
  });
  connect(similar_, &SimilarImages::noteChanged, this, [this] {
    if (view() == View::kSimilar) {
      setNote(similar_->note(), similar_->noteDetails());
    }
  });
  connect(scene_, &SceneItems::noteChanged, this, [this] {
    if (view() == View::kScene) {
      setNote(scene_->note(), scene_->noteDetails());
    }
  });
  connect(runs_, &ItemRunsTable::runChosen, this, [this](int row) {
    const ItemInRun run = listed_runs_[static_cast<std::size_t>(row)];
    session_.setActiveAnalysis(static_cast<int>(run.position));
    session_.listing().setPrimary(run.item);
  });
  for (const Exporter* const exporter : findChildren<Exporter*>()) {
    connect(exporter, &Exporter::failed, this, &ItemInspector::failed);
  }
  connect(&session_.listing(), &ItemListing::primaryChanged, this, &ItemInspector::showPrimary);
  connect(&session_, &Session::workspaceChanged, this, [this] {
    if (view() == View::kRuns) {
      showView();
    }
  });
  showPrimary();
}

QWidget* ItemInspector::makeContent(WorkerThread& compute_thread) {
  auto* const content = new QWidget(this);
  title_ = makeLineLabel("title", "itemTitle", content);
  subtitle_ = makeLineLabel("muted", "itemSubtitle", content);
  picture_ = new ItemPicture(content);
  why_ = new WhyPanel(compute_thread, settings_, content);
  measures_ = new KeyValueList(content);
  measures_->setObjectName(QStringLiteral("itemMeasures"));
  note_ = makeMutedLabel(QStringLiteral("probabilitiesNote"), content);
  plot_ = new ClassProbabilityPlot(content);
  plot_->setObjectName(QStringLiteral("classProbabilityPlot"));
  plot_->setMaxClasses(kMaxClasses);
  marginals_ = new RidgePlot(content);
  marginals_->setObjectName(QStringLiteral("marginalsPlot"));
  setHelpTopic(*marginals_, helpTopicOf(Metric::kTopKSet));
  simplex_ = new SimplexPanel(content);
  setHelpTopic(*simplex_, helpTopicOf(Metric::kDirichletPrecision));
  runs_ = new ItemRunsTable(content);
  similar_ = new SimilarImages(session_, compute_thread, content);
  scene_ = new SceneItems(session_, compute_thread, content);
  plots_ = new QStackedLayout;
  for (QWidget* const plot :
       std::initializer_list<QWidget*>{plot_, marginals_, simplex_, runs_, similar_, scene_}) {
    plots_->addWidget(plot);
  }
  makeChoosers(content);

  auto* const head = new QHBoxLayout;
  head->setSpacing(2 * kGrid);
  head->addWidget(picture_, 0, Qt::AlignTop);
  head->addWidget(measures_, 1, Qt::AlignTop);
  auto* const choosers = new QHBoxLayout;
  choosers->addWidget(view_);
  choosers->addStretch(1);
  choosers->addWidget(open_lab_);
  choosers->addWidget(scale_);
  choosers->addWidget(simplex_view_);
  auto* const layout = new QVBoxLayout(content);
  layout->setContentsMargins(3 * kGrid, 2 * kGrid, 3 * kGrid, 2 * kGrid);
  layout->setSpacing(0);
  layout->addWidget(title_);
  layout->addWidget(subtitle_);
  layout->addSpacing(2 * kGrid);
  layout->addLayout(head);
  layout->addSpacing(kGrid);
  layout->addWidget(why_);
  layout->addSpacing(3 * kGrid);
  layout->addLayout(choosers);
  layout->addWidget(note_);
  layout->addSpacing(kGrid);
  layout->addLayout(plots_, 1);
  return content;
}

void ItemInspector::makeChoosers(QWidget* content) {
  view_ = makeChooser("title", "itemView", tr("Item view"),
                      {tr("Class probabilities"), tr("Beta marginals"), tr("Three classes"),
                       tr("In all runs"), tr("Similar training images"), tr("Scene")},
                      content);
  makeViewActions();
  scale_ = makeChooser("plain", "itemScale", tr("Probabilities, or the logits before softmax"),
                       {tr("softmax"), tr("logits")}, content);
  simplex_view_ = makeChooser(
      "plain", "itemSimplexView",
      tr("Draws as dots over the Dirichlet density, or as a histogram below its contour lines"),
      {tr("dots"), tr("histogram")}, content);
  open_lab_ = new QPushButton(tr("Open in the simplex lab"), content);
  open_lab_->setObjectName(QStringLiteral("itemOpenLab"));
  open_lab_->setToolTip(
      tr("Shows the Gaussian over the logits of this item, its three likeliest classes, in the "
         "laboratory \"The simplex\", and all classes in \"What a bridge is worth\""));
  connect(open_lab_, &QPushButton::clicked, this, [this] {
    const AnalysisPtr analysis = session_.activeAnalysis();
    const std::optional<ItemRef> item = session_.listing().primary();
    if (analysis && item) {
      Q_EMIT labRequested(analysis, *item);
    }
  });
  connect(view_, &QComboBox::currentIndexChanged, this, [this](int index) {
    settings_.setValue(QLatin1String(kViewKey), index);
    showView();
  });
  connect(scale_, &QComboBox::currentIndexChanged, this, [this](int index) {
    settings_.setValue(QLatin1String(kScaleKey), index);
    plot_->setScale(index == 1 ? ClassProbabilityPlot::Scale::kLogit
                               : ClassProbabilityPlot::Scale::kProbability);
    plotProbabilities();
  });
  connect(simplex_view_, &QComboBox::currentIndexChanged, this, [this](int index) {
    settings_.setValue(QLatin1String(kSimplexKey), index);
    simplex_->setView(index == 1 ? SimplexPlot::View::kHistogram : SimplexPlot::View::kDensity);
  });
}

void ItemInspector::makeViewActions() {
  for (int index = 0; index < view_->count(); ++index) {
    auto* const action = new QAction(tr("Inspect: %1").arg(view_->itemText(index)), this);
    action->setObjectName(QStringLiteral("inspectView-%1").arg(index));
    connect(action, &QAction::triggered, view_, [this, index] { view_->setCurrentIndex(index); });
    view_actions_ << action;
  }
  setCommandWords(*view_actions_[static_cast<int>(View::kScene)],
                  tr("context neighbours of the item"));
}

void ItemInspector::restoreChoices() {
  for (const auto& [key, box] : {std::pair{kViewKey, view_}, std::pair{kScaleKey, scale_},
                                 std::pair{kSimplexKey, simplex_view_}}) {
    const int index = settings_.value(QLatin1String(key), 0).toInt();
    box->setCurrentIndex(index >= 0 && index < box->count() ? index : 0);
  }
  picture_->setPicture(settings_.value(QLatin1String(kPictureKey), 0).toInt() == 1
                           ? Picture::kNetwork
                           : Picture::kStored);
  showView();
}

ItemInspector::View ItemInspector::view() const {
  return static_cast<View>(view_->currentIndex());
}

void ItemInspector::showLargeImage() {
  if (large_ == nullptr) {
    large_ = new LargeImage(session_, this);
    connect(large_, &LargeImage::whyRequested, why_, &WhyPanel::toggle);
  }
  large_->setPicture(picture_->picture());
  large_->setOverlay(overlay_.has_value(), overlay_.value_or(QImage()));
  large_->show();
  large_->raise();
  large_->activateWindow();
}

void ItemInspector::toggleWhy() {
  if (isVisible()) {
    why_->toggle();
  }
}

bool ItemInspector::imageSettled() const {
  return picture_->settled() && !why_->busy() && (view() != View::kSimilar || !similar_->busy()) &&
         (view() != View::kScene || !scene_->busy());
}

void ItemInspector::showPrimary() {
  draws_job_.abandon();
  const AnalysisPtr analysis = session_.activeAnalysis();
  const std::optional<ItemRef> item = session_.listing().primary();
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
  const bool reviewed = item->part == 0 && part.run->meta.reviewed_labels;
  subtitle_->setText(QStringLiteral("%1 · %2 · %3")
                         .arg(QString::fromStdString(part.name),
                              label.isEmpty() ? groupName(groupOf(*analysis, *item))
                              : reviewed      ? tr("reviewed label %1").arg(label)
                                              : tr("label %1").arg(label),
                              tr("predicted %1").arg(className(*analysis, predicted))));
  subtitle_->setToolTip(subtitle_->text());
  picture_->setItem(analysis, *item);
  why_->setItem(analysis, *item);
  showMeasures(*analysis, *item);
  showProbabilities(analysis, *item);
}

void ItemInspector::setNote(const QString& note, const QString& tooltip) {
  note_->setText(note);
  note_->setToolTip(tooltip);
}

void ItemInspector::showView() {
  const View view = this->view();
  plots_->setCurrentIndex(view_->currentIndex());
  scale_->setVisible(view == View::kProbabilities);
  simplex_view_->setVisible(view == View::kSimplex);
  open_lab_->hide();
  const AnalysisPtr analysis = session_.activeAnalysis();
  const std::optional<ItemRef> item = session_.listing().primary();
  if (!analysis || !item) {
    return;
  }
  const bool shows_dirichlet = view == View::kMarginals || view == View::kSimplex;
  open_lab_->setVisible(shows_dirichlet && hasLogitGaussians(*analysis, *item));
  switch (view) {
    case View::kProbabilities:
      setNote(probabilities_note_, {});
      break;
    case View::kMarginals:
      showMarginals(*analysis, *item);
      break;
    case View::kSimplex:
      simplex_view_->setEnabled(!draws_.empty());
      simplex_->setItem(analysis, *item, draws_);
      break;
    case View::kRuns:
      showRuns();
      break;
    case View::kSimilar:
      similar_->setItem(analysis, *item);
      setNote(similar_->note(), similar_->noteDetails());
      break;
    case View::kScene:
      scene_->setItem(analysis, *item);
      setNote(scene_->note(), scene_->noteDetails());
      break;
  }
}

void ItemInspector::showMarginals(const Analysis& analysis, ItemRef item) {
  ItemDirichletView view = itemDirichlet(analysis, item, kMaxClasses);
  setNote(view.note,
          tr("%1\nα₀ is the precision of the Dirichlet: larger means more certain. The "
             "set starts with the most likely class and continues as long as the marginal "
             "of each class overlaps that of the class before it.")
              .arg(view.note));
  marginals_->setCaption(title_->text(), subtitle_->text() + QStringLiteral(" · ") + view.note);
  marginals_->setRidges(std::move(view.ridges), tr("probability"));
}

void ItemInspector::showRuns() {
  listed_runs_ = primaryInAllRuns(session_);
  std::vector<ItemRunRow> rows;
  for (const ItemInRun& run : listed_runs_) {
    rows.push_back(run.row);
  }
  setNote(rows.size() < 2 ? tr("no other run contains this item; compute or open one")
                          : tr("%1 runs contain this item · click one to show it").arg(rows.size()),
          {});
  runs_->setRuns(std::move(rows));
}

void ItemInspector::showMeasures(const Analysis& analysis, ItemRef item) {
  const AnalysisPart& part = analysis.partOf(item);
  std::vector<KeyValue> lines;
  for (const Measure measure : allMeasures()) {
    if (!part.has(measure)) {
      continue;
    }
    const double value = part.values(measure).data()[item.row];
    // One sentence per line: plain text tooltips do not wrap.
    const MeasureInfo& info = describe(measure);
    const QString meaning =
        QString::fromUtf8(info.meaning).replace(QStringLiteral(". "), QStringLiteral(".\n"));
    const QString tooltip =
        QStringLiteral("%1\n%2\n%3 %4\n%5\n%6")
            .arg(measureFormula(measure), QString::fromUtf8(info.equation), exactText(value),
                 measureUnit(measure), QString::fromStdString(directionOf(measure)), meaning);
    lines.push_back({QString::fromUtf8(info.symbol), shortText(value), measureUnit(measure),
                     tooltip, helpTopicOf(measure)});
  }
  for (int axis = 0; axis < 2 && !part.positions.empty(); ++axis) {
    const double value = part.positions.data()[2 * item.row + axis];
    const QString name = axis == 0 ? QStringLiteral("x") : QStringLiteral("y");
    lines.push_back({name,
                     shortText(value),
                     {},
                     tr("%1, an input of the network\n%2").arg(name, exactText(value))});
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
    draws_ = {};
    probabilities_note_ = tr("this file stores confidences only");
    plot_->setProbabilities({});
    showView();
    return;
  }
  if (!drawsNeedModel(*analysis, item)) {
    RunContext context;
    setDraws(*analysis, drawsOf(*analysis, item, context).value_or(Array<float>()));
    return;
  }
  setDraws(*analysis, Array<float>());
  probabilities_note_ = tr("recomputing the draws of this item…");
  if (view() == View::kProbabilities) {
    setNote(probabilities_note_, {});
  }
  JobSettings settings;
  settings.seed = run.meta.seed;
  draws_job_.start<Array<float>>(
      tr("Draws of one item"), settings,
      [analysis, item](RunContext& context) { return drawsOf(*analysis, item, context); }, this,
      [this, analysis](Expected<Array<float>> draws) {
        if (draws) {
          setDraws(*analysis, *draws);
        } else if (draws.error().code != ErrorCode::kCancelled) {
          Q_EMIT failed(errorText(draws.error()));
        }
      });
}

void ItemInspector::setDraws(const Analysis& analysis, Array<float> draws) {
  const std::int64_t count = draws.rank() == 2 ? draws.extent(0) : 0;
  const QString name = QString::fromStdString(analysis.name);
  probabilities_note_ =
      count > 0
          ? tr("mean and %1 · %2").arg(countedText(count, tr("%1 draw"), tr("%1 draws")), name)
          : tr("no draws · %1").arg(name);
  draws_ = std::move(draws);
  plot_->setCaption(title_->text(),
                    subtitle_->text() + QStringLiteral(" · ") + probabilities_note_);
  plotProbabilities();
  showView();
}

void ItemInspector::plotProbabilities() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  const std::optional<ItemRef> item = session_.listing().primary();
  if (analysis && item && analysis->partOf(*item).run->probs) {
    plot_->setProbabilities(
        itemProbabilities(*analysis, *item, draws_, scale_->currentIndex() == 1));
  }
}

}  // namespace dubito
