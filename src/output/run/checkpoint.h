// Checkpoints: the state, exactly. A run resumed from one continues bit for bit.
//
// checkpoints/step_NNNNNNNN.ckpt, little-endian: "MARROWCK", version, the scene's fingerprint, step, time,
// contact stiffness, three counts (nodes, vectors, numbers of the joints), positions, velocities, with BDF2
// those of the step before, what joints remember, meshes that changed, and a checksum of all that. The last
// two are kept, so that a damaged one is no loss.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/model.h"

namespace marrow {

void write_checkpoint(const std::string& folder, const State& state, std::uint64_t fingerprint);

// The checkpoint files of a folder, newest first.
std::vector<std::string> list_checkpoints(const std::string& folder);

// The newest whole checkpoint of the folder; empty if there is none. Throws InputError if it belongs to
// another scene.
std::optional<State> read_newest_checkpoint(const std::string& folder, std::uint64_t fingerprint);

// The bytes of a checkpoint and back; parse throws InputError on damage.
std::string format_checkpoint(const State& state, std::uint64_t fingerprint);
State parse_checkpoint(const std::string& bytes, const std::string& file, std::uint64_t fingerprint);

}  // namespace marrow
