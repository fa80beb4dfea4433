#include "output/run/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "core/file.h"
#include "output/run/changed_meshes.h"

namespace marrow {
namespace {

constexpr char kCheckpointMagic[] = "MARROWCK";
constexpr std::uint64_t kCheckpointVersion = 6;
constexpr std::uint64_t kVersionWithMeshes = 7;  // the same, then meshes and the number of their bytes
constexpr size_t kKept = 2;
constexpr std::uint64_t kVectorsWithHistory = 5;

struct Header {
  char magic[8];
  std::uint64_t version;
  std::uint64_t fingerprint;
  std::int64_t step;
  double time;
  double contact_stiffness;
  std::uint64_t node_count;
  std::uint64_t vector_count;      // of three numbers per node each: 2, or 5 with the previous step
  std::uint64_t joint_count;       // numbers that the joints remember
  std::uint64_t activation_count;  // pairs of bodies with a d̂ of their own, three numbers each
  std::int32_t is_iterative;       // what the linear solver remembers
  std::int32_t iterations;
  std::int32_t compared;
  std::int32_t exact;
};

// The vectors of a state that a checkpoint holds: those of the previous step only if there is one.
std::vector<VecX*> list_vectors(State& state, std::uint64_t count) {
  std::vector<VecX*> vectors = {&state.nodes, &state.velocities};
  if (count == kVectorsWithHistory) {
    vectors.insert(vectors.end(),
                   {&state.previous_nodes, &state.previous_velocities, &state.path_velocities});
  }
  return vectors;
}

void append_numbers(const VecX& values, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(values.data()),
               static_cast<size_t>(values.size()) * sizeof(double));
}

// Reads the next count numbers and advances from.
VecX take_numbers(std::uint64_t count, const char*& from) {
  VecX values(static_cast<Index>(count));
  std::memcpy(values.data(), from, count * sizeof(double));
  from += count * sizeof(double);
  return values;
}

// True if the payload has the length that the header announces.
bool is_length_right(const Header& header, size_t payload) {
  const size_t numbers = payload / sizeof(double);
  const std::uint64_t per_node = 3 * header.vector_count;
  return payload % sizeof(double) == 0 && header.joint_count <= numbers &&
         header.activation_count <= numbers && header.node_count <= numbers / per_node &&
         numbers == per_node * header.node_count + header.joint_count + 3 * header.activation_count;
}

// Packs three numbers per pair of bodies.
VecX pack(const std::vector<PairActivation>& activations) {
  VecX numbers(3 * static_cast<Index>(activations.size()));
  for (size_t k = 0; k < activations.size(); ++k) {
    const PairActivation& pair = activations[k];
    numbers.segment<3>(3 * static_cast<Index>(k)) = Vec3(pair.a, pair.b, pair.d_hat);
  }
  return numbers;
}

std::vector<PairActivation> unpack_activations(const VecX& numbers) {
  std::vector<PairActivation> activations;
  for (Index i = 0; i < numbers.size(); i += 3) {
    activations.push_back(
        {static_cast<Index>(numbers[i]), static_cast<Index>(numbers[i + 1]), numbers[i + 2]});
  }
  return activations;
}

std::string checkpoint_folder(const std::string& folder) { return folder + "/checkpoints"; }

// "step_", digits, ".ckpt".
bool is_checkpoint_name(std::string_view name) {
  constexpr std::string_view kPrefix = "step_", kSuffix = ".ckpt";
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return false;
  if (name.size() <= kPrefix.size() + kSuffix.size()) return false;
  const std::string_view digits = name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size());
  return digits.find_first_not_of("0123456789") == std::string_view::npos;
}

InputError damaged(const std::string& file, const char* what) {
  return InputError({file, 0, 0, {}}, fmt::format("is not a complete checkpoint: {}", what),
                    "Delete it; an older one will be used.");
}

// The meshes at the end of the payload, which becomes shorter by them.
std::string_view find_meshes(const std::string& bytes, size_t& payload, const std::string& file) {
  std::uint64_t size = 0;
  if (payload < sizeof(size)) throw damaged(file, "too short");
  const size_t end = sizeof(Header) + payload - sizeof(size);
  std::memcpy(&size, bytes.data() + end, sizeof(size));
  if (size > payload - sizeof(size)) throw damaged(file, "wrong length");
  payload -= sizeof(size) + size;
  return {bytes.data() + end - size, size};
}

}  // namespace

std::vector<std::string> list_checkpoints(const std::string& folder) {
  std::vector<std::string> files;
  for (const std::string& name : list_folder(checkpoint_folder(folder))) {
    if (is_checkpoint_name(name)) files.push_back(checkpoint_folder(folder) + "/" + name);
  }
  std::reverse(files.begin(), files.end());
  return files;
}

