// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/data/images/preprocessing.h"

#include "core/base/json_text.h"

namespace dubito {
namespace {

using Json = nlohmann::json;

tl::unexpected<Error> wrongType(const std::string& key, const Json& value,
                                const std::string& wanted) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("preprocessing: {} is {}; it must be {}",
                                                       key, jsonExcerpt(value), wanted));
}

bool isWholeNumber(const Json& value) {
  return value.is_number_integer() || value.is_number_unsigned();
}

Status readNumber(const Json& object, const char* key, std::int64_t& target) {
  const auto found = object.find(key);
  if (found == object.end()) {
    return {};
  }
  if (!isWholeNumber(*found)) {
    return wrongType(key, *found, "a whole number");
  }
  target = found->get<std::int64_t>();
  return {};
}

Status readText(const Json& object, const char* key, std::string& target) {
  const auto found = object.find(key);
  if (found == object.end()) {
    return {};
  }
  if (!found->is_string()) {
    return wrongType(key, *found, "a string");
  }
  target = found->get<std::string>();
  return {};
}

Status readReals(const Json& object, const char* key, std::vector<double>& target) {
  const auto found = object.find(key);
  if (found == object.end()) {
    return {};
  }
  const Json list = found->is_array() ? *found : Json::array({*found});
  std::vector<double> values;
  for (const Json& value : list) {
    if (!value.is_number()) {
      return wrongType(key, *found, "a number or a list of numbers");
    }
    values.push_back(value.get<double>());
  }
  target = std::move(values);
  return {};
}

Status readScale(const Json& object, double& scale) {
  const auto found = object.find("scale");
  if (found == object.end()) {
    return {};
  }
  if (!found->is_number()) {
    return wrongType("scale", *found, "a number, such as 0.00392156862745098 for 1/255");
  }
  scale = found->get<double>();
  return {};
}

Status readInputSize(const Json& object, Preprocessing& preprocessing) {
  const auto found = object.find("input_size");
  if (found == object.end()) {
    return {};
  }
  const Json list = found->is_array() ? *found : Json::array({*found, *found});
  bool understood = !list.empty() && list.size() <= 3;
  for (const Json& value : list) {
    understood = understood && isWholeNumber(value) && value.get<std::int64_t>() > 0;
  }
  if (!understood) {
    return wrongType("input_size", *found,
                     "a number, [height, width], [channels, height, width] or [length] of a "
                     "vector, all above 0");
  }
  if (list.size() == 1) {
    preprocessing.length = list[0].get<std::int64_t>();
    if (!object.contains("scale")) {
      preprocessing.scale = 1.0;  // values of vectors are not bytes
    }
    return {};
  }
  preprocessing.height = list[list.size() - 2].get<std::int64_t>();
  preprocessing.width = list[list.size() - 1].get<std::int64_t>();
  if (list.size() == 3) {
    const auto channels = list[0].get<std::int64_t>();
    if (preprocessing.channels != 0 && preprocessing.channels != channels) {
      return wrongType(
          "input_size", *found,
          fmt::format("consistent with channels, which is {}", preprocessing.channels));
    }
    preprocessing.channels = channels;
  }
  return {};
}

}  // namespace

Json toJson(const Preprocessing& preprocessing) {
  Json object{{"channels", preprocessing.channels}, {"channel_order", preprocessing.channel_order},
              {"scale", preprocessing.scale},       {"mean", preprocessing.mean},
              {"std", preprocessing.std},           {"interpolation", preprocessing.interpolation},
              {"resize", preprocessing.resize},     {"resize_to", preprocessing.resize_to}};
  if (preprocessing.height > 0) {
    object["input_size"] = {preprocessing.height, preprocessing.width};
  }
  if (preprocessing.length > 0) {
    object["input_size"] = Json::array({preprocessing.length});
  }
  return object;
}

Expected<Preprocessing> preprocessingFromJson(const Json& object) {
  if (!object.is_object()) {
    return wrongType("the metadata", object, "an object, {\"input_size\": 28, ...}");
  }
  Preprocessing preprocessing;
  Status status = readNumber(object, "channels", preprocessing.channels);
  const auto then = [&status](auto&& step) {
    if (status) {
      status = step();
    }
  };
  then([&] { return readInputSize(object, preprocessing); });
  then([&] { return readText(object, "channel_order", preprocessing.channel_order); });
  then([&] { return readText(object, "interpolation", preprocessing.interpolation); });
  then([&] { return readText(object, "resize", preprocessing.resize); });
  then([&] { return readNumber(object, "resize_to", preprocessing.resize_to); });
  then([&] { return readScale(object, preprocessing.scale); });
  then([&] { return readReals(object, "mean", preprocessing.mean); });
  then([&] { return readReals(object, "std", preprocessing.std); });
  then([&] { return preprocessing.check(); });
  if (!status) {
    return failWith(status);
  }
  return preprocessing;
}

}  // namespace dubito
