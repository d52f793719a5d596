// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/lab_uci.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "app/pages/lab_set_up.h"
#include "widgets/card.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kUciSetUpWidth = 66 * kGrid;

}  // namespace

LabUci::LabUci(WorkerThread& worker, QWidget* parent) : LabView(parent), job_(worker) {
  setObjectName(QStringLiteral("labUci"));
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(buildSetUp());
  layout->addWidget(buildResults(), 1);
  showTable();
}

LabUci::~LabUci() = default;

QWidget* LabUci::buildSetUp() {
  auto* const set_up = new LabSetUp(tr("Set-up"), "uciSetUpCard", kUciSetUpWidth, this);
  QVBoxLayout* const layout = &set_up->rows();
  set_up->addHeading(tr("Results"));
  source_ = set_up->addText("uciSource");
  const auto addButton = [&](const QString& text, const QString& name, const QString& help,
                             auto pressed) {
    auto* const button = new QPushButton(text, set_up->body());
    button->setObjectName(name);
    button->setToolTip(help);
    connect(button, &QPushButton::clicked, this, pressed);
    layout->addWidget(button);
  };
  addButton(tr("Open folder"), QStringLiteral("uciOpenFolder"),
            tr("Open the folder that dubito-cli uci writes to"), [this] {
              const QString path =
                  QFileDialog::getExistingDirectory(this, tr("Open results of dubito-cli uci"));
              if (!path.isEmpty()) {
                open(path);
              }
            });
  addButton(tr("Open sample"), QStringLiteral("uciOpenSample"),
            tr("Show the results that come with this program"), [this] { openSample(); });
  auto* const command = set_up->addText("uciCommand");
  command->setTextInteractionFlags(Qt::TextSelectableByMouse);
  command->setText(tr("To compute results: dubito-cli uci all --method mc-dropout-10x -o FOLDER"));
  set_up->addHeading(tr("Protocol"));
  set_up->addText("uciProtocol")
      ->setText(
          tr("One hidden layer of 50 ReLU units (protein 100), everything standardised by the "
             "training items. What must be chosen is chosen on a fifth of them, then the network "
             "is trained again on all. The score is log (1/T) Σ N(y; f_t(x), 1/τ), averaged over "
             "the test items."));
  set_up->addHeading(tr("Rows"));
  row_notes_ = set_up->addText("uciRowNotes");
  return set_up;
}

QWidget* LabUci::buildResults() {
  auto* const results = new QWidget(this);
  auto* const layout = new QVBoxLayout(results);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  sentence_ = new QLabel(results);
  sentence_->setObjectName(QStringLiteral("uciSentence"));
  sentence_->setFont(uiFont(TypeSize::kTitle, true));
  sentence_->setWordWrap(true);
  sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  layout->addWidget(sentence_);
  card_ = new Card(QString(), results);
  card_->setObjectName(QStringLiteral("uciCard"));
  card_->setChoices({tr("RMSE"), tr("Log-likelihood")});
  view_ = new CompareTable(card_);
  view_->setObjectName(QStringLiteral("uciTable"));
  card_->setContent(view_);
  connect(card_, &Card::choiceMade, this, [this](int choice) {
    figure_ = choice == 0 ? UciFigure::kRmse : UciFigure::kLogLikelihood;
    showTable();
  });
  connect(view_, &CompareTable::failed, this, &LabUci::failed);
  layout->addWidget(card_, 1);
  return results;
}

void LabUci::begin() {
  if (!std::exchange(begun_, true)) {
    openSample();
  }
}

void LabUci::open(const QString& path) {
  load(path.toStdString());
}

void LabUci::openSample() {
  load({});
}

void LabUci::load(const std::string& path) {
  begun_ = true;
  job_.restart<Loaded>(
      tr("Laboratory"), JobSettings{},
      [path](RunContext&) -> Expected<Loaded> {
        auto source = path.empty() ? sampleUciResults() : Expected<std::string>(path);
        if (!source) {
          return failWith(source);
        }
        auto results = readUciResults(*source);
        if (!results) {
          return failWith(results);
        }
        return Loaded{*std::move(source), *std::move(results)};
      },
      this,
      [this, is_sample = path.empty()](const Expected<Loaded>& loaded) {
        deliver(is_sample, loaded);
      });
}

void LabUci::deliver(bool is_sample, const Expected<Loaded>& loaded) {
  if (!loaded) {
    if (loaded.error().code != ErrorCode::kCancelled) {
      Q_EMIT failed(QString::fromStdString(loaded.error().message));
    }
    return;
  }
  results_ = loaded->results;
  table_ = uciTable(results_);
  source_->setText(is_sample ? tr("Results that come with this program")
                             : QString::fromStdString(loaded->path));
  showTable();
}

void LabUci::showTable() {
  const bool is_empty = table_.empty();
  card_->setEmptyText(is_empty ? tr("Open a folder of results") : QString());
  card_->setSubtitle(is_empty ? QString() : uciCaption(results_));
  sentence_->setText(is_empty ? QString() : uciSentence(table_));
  row_notes_->setText(uciRowNotes(table_));
  if (!is_empty) {
    view_->setValue(uciCompareTable(table_, figure_));
  }
}

}  // namespace dubito
