// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/preprocessing_edit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace dubito {
namespace {

constexpr double kMaxSide = 32768;
constexpr const char* kAutomatic = "automatic";

std::string trimmed(std::string_view text) {
  constexpr const char* kSpace = " \t\n\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  return first == std::string_view::npos
             ? std::string()
             : std::string(text.substr(first, text.find_last_not_of(kSpace) - first + 1));
}

std::optional<double> plainNumber(std::string_view text) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)
             ? std::nullopt
             : std::optional(number);
}

/// "0.5", "1e-3" or "1/255".
std::optional<double> numberOf(const std::string& part) {
  const std::size_t slash = part.find('/');
  if (slash == std::string::npos) {
    return plainNumber(part);
  }
  const auto above = plainNumber(trimmed(std::string_view(part).substr(0, slash)));
  const auto below = plainNumber(trimmed(std::string_view(part).substr(slash + 1)));
  return above && below && *below != 0.0 ? std::optional(*above / *below) : std::nullopt;
}

Expected<std::vector<double>> numbersOf(const std::string& label, const std::string& text) {
  std::vector<double> numbers;
  std::string rest = text;
  for (char& letter : rest) {
    letter = letter == ';' || letter == '[' || letter == ']' ? ',' : letter;
  }
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string part = trimmed(rest.substr(0, comma));
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    if (part.empty()) {
      continue;
    }
    const auto number = numberOf(part);
    if (!number) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: '{}' is not a number; write numbers such as 0.5 or 1/255, "
                              "separated by commas",
                              label, part));
    }
    numbers.push_back(*number);
  }
  return numbers;
}

std::string scaleText(double scale) {
  const double divisor = 1.0 / scale;
  const double whole = std::round(divisor);
  return whole > 1.0 && whole < 1e6 && 1.0 / whole == scale ? fmt::format("1/{:.0f}", whole)
                                                            : fmt::format("{}", scale);
}

}  // namespace

PreprocessingEdit PreprocessingEdit::of(const Model& model) {
  const ModelMetadata& metadata = model.metadata();
  const Preprocessing& preprocessing = metadata.preprocessing;
  PreprocessingEdit edit;
  edit.height = preprocessing.height;
  edit.width = preprocessing.width;
  edit.length = preprocessing.length;
  edit.resize = preprocessing.resize;
  edit.resize_to = preprocessing.resize_to;
  edit.interpolation = preprocessing.interpolation;
  edit.channels = preprocessing.channels == 1   ? "grey"
                  : preprocessing.channels == 3 ? "colour"
                                                : "as stored";
  edit.channel_order = preprocessing.channel_order;
  edit.scale = scaleText(preprocessing.scale);
  edit.mean = fmt::format("{}", fmt::join(preprocessing.mean, ", "));
  edit.std = fmt::format("{}", fmt::join(preprocessing.std, ", "));
  edit.output = !metadata.output_declared                       ? kAutomatic
                : metadata.output == OutputKind::kProbabilities ? "probabilities"
                                                                : "logits";
  if (model.audit().outputs.size() > 1) {
    edit.outputs = outputOptions(model.audit());
  }
  for (std::size_t i = 0; i < edit.outputs.size() && !metadata.output_key.empty(); ++i) {
    if (model.audit().outputs[i].used) {
      edit.output_tensor = describeOption(i, edit.outputs[i]);
    }
  }
  edit.name = metadata.name;
  edit.classes = metadata.class_names;
  return edit;
}