std::string format_checkpoint(const State& state, std::uint64_t fingerprint) {
  Header header = {};
  std::memcpy(header.magic, kCheckpointMagic, sizeof(header.magic));
  header.version = state.meshes.empty() ? kCheckpointVersion : kVersionWithMeshes;
  header.fingerprint = fingerprint;
  header.step = state.step;
  header.time = state.time;
  header.contact_stiffness = state.contact_stiffness;
  header.node_count = static_cast<std::uint64_t>(state.nodes.size()) / 3;
  header.vector_count = state.previous_nodes.size() > 0 ? kVectorsWithHistory : 2;
  const VecX joints = pack(state.joints);
  header.joint_count = static_cast<std::uint64_t>(joints.size());
  header.activation_count = state.activations.size();
  header.is_iterative = state.linear.is_iterative ? 1 : 0;
  header.iterations = state.linear.iterations;
  header.compared = state.linear.compared;
  header.exact = state.linear.exact;
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof(header));
  for (const VecX* values : list_vectors(const_cast<State&>(state), header.vector_count)) {
    append_numbers(*values, bytes);
  }
  append_numbers(joints, bytes);
  append_numbers(pack(state.activations), bytes);
  if (!state.meshes.empty()) {
    const std::string meshes = format_meshes(state.meshes);
    const std::uint64_t size = meshes.size();
    bytes += meshes;
    bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
  }
  const std::uint64_t checksum = hash_bytes(bytes);
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
  return bytes;
}

State parse_checkpoint(const std::string& bytes, const std::string& file, std::uint64_t fingerprint) {
  Header header;
  if (bytes.size() < sizeof(header) + sizeof(std::uint64_t)) throw damaged(file, "too short");
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (std::memcmp(header.magic, kCheckpointMagic, sizeof(header.magic)) != 0)
    throw damaged(file, "wrong first bytes");
  const bool has_meshes = header.version == kVersionWithMeshes;
  if (header.version != kCheckpointVersion && !has_meshes) throw damaged(file, "unknown version");
  size_t payload = bytes.size() - sizeof(header) - sizeof(std::uint64_t);
  const std::string_view meshes = has_meshes ? find_meshes(bytes, payload, file) : std::string_view();
  if (header.vector_count != 2 && header.vector_count != kVectorsWithHistory)
    throw damaged(file, "wrong number of vectors");
  if (!is_length_right(header, payload)) throw damaged(file, "wrong length");
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, bytes.data() + bytes.size() - sizeof(checksum), sizeof(checksum));
  if (checksum != hash_bytes({bytes.data(), bytes.size() - sizeof(checksum)}))
    throw damaged(file, "wrong checksum");
  if (header.fingerprint != fingerprint) {
    throw InputError(
        {file, 0, 0, {}}, "belongs to another scene",
        "Resume with the scene and meshes the run was started with, or start again in another folder.");
  }

  State state;
  state.step = static_cast<int>(header.step);
  state.time = header.time;
  state.contact_stiffness = header.contact_stiffness;
  const char* from = bytes.data() + sizeof(header);
  for (VecX* values : list_vectors(state, header.vector_count)) {
    *values = take_numbers(3 * header.node_count, from);
  }
  state.joints = unpack_joint_memory(take_numbers(header.joint_count, from));
  state.activations = unpack_activations(take_numbers(3 * header.activation_count, from));
  if (has_meshes) state.meshes = parse_meshes(meshes, file);
  state.linear = {header.is_iterative != 0, header.iterations, header.compared, header.exact};
  return state;
}

void write_checkpoint(const std::string& folder, const State& state, std::uint64_t fingerprint) {
  make_folder(checkpoint_folder(folder));
  const std::string file = fmt::format("{}/step_{:08}.ckpt", checkpoint_folder(folder), state.step);
  write_file(file, format_checkpoint(state, fingerprint));
  const std::vector<std::string> files = list_checkpoints(folder);
  for (size_t i = kKept; i < files.size(); ++i) remove_file(files[i]);
}

std::optional<State> read_newest_checkpoint(const std::string& folder, std::uint64_t fingerprint) {
  const std::vector<std::string> files = list_checkpoints(folder);
  for (size_t i = 0; i < files.size(); ++i) {
    try {
      return parse_checkpoint(read_file(files[i]), files[i], fingerprint);
    } catch (const InputError&) {
      if (i + 1 == files.size()) throw;  // none is complete
    }
  }
  return std::nullopt;
}

}  // namespace marrow
