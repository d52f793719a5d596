// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/review_export.h"

#include <QAction>
#include <QActionGroup>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <utility>
#include <vector>

#include "app/review/reviewer.h"

namespace dubito {
namespace {

/// Choices for the images without a decision.
struct UndecidedChoice {
  QString name;
  QString text;
  Undecided undecided = Undecided::kDrop;
  double min_probability = ExportChoices().min_probability;
};

std::vector<UndecidedChoice> undecidedChoices() {
  std::vector<UndecidedChoice> choices{
      {QStringLiteral("undecided-drop"), ReviewExport::tr("Leave undecided images out"),
       Undecided::kDrop},
      {QStringLiteral("undecided-keep"),
       ReviewExport::tr("Give undecided images the label that they came with"), Undecided::kKeep}};
  for (const int percent : {50, 90, 99}) {
    choices.push_back(
        {QStringLiteral("undecided-suggest-%1").arg(percent),
         ReviewExport::tr("Give undecided images the suggestion if it is at least %1 % sure")
             .arg(percent),
         Undecided::kSuggest, percent / 100.0});
  }
  return choices;
}

bool isChosen(const UndecidedChoice& choice, const ExportChoices& now) {
  return choice.undecided == now.undecided &&
         (choice.undecided != Undecided::kSuggest || choice.min_probability == now.min_probability);
}

}  // namespace

ReviewExport::ReviewExport(Reviewer& reviewer, QWidget* parent)
    : QPushButton(tr("Export labels"), parent), reviewer_(reviewer) {
  setObjectName(QStringLiteral("reviewExport"));
  setFocusPolicy(Qt::TabFocus);
  auto* const formats = new QMenu(this);
  for (const LabelFormat* const format : allLabelFormats()) {
    QAction* const action =
        formats->addAction(QString::fromUtf8(format->name), [this, format] { exportAs(*format); });
    action->setObjectName(QStringLiteral("exportLabels-") + QLatin1String(format->key));
    action->setToolTip(QString::fromUtf8(format->summary));
  }
  formats->setToolTipsVisible(true);
  addChoices(*formats);
  setMenu(formats);
  connect(&reviewer_.file(), &LabelFile::exported, this,
          [this](const QString& path, const DecisionCounts& counts, const QStringList& notes) {
            Q_EMIT written(
                tr("Exported to %1: %2.").arg(QFileInfo(path).fileName(), countsText(counts)),
                (QStringList(path) + notes).join(QLatin1Char('\n')));
          });
}

void ReviewExport::addChoices(QMenu& menu) {
  menu.addSection(tr("Images without a decision"));
  auto* const undecided = new QActionGroup(this);
  for (const UndecidedChoice& choice : undecidedChoices()) {
    QAction* const action = menu.addAction(choice.text);
    action->setObjectName(choice.name);
    action->setCheckable(true);
    undecided->addAction(action);
    connect(action, &QAction::triggered, this, [this, choice] {
      ExportChoices choices = reviewer_.choices().exports();
      choices.undecided = choice.undecided;
      choices.min_probability = choice.min_probability;
      reviewer_.choices().setExports(choices);
    });
  }
  menu.addSeparator();
  QAction* const shapes = menu.addAction(tr("Write boxes and polygons back"));
  shapes->setObjectName(QStringLiteral("exportShapes"));
  shapes->setCheckable(true);
  shapes->setToolTip(
      tr("If you opened labels of the same format with boxes or polygons, the export keeps them "
         "as they are. Images without a decision then keep the label that they have there."));
  connect(shapes, &QAction::triggered, this, [this](bool checked) {
    ExportChoices choices = reviewer_.choices().exports();
    choices.keeps_shapes = checked;
    reviewer_.choices().setExports(choices);
  });
  const auto show_choices = [this, undecided, shapes] {
    const ExportChoices now = reviewer_.choices().exports();
    const std::vector<UndecidedChoice> all = undecidedChoices();
    for (std::size_t i = 0; i < all.size(); ++i) {
      undecided->actions().at(static_cast<qsizetype>(i))->setChecked(isChosen(all[i], now));
    }
    shapes->setChecked(now.keeps_shapes);
  };
  connect(&menu, &QMenu::aboutToShow, this, show_choices);
  show_choices();
}

void ReviewExport::exportAs(const LabelFormat& format) {
  const bool folder = *format.ending == '\0';
  QString path = std::exchange(next_file_name_, {});
  if (path.isEmpty()) {
    const QString title = tr("Export labels: %1").arg(QString::fromUtf8(format.name));
    path = QFileDialog::getSaveFileName(
        this, title, tr("labels") + QString::fromUtf8(format.ending),
        folder ? QString() : QStringLiteral("*%1").arg(QString::fromUtf8(format.ending)));
  }
  if (!path.isEmpty()) {
    reviewer_.exportTo(format, path);
  }
}

}  // namespace dubito
