// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/workspace_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <set>
#include <string_view>

#include "app/session/run_names.h"
#include "app/words/plain_keys.h"
#include "app/words/run_texts.h"
#include "app/words/words.h"
#include "app/workspace/run_details.h"
#include "app/workspace/workspace_row.h"
#include "core/analysis/run_names.h"
#include "core/models/guessed_preprocessing.h"
#include "widgets/flow_layout.h"
#include "widgets/muted_label.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

/// Most distinctive parts first, since a narrow list cuts the end: the network if there are
/// several, the settings that differ, the first dataset and the number of others.
QString runDetail(const Analysis& analysis, const QString& difference, bool several_networks) {
  const QString network = QString::fromStdString(networkName(analysis));
  QString items = QString::fromStdString(analysis.in().name);
  if (analysis.parts.size() > 1) {
    items += QStringLiteral(" +%1").arg(analysis.parts.size() - 1);
  }
  QStringList parts = {difference, items};
  parts.insert(several_networks ? 0 : 2, network);
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

QString modelDetail(const Model& model) {
  const ModelAudit& audit = model.audit();
  QStringList parts;
  if (!guessedPreprocessing(model.audit().notes).empty()) {
    parts << WorkspacePanel::tr("preprocessing guessed");
  }
  if (audit.head.quantised) {
    parts << WorkspacePanel::tr("quantised");
  }
  const std::size_t sites = audit.dropout_sites.size();
  parts << (sites == 0   ? WorkspacePanel::tr("no dropout")
            : sites == 1 ? WorkspacePanel::tr("1 dropout site")
                         : WorkspacePanel::tr("%1 dropout sites").arg(sites));
  if (audit.head.found) {
    parts << WorkspacePanel::tr("head %1→%2").arg(audit.head.features).arg(audit.head.classes);
  }
  return parts.join(QStringLiteral(" · "));
}

QAction* rowAction(WorkspaceRow& row, const QString& text, const char* name,
                   const QList<Qt::Key>& keys = {}) {
  auto* const action = new QAction(text, &row);
  action->setObjectName(QLatin1String(name));
  setPlainKeys(*action, keys);
  row.addAction(action);
  return action;
}

}  // namespace

WorkspacePanel::WorkspacePanel(Session& session, FileOpener& opener, RunComputer& computer,
                               QWidget* parent)
    : QFrame(parent), opener_(opener), computer_(computer), session_(session) {
  setObjectName(QStringLiteral("workspacePanel"));
  setProperty("role", QStringLiteral("card"));
  auto* const title = new QLabel(tr("Workspace"), this);
  title->setProperty("role", QStringLiteral("title"));
  auto* const area = new QScrollArea(this);
  area->setObjectName(QStringLiteral("workspaceScroll"));
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setFocusPolicy(Qt::NoFocus);
  auto* const content = new QWidget(area);
  rows_ = new QVBoxLayout(content);
  rows_->setContentsMargins(0, 0, 0, 0);
  rows_->setSpacing(0);
  area->setWidget(content);
  content->setAutoFillBackground(false);  // setWidget enabled it; the card shows through
  area->viewport()->setAutoFillBackground(false);
  close_demo_ = new QToolButton(this);
  close_demo_->setObjectName(QStringLiteral("closeDemo"));
  close_demo_->setProperty("role", QStringLiteral("quiet"));
  close_demo_->setText(tr("Close demo"));
  close_demo_->setStyleSheet(QStringLiteral("padding: 4px 0;"));
  // The button's own size hint ignores the bold font of the style sheet.
  close_demo_->setMinimumWidth(
      QFontMetrics(uiFont(TypeSize::kBody, true)).horizontalAdvance(close_demo_->text()) + kGrid);
  close_demo_->setToolTip(tr("Close the model, datasets and runs of the demo"));
  connect(close_demo_, &QToolButton::clicked, &opener_, &FileOpener::closeDemo);
  auto* const head = new QWidget(this);
  auto* const line = new FlowLayout(head, kGrid);  // two lines in a narrow window
  line->addWidget(title);
  line->addWidget(close_demo_);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
  layout->setSpacing(kGrid);
  layout->addWidget(head);
  layout->addWidget(area, 1);
  title->setIndent(kGrid);
  connect(&session_, &Session::workspaceChanged, this, &WorkspacePanel::rebuild);
  connect(&session_, &Session::activeAnalysisChanged, this, &WorkspacePanel::rebuild);
  connect(&computer_.queue(), &ComputeQueue::changed, this, &WorkspacePanel::rebuild);
  connect(&opener_, &FileOpener::waitingChanged, this, &WorkspacePanel::rebuild);
  rebuild();
}

