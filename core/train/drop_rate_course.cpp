// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/drop_rate_course.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/models/torchscript/torchscript_archive_torch.h"

namespace dubito {
namespace {

constexpr const char* kKey = "drop_rates";

bool haveSameShape(const std::vector<LayerDropRates>& a, const std::vector<LayerDropRates>& b) {
  return std::ranges::equal(a, b, [](const LayerDropRates& x, const LayerDropRates& y) {
    return x.layer == y.layer && x.units.size() == y.units.size();
  });
}

/// Throws if the metadata or the course in it has another structure.
DropRateCourse courseIn(const std::string& metadata) {
  DropRateCourse course;
  const nlohmann::json whole = nlohmann::json::parse(metadata);
  const auto training = whole.find("training");
  if (training == whole.end() || !training->contains(kKey)) {
    return course;
  }
  for (const nlohmann::json& epoch : training->at(kKey)) {
    course.push_back(dropRatesFromJson(epoch));
    if (!haveSameShape(course.front(), course.back())) {
      throw std::runtime_error(
          fmt::format("epoch {} has other layers than the first one", course.size()));
    }
  }
  return course;
}

}  // namespace

void addDropRateCourse(const DropRateCourse& course, nlohmann::json& training) {
  for (const std::vector<LayerDropRates>& epoch : course) {
    training[kKey].push_back(toJson(epoch));
  }
}

Expected<DropRateCourse> readDropRateCourse(const std::string& model_path) {
  const auto malformed = [&model_path](const std::string& reason) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: the course of the drop rates in its metadata cannot be read; "
                            "train the network again to see it",
                            model_path),
                reason);
  };
  const auto metadata = readArchiveMetadata(model_path);
  if (!metadata) {
    return metadata.error().code == ErrorCode::kNotFound ? failWith(metadata)
                                                         : malformed(metadata.error().message);
  }
  try {
    return metadata->empty() ? DropRateCourse() : courseIn(*metadata);
  } catch (const std::exception& exception) {
    return malformed(exception.what());
  }
}

}  // namespace dubito
