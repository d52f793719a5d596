// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/labs/sampling/markov_chain.h"
#include "core/labs/sampling/sampler_targets.h"

namespace dubito {

struct SamplerLabOptions;

/// A sampler of the sampler laboratory, for lists, options and presets.
struct LabSamplerInfo {
  const char* key = nullptr;          ///< SamplerLabOptions::sampler
  const char* name = nullptr;         ///< "Hamiltonian Monte Carlo"
  const char* short_name = nullptr;   ///< "HMC"
  const char* explanation = nullptr;  ///< one or two sentences for a student
  /// Why its transitions have no energy along a trajectory, one sentence; nullptr: they have one.
  const char* no_energy = nullptr;
  bool has_leapfrog_steps = false;     ///< whether SamplerLabOptions::leapfrog_steps has an effect
  bool has_target_acceptance = false;  ///< whether target_acceptance has an effect
  bool has_tree_depth = false;         ///< whether Transition::tree_depth is known
  bool has_acceptance = true;          ///< false: nothing is ever rejected, and nothing is adapted
  /// A chain from `start` [2].
  std::unique_ptr<MarkovChain> (*make)(const SamplerLabOptions& options,
                                       const SamplerTarget& target, std::vector<double> start,
                                       std::uint64_t seed, std::uint64_t chain) = nullptr;
};

/// All samplers of the laboratory, in the order of lists.
[[nodiscard]] const std::vector<LabSamplerInfo>& labSamplers();
/// nullptr if there is no such sampler.
[[nodiscard]] const LabSamplerInfo* findLabSampler(std::string_view key);

}  // namespace dubito
