// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>
#include <optional>

#include "app/explore/inspector/item_why.h"
#include "app/jobs/newest_job.h"
#include "app/pictures/item_keys.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSettings;
class QSlider;

namespace dubito {

/// "Why?": which pixels of an item speak for a class and which against it, or where the draws
/// disagree. Computed in the background while it is on; the answers given last are kept.
class WhyPanel : public QWidget {
  Q_OBJECT
 public:
  /// The network runs on `compute_thread`; `settings` stores method and opacity. Both outlive the
  /// panel.
  WhyPanel(WorkerThread& compute_thread, QSettings& settings, QWidget* parent = nullptr);

  void setItem(const AnalysisPtr& analysis, ItemRef item);
  /// Switches the map on or off, as the key does; does nothing if it cannot be computed.
  void toggle();
  [[nodiscard]] bool isOn() const;
  /// True while a map is being computed.
  [[nodiscard]] bool busy() const { return job_.busy(); }
  /// Key that calls toggle().
  [[nodiscard]] static Qt::Key key() { return whyKey(); }

 Q_SIGNALS:
  /// While `is_on`, `overlay` is to be drawn over the network input of the item; null: not known.
  void overlayChanged(bool is_on, const QImage& overlay);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void makeControls();
  void fillClasses();
  void fillTargets();
  [[nodiscard]] AttributionTarget target() const;
  /// What to compute now; requires an item.
  [[nodiscard]] WhyQuestion question() const;
  void showState();
  void ask();
  void showAnswer(const Attribution& answer);
  void showLegend(const WhyQuestion& question);
  void showNote(const QString& text);
  void drawMap();

  NewestJob job_;
  QSettings& settings_;
  AnalysisPtr analysis_;
  std::optional<ItemRef> item_;
  WhyCache cache_;
  Array<float> map_;  ///< as shown; empty: none
  QPushButton* toggle_ = nullptr;
  QComboBox* method_ = nullptr;
  QWidget* details_ = nullptr;  ///< what is there only while the map is on
  QComboBox* class_ = nullptr;
  /// The network, the spread or the mutual information of the draws, or a draw.
  QComboBox* of_ = nullptr;
  QSlider* opacity_ = nullptr;
  QLabel* for_mark_ = nullptr;
  QLabel* for_text_ = nullptr;
  QLabel* against_mark_ = nullptr;
  QLabel* against_text_ = nullptr;
  QLabel* note_ = nullptr;
};

}  // namespace dubito
