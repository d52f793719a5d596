// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>

#include "app/review/labels/label_export.h"

class QSettings;

namespace dubito {

/// Whether the suggestion of an item is hidden if this share of all items is to be reviewed without
/// it, in [0, 1]. Depends on the id alone, and not on the order of any queue.
[[nodiscard]] bool isInHiddenShare(std::int64_t item, double share);

/// How a person likes to review, remembered in the settings. GUI thread only.
class ReviewChoices : public QObject {
  Q_OBJECT
 public:
  /// `settings` must outlive this.
  explicit ReviewChoices(QSettings& settings, QObject* parent = nullptr);

  /// Who decides; the name of the account unless set.
  [[nodiscard]] QString annotator() const;
  /// Empty: the name of the account.
  void setAnnotator(const QString& name);

  /// Share of the items whose suggestion is hidden until the decision, in [0, 1].
  [[nodiscard]] double hiddenShare() const { return hidden_share_; }
  void setHiddenShare(double share);

  /// Whether the classes are listed by probability, else in their own order.
  [[nodiscard]] bool likeliestFirst() const;
  void setLikeliestFirst(bool likeliest_first);

  /// Content of exports in addition to the decisions.
  [[nodiscard]] ExportChoices exports() const;
  void setExports(const ExportChoices& choices);

 Q_SIGNALS:
  void annotatorChanged(const QString& name);
  /// Another choice changed.
  void changed();

 private:
  QSettings& settings_;
  double hidden_share_;  ///< Cached, since every item needs it.
};

}  // namespace dubito
