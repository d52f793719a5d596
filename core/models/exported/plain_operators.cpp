// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/exported/plain_operators.h"

#include <algorithm>
#include <array>

namespace dubito {
namespace {

using Renamed = std::pair<std::string_view, std::string_view>;
using Flag = std::pair<std::string_view, bool>;

constexpr std::array<Flag, 2> kInferenceNorm = {{{"training", false}, {"cudnn_enabled", false}}};
constexpr std::array<Flag, 1> kNoCudnn = {{{"cudnn_enabled", false}}};
constexpr std::array<Flag, 1> kNoCudnnLayer = {{{"cudnn_enable", false}}};
constexpr std::array<Flag, 1> kNoCopy = {{{"copy", false}}};
constexpr std::array<Renamed, 1> kGroups = {{{"num_groups", "group"}}};
constexpr std::array<Renamed, 1> kShape = {{{"shape", "size"}}};
constexpr std::array<Renamed, 1> kMask = {{{"attn_mask", "attn_bias"}}};

constexpr std::array<PlainOperator, 27> kPlainOperators = {{
    {"aten::_native_batch_norm_legit_no_training", "aten::batch_norm", "", {}, kInferenceNorm},
    {"aten::_batch_norm_no_update", "aten::batch_norm", "", {}, kInferenceNorm},
    {"aten::_native_batch_norm_legit", "aten::batch_norm", "", {}, kNoCudnn},
    {"aten::_native_batch_norm_legit_functional", "aten::batch_norm", "", {}, kNoCudnn},
    {"aten::native_batch_norm", "aten::batch_norm", "", {}, kNoCudnn},
    {"aten::native_layer_norm", "aten::layer_norm", "", {}, kNoCudnnLayer},
    {"aten::native_group_norm", "aten::group_norm", "", kGroups, kNoCudnn},
    {"aten::native_dropout", "aten::dropout", "", {}, {}},
    {"aten::_softmax", "aten::softmax", "int", {}, {}},
    {"aten::_safe_softmax", "aten::softmax", "int", {}, {}},
    {"aten::_log_softmax", "aten::log_softmax", "int", {}, {}},
    {"aten::_to_copy", "aten::to", "dtype_layout", {}, kNoCopy},
    {"aten::max_pool2d_with_indices", "aten::max_pool2d", "", {}, {}},
    {"aten::max_pool3d_with_indices", "aten::max_pool3d", "", {}, {}},
    {"aten::_adaptive_avg_pool2d", "aten::adaptive_avg_pool2d", "", {}, {}},
    {"aten::_adaptive_avg_pool3d", "aten::adaptive_avg_pool3d", "", {}, {}},
    {"aten::_unsafe_index", "aten::index", "Tensor", {}, {}},
    {"aten::_unsafe_index_put", "aten::index_put", "", {}, {}},
    {"aten::_unsafe_view", "aten::reshape", "", kShape, {}},
    {"aten::lift_fresh_copy", "aten::clone", "", {}, {}},
    {"aten::lift_fresh", "aten::alias", "", {}, {}},
    {"aten::detach_", "aten::detach", "", {}, {}},
    {"aten::_local_scalar_dense", "aten::item", "", {}, {}},
    {"aten::_scaled_dot_product_flash_attention", "aten::scaled_dot_product_attention", "", {}, {}},
    {"aten::_scaled_dot_product_flash_attention_for_cpu",
     "aten::scaled_dot_product_attention",
     "",
     {},
     {}},
    {"aten::_scaled_dot_product_efficient_attention",
     "aten::scaled_dot_product_attention",
     "",
     kMask,
     {}},
    {"aten::_scaled_dot_product_attention_math", "aten::scaled_dot_product_attention", "", {}, {}},
}};

}  // namespace

const PlainOperator* plainOperator(std::string_view exported) {
  const auto* const found = std::ranges::find(kPlainOperators, exported, &PlainOperator::exported);
  return found == kPlainOperators.end() ? nullptr : found;
}

bool isAssertion(std::string_view name) {
  return name.starts_with("aten::_assert") || name.starts_with("aten::sym_constrain_range") ||
         name.starts_with("aten::_functional_assert") ||
         name.starts_with("aten::_functional_sym_constrain_range") || name == "aten::_debug_assert";
}

}  // namespace dubito
