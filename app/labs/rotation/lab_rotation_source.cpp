// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/rotation/lab_rotation_source.h"

#include <QComboBox>
#include <algorithm>
#include <utility>
#include <variant>

#include "app/labs/lab_set_up.h"
#include "app/workbench/demo.h"

namespace dubito {
namespace {

/// Data of the entries for the sample.
constexpr int kSample = -1;

/// The demo's model or its dataset.
template <class Member>
Expected<Member> openSample(std::size_t request, RunContext& context) {
  const auto samples = findSamples();
  if (!samples) {
    return fail(ErrorCode::kNotFound,
                "datasets/samples: the sample is not installed with this program; open your own "
                "model and dataset");
  }
  auto opened = openFile(demoRequests(*samples).at(request), {}, context);
  if (!opened) {
    return failWith(opened);
  }
  return std::get<Member>(*std::move(opened));
}

}  // namespace

Expected<RotationSource> loadedSource(RotationSource source, RunContext& context) {
  if (!source.model) {
    auto model = openSample<ModelPtr>(0, context);
    if (!model) {
      return failWith(model);
    }
    source.model = *std::move(model);
  }
  if (!source.dataset) {
    auto dataset = openSample<DatasetPtr>(1, context);
    if (!dataset) {
      return failWith(dataset);
    }
    source.dataset = *std::move(dataset);
  }
  return source;
}

LabRotationSource::LabRotationSource(LabSetUp& set_up, const Session& session)
    : QObject(&set_up),
      session_(session),
      models_(set_up.addList(tr("Model"), "rotationModel")),
      datasets_(set_up.addList(tr("Dataset"), "rotationDataset")) {
  for (QComboBox* const list : {models_, datasets_}) {
    list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(list, &QComboBox::activated, this, &LabRotationSource::changed);
  }
}

bool LabRotationSource::reload() {
  const RotationSource before = chosen();
  const bool first = models_->count() == 0;
  const auto fill = [first](QComboBox& list, const auto& entries, auto member, const auto& wanted,
                            int active, const QString& sample) {
    list.clear();
    int position = first ? std::max(active, 0) : static_cast<int>(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      list.addItem(entries[i].name, static_cast<int>(i));
      if (wanted && entries[i].*member == wanted) {
        position = static_cast<int>(i);
      }
    }
    list.addItem(sample, kSample);
    list.setCurrentIndex(std::min(position, list.count() - 1));
  };
  fill(*models_, session_.models(), &ModelEntry::model, before.model,
       session_.activeModelPosition(), tr("LeNet, MNIST (sample)"));
  fill(*datasets_, session_.datasets(), &DatasetEntry::dataset, before.dataset,
       session_.activeDatasetPosition(), tr("MNIST test (sample)"));
  const RotationSource now = chosen();
  return first || now.model != before.model || now.dataset != before.dataset;
}

RotationSource LabRotationSource::chosen() const {
  const auto entry_of = [](const QComboBox& list, std::size_t count) {
    const int index = list.currentIndex() < 0 ? kSample : list.currentData().toInt();
    return index >= 0 && static_cast<std::size_t>(index) < count ? index : kSample;
  };
  const int model = entry_of(*models_, session_.models().size());
  const int dataset = entry_of(*datasets_, session_.datasets().size());
  return {
      model == kSample ? sample_.model : session_.models()[static_cast<std::size_t>(model)].model,
      dataset == kSample ? sample_.dataset
                         : session_.datasets()[static_cast<std::size_t>(dataset)].dataset};
}

void LabRotationSource::keepSample(const RotationSource& loaded) {
  if (models_->currentData().toInt() == kSample) {
    sample_.model = loaded.model;
  }
  if (datasets_->currentData().toInt() == kSample) {
    sample_.dataset = loaded.dataset;
  }
}

}  // namespace dubito
