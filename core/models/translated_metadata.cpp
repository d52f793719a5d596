// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/translated_metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include "core/base/in_quotes.h"
#include "core/base/json_text.h"
#include "core/base/lower_case.h"
#include "core/models/foreign_classes.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr std::array<const char*, 15> kKnownKeys = {
    "name",       "classes",  "output",        "output_key", "task",
    "input_size", "channels", "channel_order", "mean",       "std",
    "scale",      "resize",   "interpolation", "resize_to",  "training"};

/// Objects in which other programs nest what is of interest.
constexpr std::array<const char*, 9> kNestingKeys = {
    "pretrained_cfg", "default_cfg", "img_norm_cfg", "data_preprocessor", "data_config",
    "preprocessor",   "transforms",  "transform",    "normalize"};

constexpr std::array<const char*, 14> kClassKeys = {
    "class_names", "classnames",   "label_names", "labels",       "names",
    "vocab",       "categories",   "id2label",    "idx_to_class", "idx2label",
    "label2id",    "class_to_idx", "class2idx",   "CLASSES"};

class Translator {
 public:
  explicit Translator(const json& object) : found_(object) {
    for (const char* const key : kNestingKeys) {
      if (found_.contains(key) && found_[key].is_object()) {
        const json nested = found_[key];
        found_.erase(key);
        for (const auto& [name, value] : nested.items()) {
          if (!found_.contains(name)) {
            found_[name] = value;
          }
        }
      }
    }
    for (const char* const key : kKnownKeys) {
      if (found_.contains(key)) {
        result_.object[key] = found_[key];
        used_.insert(key);
      }
    }
  }

