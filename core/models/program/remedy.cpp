// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/program/remedy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/in_quotes.h"

namespace dubito {
namespace {

struct Cause {
  std::array<std::string_view, 3> signs;  ///< any of them; empty ones are unused
  const char* remedy;
};

bool shows(const std::string& reason, const auto& signs) {
  return std::ranges::any_of(signs, [&reason](std::string_view sign) {
    return !sign.empty() && reason.find(sign) != std::string::npos;
  });
}

/// The first that fits counts.
constexpr std::array<Cause, 10> kCauses = {{
    {{"AssertionError", "ValueError", "TypeError"},
     "its own program refuses this input: write the input that it takes into the metadata "
     "(input_size, channels, scale, mean, std)"},
    {{"quantized::", "QuantizedCPU", "quantized"},
     "its program mixes quantised and ordinary tensors: quantise the input and dequantise the "
     "output inside the network (QuantStub, DeQuantStub), and export that"},
    {{"CUDA", "NVIDIA", "cuda"},
     "its program needs a GPU: script or trace it again after model.cpu(), with devices taken from "
     "the input (device=x.device)"},
    {{"scalar types: Long, Int", "type Long but", "to be Long"},
     "it takes whole numbers, like the words of a text, and items here are images or vectors of "
     "real numbers: convert them inside the network (x.long()), and export that"},
    {{"tensors used as indices must be", "only integer tensors", "must be an integer tensor"},
     "it uses its input as an index, and items here are images or vectors of real numbers: convert "
     "them inside the network (x.long()), and export that"},
    {{"index out of range in self", "", ""},
     "it uses its input as numbers of words or rows, which the synthetic items that examine it do "
     "not keep to: clamp them inside the network (x.long().clamp(0, N - 1)), and export that"},
    {{"not implemented for 'Half'", "not implemented for 'BFloat16'", "\"_cpu\" not implemented"},
     "the CPU lacks this operator in half precision: export the network in float32 "
     "(model.float())"},
    {{"same dtype", "expected scalar type", "Input type ("},
     "its program mixes number types: convert the input to that of the weights inside the network "
     "(x.to(self.layer.weight.dtype)), and export that"},
    {{"expected m1 and m2 to have the same dtype", "expected dtype", "found dtype"},
     "its program mixes number types: convert the input to that of the weights inside the network "
     "(x.to(self.layer.weight.dtype)), and export that"},
    {{"Expected more than 1 value per channel", "", ""},
     "it normalises by the statistics of a batch: export it after model.eval()"},
}};

/// The word after `mark` in a text, up to a separator; empty if there is none.
std::string wordAfter(const std::string& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) {
    return {};
  }
  const std::size_t begin = text.find_first_not_of(" '", at + mark.size());
  if (begin == std::string::npos) {
    return {};
  }
  std::string word = text.substr(begin, text.find_first_of(" '\n,()", begin) - begin);
  while (word.ends_with('.') || word.ends_with(':')) {
    word.pop_back();
  }
  return shownText(word, 80);
}

std::string whyOperatorIsMissing(const std::string& name) {
  if (name.starts_with("aten::") || name.starts_with("prim::")) {
    return fmt::format(
        "its program calls {}, which torch 2.11 does not have in this form; export it with torch "
        "2.11 or older",
        name);
  }
  const std::string library = name.substr(0, name.find("::"));
  return fmt::format(
      "its program calls {}, an operator of the library {}, which is not part of torch; export the "
      "network without it, for example only its part before that call",
      name, library);
}

}  // namespace

bool isAboutSizes(const std::string& reason) {
  constexpr std::array<std::string_view, 18> kSigns = {
      "shape",     "size",        "Size",           "channels", "dimension",      "Dimension",
      "dim ",      "must match",  "mat1 and mat2",  "expanded", "out of range",   "input[",
      "broadcast", "Expected 3D", "expected input", "elements", "number of rows", "unflatten"};
  return shows(reason, kSigns);
}

std::string remedyOfPass(const std::string& reason, const std::string& of_sizes,
                         const std::string& otherwise) {
  for (const Cause& cause : kCauses) {
    if (shows(reason, cause.signs)) {
      return cause.remedy;
    }
  }
  return isAboutSizes(reason) ? of_sizes : otherwise;
}

std::string whyNotLoaded(const std::string& text, const std::string& reason) {
  if (const std::string name = wordAfter(text, "Unknown builtin op:"); !name.empty()) {
    return whyOperatorIsMissing(name);
  }
  if (const std::string name = wordAfter(text, "__torch__.torch.classes."); !name.empty()) {
    return fmt::format(
        "its program uses the class {}, which a library outside torch brings; export the network "
        "without it",
        name);
  }
  if (text.find("maximum supported version") != std::string::npos) {
    return fmt::format("it was saved by a newer torch ({}); save it with torch 2.11 or older",
                       reason);
  }
  if (text.find("Arguments for call are not valid") != std::string::npos) {
    return fmt::format(
        "its program calls an operator in a form that torch 2.11 does not have ({}); export it "
        "with torch 2.11 or older",
        reason);
  }
  return fmt::format(
      "torch cannot load this archive ({}); check that torch.jit.load opens it in Python, and save "
      "it again if it does not",
      reason);
}

}  // namespace dubito
