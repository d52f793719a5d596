// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/labels/class_keys.h"

#include <QSet>
#include <algorithm>

#include "widgets/tr.h"

namespace dubito {
namespace {

constexpr int kNumberKeys = 10;

bool isDigit(const std::string& text) {
  return text.size() == 1 && text[0] >= '0' && text[0] <= '9';
}

QString ownKey(const LabelClass& entry) {
  return QString::fromStdString(entry.key).toUpper();
}

}  // namespace

std::unordered_map<std::int64_t, QString> classKeys(const std::vector<LabelClass>& classes,
                                                    const ReviewKeys& keys) {
  std::unordered_map<std::int64_t, QString> result;
  QSet<QString> used;
  const auto give = [&](const LabelClass& entry, const QString& key) {
    if (!key.isEmpty() && !result.contains(entry.id) && !used.contains(key) &&
        !keys.commandOf(QKeySequence(key))) {
      used.insert(key);
      result[entry.id] = key;
    }
  };
  for (const LabelClass& entry : classes) {
    give(entry, entry.merged_into ? QString() : ownKey(entry));
  }
  const auto for_each_without = [&classes](const auto& act) {
    for (const LabelClass& entry : classes) {
      if (!entry.merged_into && entry.key.empty()) {
        act(entry);
      }
    }
  };
  for_each_without([&](const LabelClass& entry) {
    give(entry, isDigit(entry.name) ? QString::fromStdString(entry.name) : QString());
  });
  // By number: renaming, merging or adding a class must not move the keys of others.
  for_each_without([&](const LabelClass& entry) {
    give(entry, entry.id < kNumberKeys ? QString::number((entry.id + 1) % kNumberKeys) : QString());
  });
  for_each_without([&](const LabelClass& entry) {
    // A digit that got another name keeps its key.
    give(entry, entry.id < kNumberKeys ? QString::number(entry.id) : QString());
    for (int digit = 1; digit <= kNumberKeys; ++digit) {
      give(entry, QString::number(digit % kNumberKeys));
    }
  });
  return result;
}

const LabelClass* classOfKey(const std::vector<LabelClass>& classes, const ReviewKeys& keys,
                             const QString& key) {
  for (const auto& [class_id, known] : classKeys(classes, keys)) {
    if (known == key.toUpper()) {
      return findClass(classes, class_id);
    }
  }
  return nullptr;
}

QString wrongWithClassKey(const std::vector<LabelClass>& classes, const ReviewKeys& keys,
                          std::int64_t class_id, const QString& key) {
  const QString wanted = key.toUpper();
  const QChar letter = wanted.size() == 1 ? wanted[0] : QChar();
  const bool is_valid = (letter >= u'A' && letter <= u'Z') || (letter >= u'0' && letter <= u'9');
  if (!is_valid) {
    return tr("The key of a class is one letter from A to Z or one digit.");
  }
  if (const auto command = keys.commandOf(QKeySequence(wanted))) {
    return tr("%1 is the key of a command: %2. Choose another key, or change the command's.")
        .arg(wanted, ReviewKeys::nameOf(*command));
  }
  // A digit that another class has only by its place is free.
  for (const LabelClass& entry : classes) {
    if (entry.id != class_id && !entry.merged_into && ownKey(entry) == wanted) {
      return tr("%1 is the key of the class %2. Choose another key.")
          .arg(wanted, QString::fromStdString(entry.name));
    }
  }
  return {};
}

}  // namespace dubito
