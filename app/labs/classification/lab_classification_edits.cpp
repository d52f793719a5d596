// SPDX-License-Identifier: GPL-3.0-or-later
// What changes the points of the classification laboratory by hand, and its set-up.
#include <QComboBox>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/labs/classification/lab_classification.h"
#include "app/labs/classification/lab_classification_data.h"
#include "app/labs/lab_method_list.h"
#include "core/labs/classification/class_maps.h"
#include "widgets/value_slider.h"

namespace dubito {

nlohmann::json LabClassification::setUp() const {
  ClassificationPreset preset = runner_->preset();
  preset.map = chosenMap().key;
  if (data_->hasOwnPoints()) {
    preset.own_points = runner_->data();
  } else {
    preset.data = data_->specification().toStdString();
  }
  return classificationPresetToJson(preset);
}

Status LabClassification::applySetUp(const nlohmann::json& set_up) {
  const auto preset = classificationPresetFromJson(set_up);
  if (!preset) {
    return failWith(preset);
  }
  begun_ = true;
  runner_->apply(*preset);
  methods_->reload();
  data_->reloadOptions();
  zoom_->setValue(preset->options.zoom);
  maps_->setCurrentIndex(maps_->findData(QString::fromStdString(preset->map)));
  if (preset->own_points) {
    setOwnData(*preset->own_points);
  } else {
    data_->choose(QString::fromStdString(preset->data), preset->seed);
  }
  return {};
}

ClassData LabClassification::ownData() const {
  ClassData edited = runner_->data();
  edited.name = tr("Own points").toStdString();
  edited.test = {};
  edited.notes.clear();
  return edited;
}

void LabClassification::setOwnData(ClassData edited) {
  // As many classes as the highest one with a point needs.
  std::int64_t classes = 0;
  for (const std::int64_t c : edited.train.classes) {
    classes = std::max(classes, c + 1);
  }
  while (edited.classes() < classes) {
    edited.class_names.push_back(std::to_string(edited.classes()));
  }
  edited.class_names.resize(static_cast<std::size_t>(classes));
  data_->showOwnPoints(edited);
  runner_->setData(std::move(edited));
}

void LabClassification::addPoint(double x1, double x2) {
  ClassData edited = ownData();
  edited.train.add(x1, x2, data_->chosenClass());
  setOwnData(std::move(edited));
}

void LabClassification::movePoint(int index, double x1, double x2) {
  ClassData edited = ownData();
  const auto i = static_cast<std::size_t>(index);
  if (i < edited.train.x1.size()) {
    edited.train.x1[i] = x1;
    edited.train.x2[i] = x2;
    setOwnData(std::move(edited));
  }
}

void LabClassification::erasePoint(int index) {
  ClassData edited = ownData();
  if (index < edited.train.size()) {
    edited.train.x1.erase(edited.train.x1.begin() + index);
    edited.train.x2.erase(edited.train.x2.begin() + index);
    edited.train.classes.erase(edited.train.classes.begin() + index);
    setOwnData(std::move(edited));
  }
}

}  // namespace dubito
