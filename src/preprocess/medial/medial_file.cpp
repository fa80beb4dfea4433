#include "preprocess/medial/medial_file.h"

#include <fmt/format.h>

#include <cstring>
#include <sstream>

#include "core/error.h"
#include "core/file.h"
#include "mesh/io/byte_reader.h"
#include "preprocess/store.h"

namespace marrow {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is that of memory");

// The number at the end is raised whenever preparation gives other results: old files are then made again.
constexpr std::string_view kMagic = "marrow medial 3\n";
constexpr std::uint64_t kPreparationVersion = 11;

template <class Value>
void add_list(const std::vector<Value>& list, std::string& bytes) {
  const std::uint64_t count = list.size();
  bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
  bytes.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(Value));
}

template <class Value>
void read_list(ByteReader& reader, std::vector<Value>& list) {
  const auto count = reader.read<std::uint64_t>("a count");
  if (count > reader.remaining() / sizeof(Value)) reader.fail("the file is cut off");
  list.resize(count);
  if (count > 0) {
    std::memcpy(static_cast<void*>(list.data()), reader.take(count * sizeof(Value), "a list"),
                count * sizeof(Value));
  }
}

// The same lists in the same order for both ways.
template <class Prepared, class Visit>
void visit_lists(Prepared& p, const Visit& visit) {
  visit(p.surface.points);
  visit(p.surface.triangles);
  visit(p.medial.points);
  visit(p.medial.radii);
  visit(p.medial.edges);
  visit(p.medial.triangles);
  visit(p.handles);
  visit(p.columns);
  visit(p.anchor_centers);
  visit(p.volume.points);
  visit(p.volume.tets);
  visit(p.fills);
  visit(p.weights.offsets);
  visit(p.weights.indices);
  visit(p.weights.values);
}

std::uint64_t hash_input(const Mesh& mesh, const MedialOptions& options) {
  std::string bytes;
  add_list(mesh.points, bytes);
  add_list(mesh.triangles, bytes);
  add_list(mesh.tets, bytes);
  add_list(options.extra_handles, bytes);
  for (const Points& group : options.anchor_groups) add_list(group, bytes);
  bytes += fmt::format("{} {} {} {} {}", kPreparationVersion, options.handles, options.target_error,
                       options.cells, options.weight_threshold);
  return hash_bytes(bytes);
}

}  // namespace

std::string format_medial(const PreparedMedial& prepared) {
  std::string bytes(kMagic);
  visit_lists(prepared, [&](const auto& list) { add_list(list, bytes); });
  // Apart, because the struct has padding.
  std::vector<Index> tets;
  std::vector<std::array<double, 4>> places;
  for (const EmbeddedPoint& point : prepared.embedded) {
    tets.push_back(point.tet);
    places.push_back({point.weights[0], point.weights[1], point.weights[2], point.weights[3]});
  }
  add_list(tets, bytes);
  add_list(places, bytes);
  add_list(std::vector<Index>{prepared.weights.columns}, bytes);
  const std::string notes = fmt::format("{}", fmt::join(prepared.notes, "\n"));
  add_list(std::vector<char>(notes.begin(), notes.end()), bytes);
  const std::uint64_t sum = hash_bytes(bytes);
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes;
}

PreparedMedial parse_medial(std::string_view bytes, const std::string& name) {
  const auto refuse = [&](const char* problem) {
    throw InputError({name, 0, 0, {}}, problem, "Make it again with `marrow prepare medial`.");
  };
  if (!bytes.starts_with(kMagic.substr(0, kMagic.size() - 2))) refuse("this is not a prepared medial body");
  if (!bytes.starts_with(kMagic)) refuse("this prepared medial body has another version");
  std::uint64_t sum = 0;
  if (bytes.size() < kMagic.size() + sizeof sum) refuse("the file is cut off");
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
  bytes.remove_suffix(sizeof sum);
  if (sum != hash_bytes(bytes)) refuse("the file is damaged: its checksum is wrong");
  ByteReader reader(bytes, name, std::endian::little, kMagic.size());
  PreparedMedial prepared;
  visit_lists(prepared, [&](auto& list) { read_list(reader, list); });
  std::vector<Index> tets, rest;
  std::vector<char> notes;
  std::vector<std::array<double, 4>> places;
  read_list(reader, tets);
  read_list(reader, places);
  read_list(reader, rest);
  read_list(reader, notes);
  if (rest.size() != 1 || prepared.weights.offsets.size() != prepared.volume.points.size() + 1 ||
      tets.size() != prepared.surface.points.size() || places.size() != tets.size() ||
      prepared.columns.size() != prepared.medial.points.size()) {
    refuse("the lists in the file do not match");
  }
  for (size_t i = 0; i < tets.size(); ++i) {
    prepared.embedded.push_back({tets[i], Vec4(places[i][0], places[i][1], places[i][2], places[i][3])});
  }
  prepared.weights.columns = rest[0];
  std::istringstream lines(std::string(notes.begin(), notes.end()));
  for (std::string line; std::getline(lines, line);) prepared.notes.push_back(line);
  return prepared;
}

void write_medial(const std::string& path, const PreparedMedial& prepared) {
  write_file(path, format_medial(prepared));
}

PreparedMedial read_medial(const std::string& path) { return parse_medial(read_file(path), path); }

PreparedMedial prepare_medial_cached(const Mesh& mesh, const std::string& name, const MedialOptions& options,
                                     MedialReport& report, bool& is_cached) {
  is_cached = false;
  const std::string store = find_store();
  const std::string path = fmt::format("{}/{:016x}.medial", store, hash_input(mesh, options));
  if (!store.empty() && is_file(path)) {
    try {
      PreparedMedial prepared = read_medial(path);
      is_cached = true;
      return prepared;
    } catch (const InputError&) {
      // Damaged or old: made again below.
    }
  }
  PreparedMedial prepared = prepare_medial(mesh, name, options, report);
  if (!store.empty() && !keep_in_store(store, path, format_medial(prepared))) {
    report.notes.push_back("the result could not be stored in " + store);
  }
  return prepared;
}

}  // namespace marrow