void WorkspacePanel::rebuild() {
  const QList<WorkspaceRow*> present = findChildren<WorkspaceRow*>();
  rebuild_later_ = std::ranges::any_of(present, &WorkspaceRow::renaming);
  if (rebuild_later_) {
    return;
  }
  // Keep the keyboard focus on the same row.
  const QWidget* const focused = isAncestorOf(focusWidget()) ? focusWidget() : nullptr;
  const QString name =
      focused != nullptr && focused->hasFocus() ? focused->objectName() : QString();
  fill();
  if (auto* const row = name.isEmpty() ? nullptr : findChild<WorkspaceRow*>(name)) {
    row->setFocus();
  }
}

void WorkspacePanel::fill() {
  while (QLayoutItem* const item = rows_->takeAt(0)) {
    if (QWidget* const widget = item->widget()) {
      // The row may be the sender of the current click.
      widget->hide();
      widget->setObjectName({});
      widget->deleteLater();
    }
    delete item;
  }
  close_demo_->setVisible(session_.hasDemo());
  addModels();
  addDatasets();
  addRuns();
  addQueue();
  addGroups();
  rows_->addStretch(1);
}

void WorkspacePanel::addHeading(const QString& text) {
  auto* const label = new QLabel(text, this);
  label->setProperty("role", QStringLiteral("muted"));
  label->setContentsMargins(kGrid, rows_->count() == 0 ? kGrid : 3 * kGrid, 0, kGrid);
  rows_->addWidget(label);
}

void WorkspacePanel::addHint(const QString& text) {
  auto* const label = makeMutedLabel({}, this, text);
  label->setContentsMargins(5 * kGrid, 0, kGrid, kGrid);
  rows_->addWidget(label);
}

WorkspaceRow* WorkspacePanel::addRow(const QString& object_name) {
  auto* const row = new WorkspaceRow(this);
  row->setObjectName(object_name);
  rows_->addWidget(row);
  return row;
}

void WorkspacePanel::addModels() {
  addHeading(tr("MODELS"));
  const std::vector<QString> waiting = opener_.afterTheRun();
  if (session_.models().empty() && waiting.empty()) {
    addHint(tr("none: drop a model"));
  }
  const AnalysisPtr shown = session_.activeAnalysis();
  for (std::size_t i = 0; i < session_.models().size(); ++i) {
    const ModelEntry& entry = session_.models()[i];
    WorkspaceRow* const row = addRow(QStringLiteral("model%1").arg(i));
    row->setTexts(entry.name, modelDetail(*entry.model));
    if (const std::string parts = guessedPreprocessing(entry.model->audit().notes);
        !parts.empty()) {
      row->setWarnings(
          {tr("The preprocessing is guessed (%1); set it with Edit preprocessing… in the menu")
               .arg(QString::fromStdString(parts))});
      connect(row, &WorkspaceRow::badgeClicked, this, [this, i] { Q_EMIT modelEditRequested(i); });
    }
    row->setChosen(static_cast<int>(i) == session_.activeModelPosition());
    row->setRelated(shown && shown->model == entry.model);
    connect(row, &WorkspaceRow::clicked, this,
            [this, i] { session_.setActiveModel(static_cast<int>(i)); });
    connect(rowAction(*row, tr("Edit preprocessing…"), "editPreprocessing"), &QAction::triggered,
            this, [this, i] { Q_EMIT modelEditRequested(i); });
    const auto remove = [this, i] { session_.removeModel(i); };
    connect(rowAction(*row, tr("Close model"), "closeModel", {Qt::Key_Delete}), &QAction::triggered,
            this, remove);
    row->addMenuButton();
  }
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    WorkspaceRow* const row = addRow(QStringLiteral("waitingModel%1").arg(i));
    row->setTexts(waiting[i], tr("opens after the run"));
    row->setToolTip(
        tr("This network draws random numbers of its own, which would change those of "
           "the running computation"));
  }
}

