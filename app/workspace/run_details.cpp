// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/run_details.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "app/words/run_texts.h"
#include "app/words/words.h"
#include "core/analysis/run_names.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

QLabel* textLabel(const QString& text, const char* name, QWidget* parent) {
  auto* const label = new WrappedLabel(text, parent);
  label->setObjectName(QLatin1String(name));
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

QString settingsText(const Analysis& analysis) {
  QStringList lines;
  const RunMeta& meta = analysis.in().run->meta;
  for (const auto& [name, value] : methodSettings(meta)) {
    lines << QStringLiteral("%1: %2").arg(name, value);
  }
  lines << RunDetails::tr("Seed: %1").arg(meta.seed);
  return lines.join(QLatin1Char('\n'));
}

QString itemsText(const Analysis& analysis) {
  QStringList lines;
  for (const AnalysisPart& part : analysis.parts) {
    const QString spec = QString::fromStdString(part.run->meta.dataset_spec);
    lines << RunDetails::tr("%1: %2%3")
                 .arg(QString::fromStdString(part.name),
                      countedText(part.run->itemCount(), RunDetails::tr("%1 item"),
                                  RunDetails::tr("%1 items")),
                      spec.isEmpty() ? QString() : QStringLiteral("\n") + spec);
  }
  return lines.join(QLatin1Char('\n'));
}

QString modelText(const Analysis& analysis) {
  const RunMeta& meta = analysis.in().run->meta;
  QStringList lines;
  for (const std::string& text : {networkName(analysis), meta.model_path}) {
    if (!text.empty()) {
      lines << QString::fromStdString(text);
    }
  }
  return lines.isEmpty() ? RunDetails::tr("unknown") : lines.join(QLatin1Char('\n'));
}

QString warningsText(const Analysis& analysis) {
  QStringList lines;
  for (const QString& warning : runWarnings(analysis)) {
    lines << QStringLiteral("• ") + warning;
  }
  return lines.isEmpty() ? RunDetails::tr("none") : lines.join(QLatin1Char('\n'));
}

}  // namespace

RunDetails::RunDetails(Session& session, std::shared_ptr<const Run> run, QWidget* parent)
    : QDialog(parent),
      session_(session),
      run_(std::move(run)),
      name_(new QLineEdit(this)),
      note_(new QPlainTextEdit(this)) {
  setObjectName(QStringLiteral("runDetailsDialog"));
  setWindowTitle(tr("Run details"));
  resize(120 * kGrid, 130 * kGrid);
  name_->setObjectName(QStringLiteral("runDetailsName"));
  note_->setObjectName(QStringLiteral("runDetailsNote"));
  note_->setAccessibleName(tr("Note"));
  note_->setTabChangesFocus(true);
  note_->setPlaceholderText(tr("Free text, saved in the workspace"));
  note_->setMaximumHeight(24 * kGrid);
  auto* const content = new QWidget(this);
  auto* const form = new QFormLayout(content);
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  form->setVerticalSpacing(2 * kGrid);
  form->addRow(tr("Name"), name_);
  form->addRow(tr("Note"), note_);
  if (const auto at = position()) {
    const Analysis& analysis = *session_.analyses()[*at];
    const RunLabel label = session_.runLabel(*at);
    name_->setText(QString::fromStdString(label.name));
    name_->setPlaceholderText(QString::fromStdString(distinctNames(session_.analyses())[*at]));
    note_->setPlainText(QString::fromStdString(label.note));
    const std::string file = session_.runFiles().fileOf(run_);
    const auto add = [&](const QString& title, const QString& text, const char* name) {
      form->addRow(title, textLabel(text, name, content));
    };
    add(tr("Warnings"), warningsText(analysis), "runDetailsWarnings");
    add(tr("Model"), modelText(analysis), "runDetailsModel");
    add(tr("Method"), QString::fromStdString(describeMethod(*run_)), "runDetailsMethod");
    add(tr("Settings"), settingsText(analysis), "runDetailsSettings");
    add(tr("Items"), itemsText(analysis), "runDetailsItems");
    if (const QString labels = labelsText(analysis); !labels.isEmpty()) {
      add(tr("Labels"), labels, "runDetailsLabels");
    }
    add(tr("File"), file.empty() ? tr("not saved") : QString::fromStdString(file),
        "runDetailsFile");
  }
  auto* const area = new QScrollArea(this);
  area->setObjectName(QStringLiteral("runDetailsScroll"));
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setWidget(content);
  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  buttons->setObjectName(QStringLiteral("runDetailsButtons"));
  auto* const layout = new QVBoxLayout(this);
  layout->addWidget(area, 1);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, [this] {
    saveLabel();
    accept();
  });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

std::optional<std::size_t> RunDetails::position() const {
  const auto& analyses = session_.analyses();
  const auto found = std::ranges::find_if(analyses, [this](const AnalysisPtr& analysis) {
    return givenOf(analysis)->in().run == run_;
  });
  return found == analyses.end() ? std::nullopt
                                 : std::optional<std::size_t>(found - analyses.begin());
}

void RunDetails::saveLabel() {
  if (const auto at = position()) {
    session_.setRunLabel(
        *at, {name_->text().trimmed().toStdString(), note_->toPlainText().trimmed().toStdString()});
  }
}

}  // namespace dubito
