// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/base/array.h"
#include "core/io/run.h"
#include "core/io/run_axes.h"

namespace dubito {

/// The values that an array may contain. checkRunContents rejects others.
enum class RunValues : std::uint8_t {
  kAny,
  kUnique,
  kClass,          ///< a class number
  kClassOrNone,    ///< a class number, or -1
  kConfidence,     ///< in [0, 1]; NaN in runs of labels without probabilities
  kNotNegative,    ///< >= 0
  kLogShare,       ///< <= 0, may be -infinity
  kDifference,     ///< in [0, 1], or NaN if not computed
  kFinite,         ///< finite
  kVariance,       ///< finite, >= 0
  kConcentration,  ///< finite, > 0
  kDistribution,   ///< rows that sum to 1
};

/// One kind of array of a run.
struct RunArrayInfo {
  const char* key;  ///< its name in a run file
  RunAxes axes;
  RunValues values = RunValues::kAny;
  /// Key of the array that is present if, and only if, this one is; or null.
  const char* partner = nullptr;
  /// One of its values, in messages: "the label"; null: the key.
  const char* value_name = nullptr;
};

/// An array of a run and the member that holds it.
template <class Member>
struct RunArray {
  RunArrayInfo info;
  Member Run::*member;
};
template <class Member>
RunArray(RunArrayInfo, Member Run::*) -> RunArray<Member>;

/// All arrays of a run, in the order of a run file. Whatever copies, slices, merges, checks, reads
/// or writes a run goes through this list, so a new array is a member of Run and an entry here.
inline constexpr std::tuple kRunArrays{
    RunArray{{"probs", kPerClass, RunValues::kDistribution}, &Run::probs},
    RunArray{{"labels", kPerItem, RunValues::kClassOrNone, nullptr, "the label"}, &Run::labels},
    RunArray{{"ids", kPerItem, RunValues::kUnique}, &Run::ids},
    RunArray{{"predictions", kPerItem, RunValues::kClass, nullptr, "the prediction"},
             &Run::predictions},
    RunArray{{"confidence", kPerItem, RunValues::kConfidence, nullptr, "the confidence"},
             &Run::confidence},
    RunArray{{"log_rest", kPerItem, RunValues::kLogShare}, &Run::log_rest},
    RunArray{{"entropy", kPerItem, RunValues::kNotNegative}, &Run::entropy},
    RunArray{{"expected_entropy", kPerItem, RunValues::kNotNegative}, &Run::expected_entropy},
    RunArray{{"mutual_information", kPerItem, RunValues::kNotNegative}, &Run::mutual_information},
    RunArray{{"variation_ratio", kPerItem, RunValues::kNotNegative}, &Run::variation_ratio},
    RunArray{{"variance", kPerItem, RunValues::kNotNegative}, &Run::variance},
    RunArray{{"logits", kPerClass}, &Run::logits},
    RunArray{{"samples", kPerDraw, RunValues::kDistribution}, &Run::samples},
    RunArray{{"logit_mean", kPerClass, RunValues::kFinite, "logit_var"}, &Run::logit_mean},
    RunArray{{"logit_var", kPerClass, RunValues::kVariance, "logit_mean"}, &Run::logit_var},
    RunArray{{"alpha", kPerClass, RunValues::kConcentration}, &Run::alpha},
    RunArray{{"gauge_bridge", kPerItem, RunValues::kDifference, "gauge_probit"},
             &Run::gauge_bridge},
    RunArray{{"gauge_probit", kPerItem, RunValues::kDifference, "gauge_bridge"},
             &Run::gauge_probit},
    RunArray{{"gauge_divergence", kPerItem}, &Run::gauge_divergence},
};

namespace run_schema_detail {

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVariant : std::false_type {};
template <class... T>
struct IsVariant<std::variant<T...>> : std::true_type {};

/// Calls use(array) with the typed Array in `value`, an array or one of several types.
template <class Value, class Use>
void withTyped(Value& value, const Use& use) {
  if constexpr (IsVariant<std::remove_cv_t<Value>>::value) {
    std::visit(use, value);
  } else {
    use(value);
  }
}

}  // namespace run_schema_detail

/// Calls use(array) for every RunArray, present in a run or not.
template <class Use>
constexpr void forEachRunArray(const Use& use) {
  std::apply([&use](const auto&... array) { (use(array), ...); }, kRunArrays);
}

/// Calls use(info, values) for every array that `run` contains, those of other programs last, where
/// `values` is an Array of any element type.
template <class AnyRun, class Use>
void forEachArrayOf(AnyRun& run, const Use& use) {
  forEachRunArray([&](const auto& array) {
    auto& member = run.*array.member;
    const auto with_info = [&](auto& values) { use(array.info, values); };
    if constexpr (run_schema_detail::IsOptional<std::remove_cvref_t<decltype(member)>>::value) {
      if (member) {
        run_schema_detail::withTyped(*member, with_info);
      }
    } else {
      run_schema_detail::withTyped(member, with_info);
    }
  });
  for (auto& other : run.others) {
    const RunArrayInfo info{other.key.c_str(), other.axes};
    std::visit([&](auto& values) { use(info, values); }, other.values);
  }
}

}  // namespace dubito
