// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QSpinBox>
#include <QTimer>
#include <nlohmann/json.hpp>

#include "app/labs/figures/lab_figures.h"
#include "app/labs/lab_view.h"
#include "app/labs/labs_page.h"
#include "app/shell/page_stack.h"
#include "tests/app/shell/soak/soak.h"
#include "widgets/band_plot.h"
#include "widgets/class_map_plot.h"
#include "widgets/value_slider.h"

namespace dubito::test {
namespace {

/// Closes the dialogs and menus that an action opens, as Escape would.
class DialogCloser {
 public:
  DialogCloser() {
    QObject::connect(&timer_, &QTimer::timeout, [] {
      if (QWidget* const menu = QApplication::activePopupWidget()) {
        menu->close();
      } else if (QWidget* const dialog = QApplication::activeModalWidget()) {
        dialog->close();
      }
    });
    timer_.start(10);
  }

 private:
  QTimer timer_;
};

/// What a person can use in `root` and what is not part of another control.
std::vector<QWidget*> controlsOf(const QWidget& root) {
  std::vector<QWidget*> controls;
  for (QWidget* const widget : root.findChildren<QWidget*>()) {
    const bool usable = widget->isEnabled() && widget->isVisibleTo(&root);
    const bool inner = qobject_cast<QAbstractSpinBox*>(widget->parent()) != nullptr ||
                       qobject_cast<ValueSlider*>(widget->parent()) != nullptr ||
                       qobject_cast<QComboBox*>(widget->parent()) != nullptr ||
                       widget->objectName().startsWith(QStringLiteral("qt_"));
    const bool known = qobject_cast<QAbstractButton*>(widget) != nullptr ||
                       qobject_cast<QComboBox*>(widget) != nullptr ||
                       qobject_cast<QListWidget*>(widget) != nullptr ||
                       qobject_cast<QLineEdit*>(widget) != nullptr ||
                       qobject_cast<QSpinBox*>(widget) != nullptr ||
                       qobject_cast<ValueSlider*>(widget) != nullptr;
    if (usable && known && !inner) {
      controls.push_back(widget);
    }
  }
  return controls;
}

void type(QLineEdit& field, const QString& text) {
  field.setText(text);
  Q_EMIT field.textEdited(text);
  Q_EMIT field.editingFinished();
}

/// Nonsense first, which must be refused, then a smaller number: a larger one could take minutes.
void useField(QLineEdit& field, std::uint64_t choice) {
  const QString before = field.text();
  constexpr std::array kNonsense = {"", "abc", "nan", "-1", "1e400", "1,5"};
  type(field, QLatin1String(kNonsense[choice % kNonsense.size()]));
  bool is_number = false;
  const double number = before.toDouble(&is_number);
  const double smaller = number * (0.5 + 0.5 * static_cast<double>(choice % 97) / 97.0);
  const bool whole = !before.contains(QLatin1Char('.')) && std::abs(number) >= 1.0;
  type(field, is_number ? QString::number(whole ? std::ceil(smaller) : smaller, 'g', 4) : before);
}

/// A random time below 30 ms, so that the next action meets a laboratory in any state.
void playForAWhile(std::uint64_t choice) {
  QTest::qWait(static_cast<int>(choice / 7 % 30));
}

}  // namespace

LabView& Soak::showLab(Laboratory laboratory) {
  window_->showPage(PageId::kLabs);
  window_->pages().labs().showLaboratory(laboratory);
  return window_->pages().labs().shownLaboratory();
}

void Soak::pauseLab() {
  auto* const play = window_->pages().labs().shownLaboratory().findChild<QAbstractButton*>(
      QStringLiteral("labPlay"));
  if (play != nullptr && play->isEnabled() && play->text() == QStringLiteral("Pause")) {
    play->click();
  }
}

void Soak::useLabControl(std::uint64_t choice) {
  const DialogCloser closer;
  const std::vector<QWidget*> controls = controlsOf(window_->pages().labs().shownLaboratory());
  QWidget* const control = controls[choice % controls.size()];
  const std::uint64_t value = choice / controls.size();
  if (auto* const button = qobject_cast<QAbstractButton*>(control)) {
    button->click();
  } else if (auto* const entries = qobject_cast<QComboBox*>(control)) {
    if (entries->count() > 0) {
      const int entry = static_cast<int>(value % static_cast<std::uint64_t>(entries->count()));
      entries->setCurrentIndex(entry);
      Q_EMIT entries->activated(entry);
    }
  } else if (auto* const list = qobject_cast<QListWidget*>(control)) {
    if (list->count() > 0) {
      QListWidgetItem& item =
          *list->item(static_cast<int>(value % static_cast<std::uint64_t>(list->count())));
      list->setCurrentItem(&item);
      if (item.flags().testFlag(Qt::ItemIsUserCheckable) &&
          item.data(Qt::CheckStateRole).isValid()) {
        item.setCheckState(item.checkState() == Qt::Checked ? Qt::Unchecked : Qt::Checked);
      }
    }
  } else if (auto* const field = qobject_cast<QLineEdit*>(control)) {
    useField(*field, value);
  } else if (auto* const number = qobject_cast<QSpinBox*>(control)) {
    number->setValue(number->minimum() + static_cast<int>(value % 20));
  } else if (auto* const slider = qobject_cast<ValueSlider*>(control)) {
    const SliderRange& range = slider->range();
    for (std::uint64_t i = 0; i < 3; ++i) {
      slider->setValue(range.low + (range.high - range.low) * fraction(value + 7 * i));
      Q_EMIT slider->moved(slider->value());
    }
    Q_EMIT slider->settled(slider->value());
  }
}

void Soak::addLabActions() {
  actions_["lab"] = [this](std::uint64_t choice) {
    showLab(laboratories()[choice % laboratories().size()].id);
    pauseLab();
  };
  // Of every laboratory in turn, so that one added later is used, too.
  for (const LaboratoryInfo& info : laboratories()) {
    actions_[std::string("lab-") + info.key] = [this, id = info.id](std::uint64_t choice) {
      showLab(id);
      useLabControl(choice);
      playForAWhile(choice);
      pauseLab();
    };
  }
  actions_["lab-points"] = [this](std::uint64_t choice) {
    const bool classes = choice % 2 == 0;
    LabView& lab =
        showLab(classes ? Laboratory::kClassificationMethods : Laboratory::kRegressionMethods);
    const double x = 8.0 * fraction(choice) - 4.0;
    const double y = (classes ? 4.0 : 100.0) * fraction(choice / 3);
    const auto edit = [&](auto* plot) {
      switch (choice / 2 % 3) {
        case 0:
          Q_EMIT plot->pointAdded(x, y);
          break;
        case 1:
          Q_EMIT plot->pointMoved(static_cast<int>(choice % 7), x, y);
          break;
        default:
          Q_EMIT plot->pointErased(static_cast<int>(choice % 7));
      }
    };
    if (auto* const bands = lab.findChild<BandPlot*>()) {
      edit(bands);
    } else if (auto* const map = lab.findChild<ClassMapPlot*>()) {
      edit(map);
    }
    playForAWhile(choice);
    pauseLab();
  };
  actions_["lab-figure"] = [this](std::uint64_t choice) {
    showLab(Laboratory::kSimplex);
    window_->pages().labs().showFigure(labFigures()[choice % labFigures().size()]);
    playForAWhile(choice);
    pauseLab();
  };
  actions_["lab-preset"] = [this](std::uint64_t choice) {
    LabView& lab = showLab(laboratories()[choice % laboratories().size()].id);
    pauseLab();
    settle();
    const nlohmann::json before = lab.setUp();
    useLabControl(choice / laboratories().size());
    pauseLab();
    settle();
    if (!lab.applySetUp(before)) {
      qFatal("%s refuses its own set-up", qPrintable(lab.objectName()));
    }
    pauseLab();
    if (lab.setUp() != before) {
      qFatal("%s shows another set-up than it was given", qPrintable(lab.objectName()));
    }
  };
}

}  // namespace dubito::test