void WorkspacePanel::addDatasets() {
  addHeading(tr("DATASETS"));
  if (session_.datasets().empty()) {
    addHint(tr("none: drop a folder of images"));
  }
  const AnalysisPtr shown = session_.activeAnalysis();
  for (std::size_t i = 0; i < session_.datasets().size(); ++i) {
    const DatasetEntry& entry = session_.datasets()[i];
    WorkspaceRow* const row = addRow(QStringLiteral("dataset%1").arg(i));
    const QString role =
        entry.ood ? tr("OOD") : QString::fromStdString(toString(entry.dataset->info().role));
    row->setTexts(entry.name, tr("%1 · %2").arg(countText(entry.dataset->size()), role));
    row->setChosen(static_cast<int>(i) == session_.activeDatasetPosition());
    row->setRelated(shown && std::ranges::find(shown->parts, entry.dataset,
                                               &AnalysisPart::dataset) != shown->parts.end());
    if (entry.dataset == session_.browsed()) {
      row->setMark(WorkspaceRow::Mark::kDot, ColorRole::kAccent);
    }
    connect(row, &WorkspaceRow::clicked, this, [this, i] {
      session_.browse(static_cast<int>(i));
      Q_EMIT imagesRequested();
    });
    connect(rowAction(*row, tr("Show images"), "showImages"), &QAction::triggered, row,
            &WorkspaceRow::click);
    connect(rowAction(*row, tr("Edit dataset…"), "editDataset"), &QAction::triggered, this,
            [this, i] { Q_EMIT datasetEditRequested(i); });
    if (!entry.ood && !isForEvaluation(entry)) {
      connect(rowAction(*row, tr("Use for evaluation"), "evaluateOn"), &QAction::triggered, this,
              [this, i] { session_.setActiveDataset(static_cast<int>(i)); });
    }
    const bool ood = entry.ood;
    QAction* const mark = rowAction(
        *row, ood ? tr("Use as in-distribution") : tr("Use as out-of-distribution"), "toggleOod");
    connect(mark, &QAction::triggered, this, [this, i, ood] { session_.setOod(i, !ood); });
    const auto remove = [this, i] { session_.removeDataset(i); };
    connect(rowAction(*row, tr("Close dataset"), "closeDataset", {Qt::Key_Delete}),
            &QAction::triggered, this, remove);
    row->addMenuButton();
  }
}

void WorkspacePanel::addRuns() {
  addHeading(tr("RUNS"));
  if (session_.analyses().empty()) {
    addHint(tr("none yet: press Compute"));
  }
  const std::vector<std::string> given = givenNames(session_);
  const std::vector<std::string> names = shortNames(session_.analyses(), given);
  std::set<std::string> networks;
  for (const AnalysisPtr& analysis : session_.analyses()) {
    networks.insert(networkName(*analysis));
  }
  constexpr std::string_view kSeparator = " · ";  // as in shortNames
  const std::vector<std::string> full_names = distinctNames(session_.analyses(), given);
  for (std::size_t i = 0; i < session_.analyses().size(); ++i) {
    const Analysis& analysis = *session_.analyses()[i];
    WorkspaceRow* const row = addRow(QStringLiteral("run%1").arg(i));
    row->setMark(WorkspaceRow::Mark::kDot, ColorRole::kAccent);
    // The first line shows the method, the second the differences.
    const std::string& base = given[i].empty() ? analysis.name : given[i];
    const std::string difference =
        names[i].size() > base.size() ? names[i].substr(base.size() + kSeparator.size()) : "";
    row->setTexts(QString::fromStdString(base),
                  runDetail(analysis, QString::fromStdString(difference), networks.size() > 1));
    row->setWarnings(runWarnings(analysis));
    row->setRenamable(true);
    QStringList help = {QString::fromStdString(full_names[i]),
                        QString::fromStdString(analysis.detail)};
    if (const std::string note = session_.runLabel(i).note; !note.empty()) {
      help << QString::fromStdString(note);
    }
    row->setToolTip(help.join(QLatin1Char('\n')));
    row->setChosen(static_cast<int>(i) == session_.activeAnalysisPosition() && !session_.browsed());
    connect(row, &WorkspaceRow::clicked, this,
            [this, i] { session_.setActiveAnalysis(static_cast<int>(i)); });
    connect(row, &WorkspaceRow::renamed, this,
            [this, run = analysis.in().run](const QString& name) { rename(run, name); });
    connect(row, &WorkspaceRow::renameEnded, this, [this] {
      if (rebuild_later_) {
        rebuild();
      }
    });
    addRunActions(*row, i);
  }
}

