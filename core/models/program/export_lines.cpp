// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/program/export_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/base/json_text.h"

namespace dubito {
namespace {

/// How to come from what is held to a network. In `lines`, {held} is the path of what is held as a
/// Python string and {held_in_shell} as a word of a shell, {net} the name of the new file without
/// its ending, {export} the lines that write `model`, {export_with_metadata} those that write it
/// from `x` and `metadata`.
struct Way {
  HeldNetwork held;
  std::string_view remedy;  ///< the end of the message
  std::string_view lines;
};

constexpr std::array<Way, 9> kWays = {{
    {HeldNetwork::kStateDict, "load them into the network and export it with torch.export.save",
     R"(import torch
model = MyNetwork()  # your class, with its arguments
model.load_state_dict(torch.load({held}, map_location="cpu"))
{export})"},
    {HeldNetwork::kPickledModule,
     "load it where its classes are, and export it with torch.export.save",
     R"(import torch
# Loading a pickle runs what is in it: only if you trust where the file is from.
model = torch.load({held}, map_location="cpu", weights_only=False)
{export})"},
    {HeldNetwork::kSafetensors, "load them into the network and export it with torch.export.save",
     R"(import torch
from safetensors.torch import load_model
model = MyNetwork()  # your class, with its arguments
load_model(model, {held})
{export})"},
    {HeldNetwork::kHuggingFace, "load it with from_pretrained and export it with torch.export.save",
     R"(import json, torch
from transformers import AutoImageProcessor, AutoModelForImageClassification
model = AutoModelForImageClassification.from_pretrained({held})
metadata = json.loads(AutoImageProcessor.from_pretrained({held}).to_json_string())
metadata["id2label"] = model.config.id2label
side = getattr(model.config, "image_size", 224)
x = torch.rand(2, 3, side, side)
{export_with_metadata})"},
    {HeldNetwork::kTimm, "load it with timm.create_model and export it with torch.export.save",
     R"(import json, timm, torch
model = timm.create_model("local-dir:" + {held}, pretrained=True)
metadata = timm.data.resolve_model_data_config(model)
metadata["label_names"] = model.pretrained_cfg.get("label_names")
x = torch.rand(2, *metadata["input_size"])
{export_with_metadata})"},
    {HeldNetwork::kKeras, "export it as ONNX with Keras",
     R"(import keras
keras.saving.load_model({held}).export("{net}.onnx", format="onnx")
)"},
    {HeldNetwork::kTensorFlow, "convert it to ONNX with tf2onnx",
     "python -m tf2onnx.convert --saved-model {held_in_shell} --output {net}.onnx\n"},
    {HeldNetwork::kTensorFlowLite, "convert it to ONNX with tf2onnx",
     "python -m tf2onnx.convert --tflite {held_in_shell} --output {net}.onnx\n"},
    {HeldNetwork::kWithoutItsSource,
     "export the network that it was made from with torch.export.save",
     R"(import torch
model = MyNetwork()  # the network with its weights, before it was converted
{export})"},
}};

const Way& wayFrom(HeldNetwork held) {
  return *std::ranges::find(kWays, held, &Way::held);
}

/// A word of a shell. Control characters, which a terminal would obey when they are pasted, become
/// question marks.
std::string inShell(const std::string& text) {
  std::string word = "'";
  for (const char c : shownText(text, text.size())) {
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return word + "'";
}

/// The name of the new file: letters, digits, and what is as harmless.
std::string nameWithoutEnding(const std::string& path) {
  std::string name = std::filesystem::path(path).lexically_normal().stem().string();
  std::ranges::replace_if(
      name,
      [](unsigned char c) {
        return !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') &&
               c != '-' && c != '.';
      },
      '_');
  return name.empty() || name.starts_with('-') || name.starts_with('.') ? "net" : name;
}

}  // namespace

std::string exportLines(HeldNetwork held, const std::string& path) {
  constexpr const char* kExample =
      "x = torch.rand(2, 3, 224, 224)  # two or more items as the network takes them\n";
  constexpr const char* kProgram =
      "program = torch.export.export(model.eval(), (x,), dynamic_shapes=({0: "
      "torch.export.Dim.DYNAMIC},))\n";
  const std::string net = nameWithoutEnding(path);
  const auto save = [&net](const char* more) {
    return fmt::format("torch.export.save(program, \"{}.pt2\"{})\n", net, more);
  };
  // A JSON string without escaped characters beyond ASCII is a Python string, too.
  return fmt::format(
      fmt::runtime(wayFrom(held).lines), fmt::arg("held", jsonText(path, -1)),
      fmt::arg("held_in_shell", inShell(path)), fmt::arg("net", net),
      fmt::arg("export", std::string(kExample) + kProgram + save("")),
      fmt::arg("export_with_metadata",
               kProgram + save(", extra_files={\"metadata.json\": json.dumps(metadata)}")));
}

tl::unexpected<Error> refuseHeld(const std::string& path, const std::string& what, HeldNetwork held,
                                 const std::string& details) {
  Error error{.code = ErrorCode::kUnsupported,
              .message = fmt::format("{}: {}; {}", path, what, wayFrom(held).remedy),
              .context = details};
  error.remedy.lines = exportLines(held, path);
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace dubito
