// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "app/jobs/newest_job.h"
#include "app/session/session.h"
#include "core/context/scene_record.h"

namespace dubito {

class MessageOrGallery;

/// The other items of an item's scene, for runs with context: what each said before and after, and
/// how much it speaks for the label of the item. Double-click one to choose it.
class SceneItems : public QWidget {
  Q_OBJECT
 public:
  /// Both outlive the widget; scenes are read and explained on `worker`.
  SceneItems(Session& session, WorkerThread& worker, QWidget* parent = nullptr);

  void setItem(const AnalysisPtr& analysis, ItemRef item);
  /// How the label changed, in one line, and its tooltip with the numbers.
  [[nodiscard]] QString note() const { return note_; }
  [[nodiscard]] QString noteDetails() const { return note_details_; }
  /// True while a scene is being read or a picture is being loaded.
  [[nodiscard]] bool busy() const;

 Q_SIGNALS:
  void noteChanged();

 private:
  using RecordPtr = std::shared_ptr<const SceneRecord>;
  /// An explained item, and the record it was explained by (null: the run's file has none).
  struct Explained {
    RecordPtr record;
    std::optional<ExplainedItem> item;
  };

  void explain();
  void showExplained(const ExplainedItem& explained);
  void showMessage(const QString& text);
  void setNote(const QString& note, const QString& details);

  Session& session_;
  NewestJob query_;
  AnalysisPtr analysis_;
  std::optional<ItemRef> item_;
  std::shared_ptr<const Run> run_of_record_;
  RecordPtr record_;
  QString note_;
  QString note_details_;
  MessageOrGallery* view_;
};

}  // namespace dubito