void WorkspacePanel::rename(const std::shared_ptr<const Run>& run, const QString& name) {
  const std::vector<AnalysisPtr>& analyses = session_.analyses();
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    if (analyses[i]->in().run == run) {
      RunLabel label = session_.runLabel(i);
      label.name = name.toStdString();
      session_.setRunLabel(i, label);
      return;
    }
  }
}

void WorkspacePanel::addRunActions(WorkspaceRow& row, std::size_t position) {
  connect(rowAction(row, tr("Rename"), "renameRun", {Qt::Key_F2}), &QAction::triggered, &row,
          &WorkspaceRow::beginRename);
  connect(rowAction(row, tr("Details and note…"), "runDetails"), &QAction::triggered, this,
          [this, position] {
            auto* const details = new RunDetails(
                session_, givenOf(session_.analyses()[position])->in().run, window());
            details->setAttribute(Qt::WA_DeleteOnClose);
            details->show();
          });
  connect(rowAction(row, tr("Save run as…"), "saveRun"), &QAction::triggered, this,
          [this, position] { Q_EMIT saveRunRequested(session_.analyses()[position]); });
  const auto remove = [this, position] { session_.removeAnalysis(position); };
  connect(rowAction(row, tr("Close run"), "closeRun", {Qt::Key_Delete}), &QAction::triggered, this,
          remove);
  row.addMenuButton();
}

void WorkspacePanel::addQueue() {
  const std::vector<ComputeQueue::Entry> entries = computer_.queue().entries();
  // A single running job is already in the status line.
  if (entries.size() < 2) {
    return;
  }
  addHeading(tr("QUEUE"));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const ComputeQueue::Entry& entry = entries[i];
    WorkspaceRow* const row = addRow(QStringLiteral("queued%1").arg(i));
    row->setTexts(entry.title, entry.target, entry.running ? tr("running") : tr("waiting"));
    const auto remove = [this, id = entry.id] { computer_.queue().remove(id); };
    connect(rowAction(*row, entry.running ? tr("Cancel") : tr("Remove from queue"), "removeQueued",
                      {Qt::Key_Delete}),
            &QAction::triggered, this, remove);
  }
}

void WorkspacePanel::addGroups() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    return;
  }
  addHeading(tr("GROUPS"));
  const Overview& overview = analysis->overview;
  const std::int64_t unlabelled =
      analysis->in().run->itemCount() - overview.correct - overview.misclassified;
  addGroup(ItemGroup::kCorrect, overview.correct);
  addGroup(ItemGroup::kMisclassified, overview.misclassified);
  addGroup(ItemGroup::kOod, overview.ood);
  addGroup(ItemGroup::kUnlabelled, unlabelled);
}

void WorkspacePanel::addGroup(ItemGroup group, std::int64_t count) {
  if (count <= 0) {
    return;
  }
  static constexpr const char* kNames[] = {"groupCorrect", "groupMisclassified", "groupOod",
                                           "groupUnlabelled"};
  WorkspaceRow* const row = addRow(QLatin1String(kNames[static_cast<int>(group)]));
  row->setMark(WorkspaceRow::Mark::kSquare, groupColor(group));
  // What the review has labelled meanwhile is not meant.
  const bool of_dataset = group == ItemGroup::kUnlabelled && !session_.activeAnalysis()->reviewed;
  row->setTexts(of_dataset ? tr("no given label") : groupName(group), {}, countText(count));
  row->setCheckable(true);
  row->setChecked(session_.plots().groupVisible(group));
  row->setToolTip(tr("Show or hide this group in the histograms"));
  connect(row, &WorkspaceRow::toggled, this,
          [this, group](bool on) { session_.plots().setGroupVisible(group, on); });
}

}  // namespace dubito