  TranslatedMetadata translate() {
    classes();
    channels();
    size();
    values();
    interpolation();
    for (const auto& [key, value] : found_.items()) {
      if (!used_.contains(key)) {
        result_.ignored.push_back(inQuotes(key));
      }
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool isSet(const char* key) const { return result_.object.contains(key); }

  /// The value of one of our keys, unless it is set.
  void set(const char* key, json value, const std::string& from) {
    if (!isSet(key)) {
      result_.object[key] = std::move(value);
      result_.translated.push_back(fmt::format("{} from {}", key, from));
    }
  }
  void ignore(const std::string& key, const std::string& reason) {
    used_.insert(key);
    result_.ignored.push_back(fmt::format("{} ({})", inQuotes(key), reason));
  }
  /// The value of a key of another program, which is thereby used; null if it is missing.
  const json& take(const std::string& key) {
    static const json kNone;
    if (!found_.contains(key)) {
      return kNone;
    }
    used_.insert(key);
    return found_[key];
  }

  void classes() {
    std::optional<std::vector<std::string>> names;
    std::string from = "classes";
    // A list of our own is checked by the reader, which has the better message.
    if (isSet("classes")) {
      if (!result_.object["classes"].is_object()) {
        names = classNamesFrom(result_.object["classes"]);
      } else if ((names = classNamesFrom(result_.object["classes"]))) {
        result_.object["classes"] = *names;
        result_.translated.emplace_back("classes from a dictionary");
      }
    }
    for (const char* const key : kClassKeys) {
      if (!found_.contains(key)) {
        continue;
      }
      const auto others = classNamesFrom(take(key));
      if (!others) {
        ignore(key, "it does not name classes 0 to K - 1");
      } else if (arePlaceholders(*others)) {
        ignore(key, "its names are placeholders");
      } else if (isSet("classes") && names && others != names) {
        result_.contradiction =
            fmt::format("'{}' and '{}' name the classes differently; keep one of them", from, key);
      } else if (!isSet("classes")) {
        names = others;
        from = key;
        set("classes", *others, key);
      }
    }
  }

  void channels() {
    for (const char* const key :
         {"in_chans", "in_channels", "num_channels", "n_channels", "input_channels"}) {
      const json& value = take(key);
      if (value == 1 || value == 3) {
        // input_size may name the channels, too.
        const bool is_in_size = isSet("input_size") && result_.object["input_size"].is_array() &&
                                result_.object["input_size"].size() == 3;
        if (!is_in_size) {
          set("channels", value, key);
        }
      } else if (!value.is_null()) {
        ignore(key, "only 1 and 3 are supported");
      }
    }
    if (const json& flips = take("do_flip_channel_order"); flips == true) {
      set("channel_order", "bgr", "do_flip_channel_order");
    }
    for (const char* const key : {"to_rgb", "bgr_to_rgb"}) {
      if (const json& value = take(key); value == true) {
        set("channel_order", "rgb", key);
      } else if (!value.is_null()) {
        ignore(key, "only true is clear");
      }
    }
    if (take("rgb_to_bgr") == true) {
      set("channel_order", "bgr", "rgb_to_bgr");
    }
    if (const json& space = take("input_space"); space == "RGB" || space == "BGR") {
      set("channel_order", space == "RGB" ? "rgb" : "bgr", "input_space");
    }
  }

  /// [height, width] from a number, a list of one or two numbers, or {height, width}; nothing else.
  static std::optional<std::array<std::int64_t, 2>> sides(const json& value) {
    const auto isSide = [](const json& side) {
      return side.is_number_integer() && side.get<double>() > 0;
    };
    if (isSide(value)) {
      return std::array{value.get<std::int64_t>(), value.get<std::int64_t>()};
    }
    if (value.is_array() && !value.empty() && value.size() <= 2 &&
        std::ranges::all_of(value, isSide)) {
      return std::array{value.front().get<std::int64_t>(), value.back().get<std::int64_t>()};
    }
    if (value.is_object() && value.size() == 2 && value.contains("height") &&
        value.contains("width") && isSide(value["height"]) && isSide(value["width"])) {
      return std::array{value["height"].get<std::int64_t>(), value["width"].get<std::int64_t>()};
    }
    return std::nullopt;
  }

  /// The shorter side before a crop, from a number or {shortest_edge}.
  static std::optional<std::int64_t> shorterSide(const json& value) {
    const json& side = value.is_object() && value.contains("shortest_edge") ? value["shortest_edge"]
                       : value.is_array() && value.size() == 1              ? value[0]
                                                                            : value;
    return side.is_number_integer() && side.get<double>() > 0
               ? std::optional(side.get<std::int64_t>())
               : std::nullopt;
  }

  void setCrop(std::array<std::int64_t, 2> crop, std::int64_t shorter, const std::string& from) {
    set("input_size", crop, from);
    if (!isSet("resize")) {
      set("resize", "shorter-side", from);
      set("resize_to", shorter, from);
    }
  }

  void size() {
    const bool has_own_resize = isSet("resize") || isSet("resize_to");
    cropOfHuggingFace();
    cropOfTorchvision();
    for (const char* const key :
         {"img_size", "image_size", "imgsz", "input_shape", "image_shape"}) {
      if (const json& value = take(key); !value.is_null()) {
        const auto shape = sides(value);
        if (shape) {
          set("input_size", *shape, key);
        } else if (value.is_array() && value.size() == 3 && (value[0] == 1 || value[0] == 3)) {
          set("input_size", value, key);
        } else {
          ignore(key, "it is not [height, width] or [channels, height, width]");
        }
      }
    }
    if (!has_own_resize && !used_.contains("crop_pct")) {
      cropOfTimm();
    }
  }

  /// size, do_center_crop and crop_size of a preprocessor configuration.
  void cropOfHuggingFace() {
    const bool crops = take("do_center_crop") == true;
    if (found_.contains("do_center_crop") && !crops) {
      take("crop_size");  // written all the same
    }
    if (take("do_resize") == false) {
      ignore("do_resize", "images are resized if input_size is stated");
    }
    const json size = take("size");
    const auto crop = crops ? sides(take("crop_size")) : std::nullopt;
    const auto shorter = shorterSide(size);
    const auto exact = sides(size);
    const bool crops_a_share = !found_.contains("do_center_crop") && found_.contains("crop_pct");
    if (crops_a_share && shorter) {
      cropOfConvNext(*shorter, take("crop_pct"));
    } else if (crop && shorter) {
      setCrop(*crop, *shorter, "size and crop_size");
    } else if (crop && exact && *exact == *crop) {
      set("input_size", *exact, "size");
    } else if (!crops && exact) {
      set("input_size", *exact, "size");
    } else if (!size.is_null()) {
      ignore("size", "how it is cropped is not clear");
    }
  }

  /// The processor of ConvNeXt: images up to 384 are the centre of ones that are 1 / crop_pct as
  /// large, larger ones are not cropped.
  void cropOfConvNext(std::int64_t side, const json& share) {
    constexpr std::int64_t kUncropped = 384;
    const double kept = share.is_number() ? share.get<double>() : 0.0;
    if (side < kUncropped && kept > 0.0 && kept <= 1.0) {
      setCrop({side, side}, static_cast<std::int64_t>(static_cast<double>(side) / kept),
              "size and crop_pct");
    } else {
      set("input_size", std::array{side, side}, "size");
    }
  }

  /// crop_size and resize_size of a preset.
  void cropOfTorchvision() {
    const json& resized = found_.contains("resize_size") ? take("resize_size") : json();
    const auto crop = sides(
        found_.contains("crop_size") && !used_.contains("crop_size") ? take("crop_size") : json());
    const auto shorter = shorterSide(resized);
    if (crop && shorter) {
      setCrop(*crop, *shorter, "crop_size and resize_size");
    } else if (crop) {
      set("input_size", *crop, "crop_size");
    }
  }

  /// crop_pct: the shorter side is resized to input_size / crop_pct, then the centre is taken.
  void cropOfTimm() {
    const json& share = take("crop_pct");
    const json mode = take("crop_mode");
    if (!mode.is_null() && mode != "center") {
      ignore("crop_mode", fmt::format("{} is not supported", jsonExcerpt(mode)));
    }
    if (share.is_null()) {
      return;
    }
    const json& size = result_.object.value("input_size", json());
    const bool is_square = size.is_array() && size.size() >= 2 && size.back().is_number_integer() &&
                           size.back() == size[size.size() - 2];
    const double kept = share.is_number() ? share.get<double>() : 0.0;
    if (!is_square || kept <= 0.0 || kept > 1.0) {
      ignore("crop_pct", "it needs a square input_size and a share up to 1");
      return;
    }
    set("resize", "shorter-side", "crop_pct");
    set("resize_to", static_cast<std::int64_t>(std::floor(size.back().get<double>() / kept)),
        "crop_pct");
  }

  void values() {
    const bool normalises = take("do_normalize") != false;
    for (const auto& [key, ours] : {std::pair{"image_mean", "mean"}, std::pair{"image_std", "std"},
                                    std::pair{"pixel_mean", "mean"}, std::pair{"pixel_std", "std"},
                                    std::pair{"norm_mean", "mean"}, std::pair{"norm_std", "std"}}) {
      const json& value = take(key);
      if (!value.is_null() && normalises) {
        set(ours, value, key);
      } else if (!value.is_null()) {
        ignore(key, "do_normalize is false");
      }
    }
    const bool rescales = take("do_rescale") != false;
    const json& factor = take("rescale_factor");
    if (!rescales) {
      set("scale", 1.0, "do_rescale");
    } else if (factor.is_number()) {
      set("scale", factor, "rescale_factor");
    }
  }

  void interpolation() {
    std::string key = "interpolation";
    json value = result_.object.value(key, json());
    if (value.is_null()) {
      key = "resample";
      value = take(key);
    }
    if (value.is_null()) {
      return;
    }
    // PIL numbers its filters; torchvision writes InterpolationMode.BILINEAR.
    std::string name = value == 0          ? "nearest"
                       : value == 2        ? "bilinear"
                       : value == 3        ? "bicubic"
                       : value.is_string() ? value.get<std::string>()
                                           : "";
    constexpr std::string_view kEnum = "InterpolationMode.";
    name = lowerCase(name.starts_with(kEnum) ? name.substr(kEnum.size()) : name);
    const bool known = name == "bilinear" || name == "bicubic" || name == "nearest";
    if (known && value != json(name)) {
      result_.object.erase("interpolation");
      set("interpolation", name, fmt::format("{} {}", key, jsonExcerpt(value)));
    } else if (!known && (key == "resample" || name == "lanczos" || name == "box" ||
                          name == "hamming" || name == "random")) {
      result_.object.erase("interpolation");
      ignore(key, fmt::format("{} is not supported, bilinear is used", jsonExcerpt(value)));
    }
  }

  json found_;
  std::set<std::string> used_;
  TranslatedMetadata result_{json::object(), {}, {}, {}};
};

}  // namespace

bool isMetadataKey(const std::string& key) {
  return std::ranges::find(kKnownKeys, key) != kKnownKeys.end();
}

TranslatedMetadata translateMetadata(const json& object) {
  return Translator(object).translate();
}

}  // namespace dubito
