// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/images/scene_items.h"

#include <QVBoxLayout>
#include <cmath>
#include <vector>

#include "app/pictures/message_or_gallery.h"
#include "app/session/error_text.h"
#include "app/words/words.h"

namespace dubito {
namespace {

/// "+1.25": nats for or against a label.
QString signedText(double nats) {
  return (nats < 0.0 ? QStringLiteral("−") : QStringLiteral("+")) +
         QString::number(std::abs(nats), 'f', 2);
}

QString beforeAndAfter(const Analysis& analysis, const SceneNeighbour& other) {
  const QString after = className(analysis, other.after);
  return other.before == other.after
             ? after
             : SceneItems::tr("%1 → %2").arg(className(analysis, other.before), after);
}

GalleryItem neighbourInGallery(const Analysis& analysis, ItemRef item, const SceneNeighbour& other,
                               const ExplainedItem& explained) {
  const ItemRef neighbour{item.part, other.row};
  GalleryItem shown;
  shown.key = keyOf(neighbour);
  shown.name = itemName(analysis, neighbour);
  shown.label_predicted = beforeAndAfter(analysis, other);
  shown.label_true = trueClassName(analysis, neighbour);
  const ItemGroup group = groupOf(analysis, neighbour);
  shown.wrong = group == ItemGroup::kMisclassified;
  shown.ood = group == ItemGroup::kOod;
  shown.measure = signedText(other.message);
  shown.tooltip =
      SceneItems::tr("%1\nalone %2, in its scene %3%4\n%5 nats for %6 against %7")
          .arg(shown.name, className(analysis, other.before), className(analysis, other.after),
               shown.label_true.isEmpty() ? QString()
                                          : SceneItems::tr(", label %1").arg(shown.label_true),
               signedText(other.message), className(analysis, explained.to),
               className(analysis, explained.from));
  return shown;
}

}  // namespace

SceneItems::SceneItems(Session& session, WorkerThread& worker, QWidget* parent)
    : QWidget(parent),
      session_(session),
      query_(worker),
      view_(new MessageOrGallery(QStringLiteral("scene"), this)) {
  setObjectName(QStringLiteral("sceneItems"));
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(view_);
  connect(view_, &MessageOrGallery::activated, this, [this](qint64 key) {
    for (std::int64_t row = 0; record_ && row < record_->scene.size(); ++row) {
      if (const ItemRef chosen{item_->part, row}; keyOf(chosen) == key) {
        session_.listing().setPrimary(chosen);
        return;
      }
    }
  });
}

bool SceneItems::busy() const {
  return query_.busy() || view_->loading();
}

void SceneItems::setItem(const AnalysisPtr& analysis, ItemRef item) {
  if (analysis == analysis_ && item_ == item) {
    return;
  }
  if (analysis != analysis_) {
    view_->setPictures(smallPicturesOf(analysis, kSmallPicture));
  }
  analysis_ = analysis;
  item_ = item;
  explain();
}

void SceneItems::explain() {
  const std::shared_ptr<const Run>& run = analysis_->partOf(*item_).run;
  const std::string file = session_.runFiles().fileOf(run);
  if (run->meta.method != "context") {
    showMessage(
        tr("The items of this run were predicted one by one. To let the items of a scene "
           "influence each other, run dubito-cli context and open its result"));
    return;
  }
  if (file.empty()) {
    showMessage(
        tr("This run is not from a file, so its scenes are not known; open the file that "
           "dubito-cli context wrote"));
    return;
  }
  query_.submit<Explained>(
      tr("Scene of the item"), {},
      [run, file, row = item_->row,
       known = run == run_of_record_ ? record_ : RecordPtr()](RunContext&) -> Expected<Explained> {
        RecordPtr record = known;
        if (!record) {
          auto read = readSceneRecord(file, *run);
          if (!read) {
            return failWith(read);
          }
          if (!*read) {
            return Explained{};
          }
          record = std::make_shared<const SceneRecord>(**std::move(read));
        }
        const auto explained = explainItem(*run, *record, row);
        if (!explained) {
          return failWith(explained);
        }
        return Explained{record, *explained};
      },
      this,
      [this, analysis = analysis_, item = item_, run](const Expected<Explained>& explained) {
        if (analysis != analysis_ || item != item_) {
          return;  // the result of the newer query follows
        }
        if (!explained) {
          showMessage(errorText(explained.error()));
          return;
        }
        if (!explained->record) {
          showMessage(
              tr("The file of this run does not keep its scenes; open the file that "
                 "dubito-cli context wrote"));
          return;
        }
        record_ = explained->record;
        run_of_record_ = run;
        if (explained->item) {
          showExplained(*explained->item);
        } else {
          showMessage(tr("This item is alone in its scene, or without one: nothing changed"));
        }
      });
}

void SceneItems::showMessage(const QString& text) {
  view_->showMessage(text);
  setNote({}, {});
}

void SceneItems::showExplained(const ExplainedItem& explained) {
  std::vector<GalleryItem> items;
  double others = 0.0;
  for (const SceneNeighbour& other : explained.others) {
    items.push_back(neighbourInGallery(*analysis_, *item_, other, explained));
    others += other.message;
  }
  const auto count = static_cast<qint64>(items.size());
  view_->showItems(std::move(items));
  const QString from = className(*analysis_, explained.from);
  const QString to = className(*analysis_, explained.to);
  const QString numbers =
      tr("alone %1 · others %2 · loops %3 = %4 nats for %5 against %6")
          .arg(signedText(explained.own), signedText(others), signedText(explained.loops),
               signedText(explained.total), to, from);
  const QString company =
      count == 1 ? tr("one other item") : tr("%1 other items").arg(countText(count));
  setNote((explained.changed ? tr("%1 → %2 among %3").arg(from, to, company)
                             : tr("stays %1 among %2").arg(to, company)) +
              u'\n' + numbers,
          tr("Differences of log probabilities. Alone: what the item itself says. Others: the "
             "messages of the other items, below each image. Loops: what these count twice or "
             "miss, because the items also influence each other."));
}

void SceneItems::setNote(const QString& note, const QString& details) {
  note_ = note;
  note_details_ = details;
  Q_EMIT noteChanged();
}

}  // namespace dubito
