// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QSettings>
#include <optional>

#include "core/labs/story/lab_story.h"

class QLabel;
class QPushButton;

namespace dubito {

/// Tells a story: the text of one step at a time, and the way to the others by buttons and by the
/// keys of a presenter, Page Down and Page Up. Hidden while there is no story. A story that is
/// opened again continues at the step that was shown last.
class StoryBar : public QFrame {
  Q_OBJECT
 public:
  /// `settings` keep the steps and outlive the bar.
  explicit StoryBar(QSettings& settings, QWidget* parent = nullptr);

  /// Shows `story`, which has passed checkLabStory(). `key` identifies it among all stories; it is
  /// part of the name of a setting.
  void open(LabStory story, const QString& key);
  /// The name under which the step of the file at `path` is kept.
  [[nodiscard]] static QString keyOfFile(const QString& path);
  /// Forgets the story, which begins anew the next time if its last step was shown.
  void end();
  [[nodiscard]] bool hasStory() const { return story_.has_value(); }
  /// Number of the step shown, from 0. There must be a story.
  [[nodiscard]] std::size_t step() const { return step_; }
  [[nodiscard]] const LabStory& story() const { return *story_; }

 Q_SIGNALS:
  /// The laboratories are to show the present step.
  void stepShown();
  /// end() was called.
  void ended();

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void addParts();
  void go(std::size_t step);
  void show(std::size_t step);

  QSettings& settings_;
  std::optional<LabStory> story_;
  QString setting_;  ///< with the step of the story
  std::size_t step_ = 0;
  QLabel* title_;
  QLabel* count_;
  QLabel* text_;
  QPushButton* back_;
  QPushButton* next_;
  QPushButton* again_;
  QPushButton* end_;
};

}  // namespace dubito