std::vector<Field> PreprocessingEdit::fields() {
  std::vector<Field> fields = {
      {{.name = "scale",
        .label = "Scale",
        .help = "factor applied to stored values; 8-bit images are stored as 0 to 255"},
       &scale},
      {{.name = "mean",
        .label = "Mean",
        .help = "subtracted after scaling: one number, or one per channel"},
       &mean},
      {{.name = "std",
        .label = "Std",
        .help = "divisor after the mean is subtracted: one number, or one per channel"},
       &std},
      {{.name = "height",
        .label = "Height",
        .help = "height of the network's input; 0: as stored",
        .unit = "px",
        .min = 0,
        .max = kMaxSide},
       &height},
      {{.name = "width",
        .label = "Width",
        .help = "width of the network's input; 0: as stored",
        .unit = "px",
        .min = 0,
        .max = kMaxSide},
       &width},
      {{.name = "resize",
        .label = "Resize",
        .help = "exact: to height x width, ignoring the aspect ratio; shorter-side: resize the "
                "shorter side, then crop the centre",
        .choices = {"exact", "shorter-side"}},
       &resize},
      {{.name = "resize_to",
        .label = "Shorter side",
        .help = "size of the shorter side before the crop; 0: same as the crop",
        .unit = "px",
        .min = 0,
        .max = kMaxSide,
        .unmet_requirement = oneUnless(resize != "exact", {neededWords("Resize: shorter-side")})},
       &resize_to},
      {{.name = "interpolation",
        .label = "Interpolation",
        .help = "resampling method; bilinear and bicubic are antialiased",
        .choices = {"bilinear", "bicubic", "nearest"}},
       &interpolation},
      {{.name = "channels",
        .label = "Channels",
        .help = "channels of the network's input",
        .choices = {"as stored", "grey", "colour"}},
       &channels},
      {{.name = "channel_order",
        .label = "Channel order",
        .help = "channel order of the network's input; OpenCV models often expect bgr",
        .choices = {"rgb", "bgr"},
        .unmet_requirement = oneUnless(channels != "grey", {neededWords("Channels: colour")})},
       &channel_order},
      {{.name = "output",
        .label = "Output",
        .help = "type of the network's output; automatic: detected by running it",
        .choices = {kAutomatic, "logits", "probabilities"}},
       &output},
      {{.name = "name", .label = "Model name", .help = "name in lists and reports"}, &name},
  };
  if (!outputs.empty()) {
    std::vector<std::string> choices = {kAutomatic};
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      choices.push_back(describeOption(i, outputs[i]));
    }
    fields.push_back({{.name = "output_tensor",
                       .label = "Class scores",
                       .help = "returned tensor with the class scores; automatic: the only "
                               "suitable one",
                       .choices = std::move(choices)},
                      &output_tensor});
  }
  return fields;
}

Expected<Preprocessing> PreprocessingEdit::preprocessing() const {
  Preprocessing result;
  result.height = height;
  result.width = width;
  result.length = height == 0 && width == 0 ? length : 0;
  result.resize = resize;
  result.resize_to = resize == "exact" ? 0 : resize_to;
  result.interpolation = interpolation;
  result.channels = channels == "grey" ? 1 : channels == "colour" ? 3 : 0;
  result.channel_order = channel_order;
  const auto scales = numbersOf("Scale", scale);
  if (!scales) {
    return failWith(scales);
  }
  if (scales->size() != 1) {
    return fail(ErrorCode::kInvalidArgument,
                "Scale: exactly one number is required, for example 1/255");
  }
  result.scale = scales->front();
  auto means = numbersOf("Mean", mean);
  auto deviations = numbersOf("Std", std);
  if (!means || !deviations) {
    return failWith(means ? deviations : means);
  }
  result.mean = *std::move(means);
  result.std = *std::move(deviations);
  if (const Status checked = result.check(); !checked) {
    return failWith(checked);
  }
  return result;
}

Expected<ModelMetadata> PreprocessingEdit::metadata(const ModelMetadata& before) const {
  const auto edited = preprocessing();
  if (!edited) {
    return failWith(edited);
  }
  ModelMetadata metadata = before;
  metadata.preprocessing = *edited;
  metadata.output_declared = output != kAutomatic;
  metadata.output = output == "probabilities" ? OutputKind::kProbabilities : OutputKind::kLogits;
  metadata.output_key.clear();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (output_tensor == describeOption(i, outputs[i])) {
      metadata.output_key = outputs[i].name;
    }
  }
  metadata.name = trimmed(name);
  metadata.class_names.clear();
  for (const std::string& text : classes) {
    if (std::string class_name = trimmed(text); !class_name.empty()) {
      metadata.class_names.push_back(std::move(class_name));
    }
  }
  return metadata;
}

const std::vector<ValuePreset>& valuePresets() {
  static const std::vector<ValuePreset> presets{
      {"ImageNet", "1/255", "0.485, 0.456, 0.406", "0.229, 0.224, 0.225"},
      {"MNIST (0.1307, 0.3081)", "1/255", "0.1307", "0.3081"},
      {"0 to 1", "1/255", "", ""},
      {"−1 to 1", "1/255", "0.5", "0.5"},
      {"0 to 255 (as stored)", "1", "", ""}};
  return presets;
}

}  // namespace dubito
