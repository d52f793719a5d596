// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QLabel>
#include <QMap>
#include <QMargins>
#include <QString>

namespace dubito {

/// A label whose text wraps. Remembers how high it is at each width, because layouts ask for that
/// many times and QLabel breaks the text into lines each time.
class WrappedLabel : public QLabel {
  Q_OBJECT
 public:
  explicit WrappedLabel(QWidget* parent = nullptr);
  explicit WrappedLabel(const QString& text, QWidget* parent = nullptr);

  [[nodiscard]] int heightForWidth(int width) const override;

 private:
  /// What the heights depend on.
  struct Look {
    QString text;
    QFont font;
    QMargins margins;
    int margin = 0;
    Qt::TextFormat format = Qt::AutoText;
    bool wraps = false;

    friend bool operator==(const Look&, const Look&) = default;
  };
  mutable Look look_;
  mutable QMap<int, int> heights_;  ///< by width
};

}  // namespace dubito
