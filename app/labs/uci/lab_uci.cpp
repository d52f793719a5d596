// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/uci/lab_uci.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/labs/lab_results.h"
#include "app/session/error_text.h"
#include "widgets/card.h"
#include "widgets/card_scroll.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

// Of the height.
constexpr int kTableShare = 5;
constexpr int kNotesShare = 2;
// In set-ups.
constexpr const char* kRmseKey = "rmse";
constexpr const char* kLikelihoodKey = "log_likelihood";

}  // namespace

LabUci::LabUci(const LabParts& parts, QWidget* parent) : LabView(parent), job_(parts.worker) {
  setObjectName(QStringLiteral("labUci"));
  auto* const results = new LabResults(this);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(results);
  results->rows().addLayout(buildBar());
  sentence_ = results->addSentence("uciSentence");
  buildTable();
  results->rows().addWidget(view_.card, kTableShare);
  results->rows().addWidget(buildNotes(), kNotesShare);
  showTable();
}

QLayout* LabUci::buildBar() {
  auto* const bar = new QHBoxLayout;
  bar->setSpacing(2 * kGrid);
  const auto addButton = [&](const QString& text, const QString& name, const QString& help,
                             auto pressed) {
    auto* const button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setToolTip(help);
    connect(button, &QPushButton::clicked, this, pressed);
    bar->addWidget(button);
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
  source_ = new QLabel(this);
  source_->setObjectName(QStringLiteral("uciSource"));
  source_->setProperty("role", QStringLiteral("muted"));
  bar->addWidget(source_, 1);
  return bar;
}

void LabUci::buildTable() {
  view_ = makeCard<CompareTable>({}, "uciTable");
  view_.card->setObjectName(QStringLiteral("uciCard"));
  view_.card->setChoices({tr("RMSE"), tr("Log-likelihood")});
  connect(view_.card, &Card::choiceMade, this, [this](int choice) {
    figure_ = choice == 0 ? UciFigure::kRmse : UciFigure::kLogLikelihood;
    showTable();
  });
}

QWidget* LabUci::buildNotes() {
  auto* const card = new Card(tr("What the numbers are"), this);
  card->setObjectName(QStringLiteral("uciNotesCard"));
  auto* const body = new QWidget(card);
  auto* const layout = new QVBoxLayout(body);
  layout->setContentsMargins(0, 0, 3 * kGrid, 0);
  layout->setSpacing(kGrid);
  const auto addText = [&](const char* name, const QString& text) {
    auto* const label = new WrappedLabel(text, body);
    label->setObjectName(QLatin1String(name));
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(label);
    return label;
  };
  addText(
      "uciProtocol",
      tr("A network with one hidden layer of 50 ReLU units (protein 100); inputs and targets are "
         "standardised by the training items. What must be chosen is chosen on a fifth of them, "
         "then the network is trained again on all. Log-likelihood: log (1/T) Σ N(y; f_t(x), "
         "1/τ), averaged over the test items, higher is better. *: more than %1 standard errors "
         "from the published row that was measured in the same way. (9): of the first 9 splits "
         "only. "
         "•: the best of our rows with all splits. –: not computed.")
          .arg(kUciMarkedErrors));
  addText("uciCommand", tr("To compute results: dubito-cli uci all -o FOLDER"));
  row_notes_ = addText("uciRowNotes", {});
  row_notes_->setProperty("role", QStringLiteral("muted"));
  layout->addStretch(1);
  card->setContent(makeCardScroll(body, card));
  return card;
}

void LabUci::begin() {
  if (!std::exchange(begun_, true)) {
    openSample();
  }
}

nlohmann::json LabUci::setUp() const {
  return {{"path", path_}, {"figure", figure_ == UciFigure::kRmse ? kRmseKey : kLikelihoodKey}};
}

Status LabUci::applySetUp(const nlohmann::json& set_up) {
  const auto path = set_up.at("path").get<std::string>();
  const auto figure = set_up.at("figure").get<std::string>();
  if (figure != kRmseKey && figure != kLikelihoodKey) {
    return fail(ErrorCode::kMalformed, "unknown figure " + figure);
  }
  figure_ = figure == kRmseKey ? UciFigure::kRmse : UciFigure::kLogLikelihood;
  view_.card->setChoice(figure_ == UciFigure::kRmse ? 0 : 1);
  load(path);
  return {};
}

void LabUci::load(const std::string& path) {
  begun_ = true;
  path_ = path;
  job_.restart<Loaded>(
      tr("Laboratory"), {},
      [path](RunContext&) {
        const auto source = path.empty() ? sampleUciResults() : Expected<std::string>(path);
        return source.and_then([](const std::string& from) {
          return readUciResults(from).map([&from](std::vector<UciResult> results) {
            return Loaded{from, std::move(results)};
          });
        });
      },
      this,
      [this, is_sample = path.empty()](const Expected<Loaded>& loaded) {
        deliver(is_sample, loaded);
      });
}

void LabUci::deliver(bool is_sample, const Expected<Loaded>& loaded) {
  if (!loaded) {
    if (loaded.error().code != ErrorCode::kCancelled) {
      Q_EMIT failed(errorText(loaded.error()));
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
  view_.card->setEmptyText(is_empty ? tr("Open a folder of results") : QString());
  view_.card->setSubtitle(is_empty ? QString() : uciCaption(results_));
  sentence_->setText(is_empty ? QString() : uciSentence(table_));
  row_notes_->setText(uciRowNotes(table_));
  if (!is_empty) {
    view_.content->setValue(uciCompareTable(table_, figure_));
  }
}

}  // namespace dubito
