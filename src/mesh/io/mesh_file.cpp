#include "mesh/io/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "core/activity.h"
#include "core/error.h"
#include "core/file.h"
#include "mesh/io/curved_simplices.h"
#include "mesh/io/mesh_formats.h"

namespace marrow {
namespace {

struct Extension {
  const char* text;
  MeshFormat format;
};

constexpr Extension kExtensions[] = {
    {".obj", MeshFormat::Obj},    {".stl", MeshFormat::Stl}, {".ply", MeshFormat::Ply},
    {".off", MeshFormat::Off},    {".msh", MeshFormat::Msh}, {".vtk", MeshFormat::Vtk},
    {".seg", MeshFormat::Obj},    {".pt", MeshFormat::Obj},  {".node", MeshFormat::TetGen},
    {".ele", MeshFormat::TetGen}, {".ma", MeshFormat::Ma},   {".mat", MeshFormat::Ma}};

// What a format can hold besides points.
struct Capacity {
  bool radii;
  bool edges;
  bool triangles;
  bool tets;
  bool binary;
};

Capacity capacity_of(MeshFormat format) {
  switch (format) {
    case MeshFormat::Obj:
      return {false, true, true, false, false};
    case MeshFormat::Stl:
      return {false, false, true, false, true};
    case MeshFormat::Ply:
      return {true, true, true, false, true};
    case MeshFormat::Off:
      return {false, false, true, false, false};
    case MeshFormat::Msh:
      return {false, true, true, true, true};
    case MeshFormat::Vtk:
      return {false, true, true, true, true};
    case MeshFormat::TetGen:
      return {false, false, true, true, false};
    case MeshFormat::Ma:
      return {true, true, true, false, false};
  }
  return {};
}

// Throws OutputError if something of the mesh would be lost.
void check_holds(MeshFormat format, const Mesh& mesh, const std::string& name) {
  const Capacity holds = capacity_of(format);
  const auto require = [&](bool can_hold, size_t count, const char* what) {
    if (can_hold || count == 0) return;
    throw OutputError(
        name, fmt::format("{} cannot store {}, but the mesh has {}; remove them or choose another format",
                          enum_name(format), what, count));
  };
  if (!mesh.radii.empty() && mesh.radii.size() != mesh.points.size()) {
    throw OutputError(name, fmt::format("{} radii for {} points", mesh.radii.size(), mesh.points.size()));
  }
  require(holds.radii, mesh.radii.size(), "radii");
  require(holds.edges, mesh.edges.size(), "edges");
  require(holds.triangles, mesh.triangles.size(), "triangles");
  require(holds.tets, mesh.tets.size(), "tets");
}

void check_encoding(MeshFormat format, MeshEncoding encoding, const std::string& name) {
  if (has_encoding(format, encoding)) return;
  throw OutputError(name, fmt::format("{} has no {} form", enum_name(format), enum_name(encoding)));
}

std::string extension_of(const std::string& path) {
  const size_t dot = path.find_last_of("./\\");
  if (dot == std::string::npos || path[dot] != '.') return {};
  std::string extension = path.substr(dot);
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

}  // namespace

bool has_encoding(MeshFormat format, MeshEncoding encoding) {
  return encoding == MeshEncoding::Ascii || capacity_of(format).binary;
}

const std::vector<std::string>& mesh_extensions() {
  static const std::vector<std::string> extensions = [] {
    std::vector<std::string> list;
    for (const Extension& e : kExtensions) list.emplace_back(e.text);
    return list;
  }();
  return extensions;
}

MeshFormat mesh_format_of(const std::string& path) {
  const std::string extension = extension_of(path);
  for (const Extension& e : kExtensions) {
    if (extension == e.text) return e.format;
  }
  const std::string nearest =
      extension.size() > 1 ? nearest_name(extension, mesh_extensions()) : std::string();
  const std::string problem = extension.empty()
                                  ? std::string("a mesh file needs an extension that names its format")
                                  : fmt::format("'{}' is not a known mesh format", extension);
  const std::string guess = nearest.empty() ? std::string() : fmt::format("Did you mean {}? ", nearest);
  throw InputError({path, 0, 0, {}}, problem,
                   fmt::format("{}Supported are {}.", guess, fmt::join(mesh_extensions(), ", ")));
}

Mesh parse_mesh(MeshFormat format, std::string_view bytes, const std::string& name) {
  switch (format) {
    case MeshFormat::Obj:
      return parse_obj(bytes, name);
    case MeshFormat::Stl:
      return parse_stl(bytes, name);
    case MeshFormat::Ply:
      return parse_ply(bytes, name);
    case MeshFormat::Off:
      return parse_off(bytes, name);
    case MeshFormat::Msh:
      return parse_msh(bytes, name);
    case MeshFormat::Vtk:
      return parse_vtk(bytes, name);
    case MeshFormat::TetGen:
      return parse_tetgen(bytes, name);
    case MeshFormat::Ma:
      return parse_ma(bytes, name);
  }
  return {};
}

std::string format_mesh(MeshFormat format, const Mesh& mesh, MeshEncoding encoding) {
  const std::string name = fmt::format("{} mesh", enum_name(format));
  check_holds(format, mesh, name);
  check_encoding(format, encoding, name);
  switch (format) {
    case MeshFormat::Obj:
      return format_obj(mesh);
    case MeshFormat::Stl:
      return format_stl(mesh, encoding);
    case MeshFormat::Ply:
      return format_ply(mesh, encoding);
    case MeshFormat::Off:
      return format_off(mesh);
    case MeshFormat::Msh:
      return format_msh(mesh, encoding, MshVersion::V41);
    case MeshFormat::Vtk:
      return format_vtk(mesh, encoding);
    case MeshFormat::TetGen: {
      const TetGenTexts texts = format_tetgen(mesh);
      return texts.node + texts.ele + texts.face;
    }
    case MeshFormat::Ma:
      return format_ma(mesh);
  }
  return {};
}

Mesh read_mesh(const std::string& path) {
  const Activity activity("reading " + path);
  const MeshFormat format = mesh_format_of(path);
  if (format == MeshFormat::TetGen) return read_tetgen(path);
  return parse_mesh(format, read_file(path), path);
}

void write_mesh(const std::string& path, const Mesh& mesh) {
  const MeshFormat format = mesh_format_of(path);
  write_mesh(path, mesh,
             has_encoding(format, MeshEncoding::Binary) ? MeshEncoding::Binary : MeshEncoding::Ascii);
}

void write_mesh(const std::string& path, const Mesh& mesh, MeshEncoding encoding) {
  const MeshFormat format = mesh_format_of(path);
  check_holds(format, mesh, path);
  check_encoding(format, encoding, path);
  if (format == MeshFormat::TetGen) {
    write_tetgen(path, mesh);
  } else {
    write_file(path, format_mesh(format, mesh, encoding));
  }
}

std::string bad_index_problem(const char* kind, std::int64_t element, std::int64_t index,
                              const PointRange& range) {
  const std::string names = fmt::format("{} {} names point {}", kind, element, index);
  if (range.count == 0) return names + ", but the file has no points";
  return fmt::format("{}, but points run from {} to {}", names, range.first, range.first + range.count - 1);
}

Mesh finish_mesh(Mesh mesh, const std::string& name, const Polygons& polygons) {
  polygons.finish(mesh);
  if (mesh.points.empty()) {
    throw InputError({name, 0, 0, {}}, "the mesh is empty: it has no points",
                     "Export it again, or name another file.");
  }
  return mesh;
}

CurvedFile parse_curved_file(MeshFormat format, std::string_view bytes, const std::string& name) {
  if (format == MeshFormat::Msh) return parse_curved_msh(bytes, name);
  if (format == MeshFormat::Vtk) return parse_curved_vtk(bytes, name);
  return {parse_mesh(format, bytes, name)};
}

CurvedFile read_curved_file(const std::string& path) {
  if (path.ends_with(".vtu") || path.ends_with(".VTU")) {
    const Activity activity("reading " + path);
    return parse_vtu_mesh(read_file(path), path);
  }
  const MeshFormat format = mesh_format_of(path);
  if (format != MeshFormat::Msh && format != MeshFormat::Vtk) return {read_mesh(path)};
  const Activity activity("reading " + path);
  return parse_curved_file(format, read_file(path), path);
}

std::string format_curved_file(MeshFormat format, const CurvedFile& file, MeshEncoding encoding) {
  if (!file.is_curved()) return format_mesh(format, file.mesh, encoding);
  if (format == MeshFormat::Msh) return format_curved_msh(file, encoding, MshVersion::V41);
  if (format == MeshFormat::Vtk) return format_curved_vtk(file, encoding);
  throw OutputError(
      fmt::format("{} mesh", enum_name(format)),
      fmt::format("{} cannot store tets of order {}; choose .msh or .vtk", enum_name(format), file.order));
}

void write_curved_file(const std::string& path, const CurvedFile& file) {
  const MeshFormat format = mesh_format_of(path);
  if (!file.is_curved()) return write_mesh(path, file.mesh);
  write_file(path, format_curved_file(format, file, MeshEncoding::Binary));
}

std::span<const int> list_vtk_places(int order) {
  static constexpr std::array<int, 4> kFirst = {0, 1, 2, 3};
  static constexpr std::array<int, 10> kSecond = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
  static constexpr std::array<int, 20> kThird = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                                                 11, 10, 15, 14, 13, 12, 17, 19, 18, 16};
  static constexpr std::array<int, 35> kFourth = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                                  12, 15, 14, 13, 21, 20, 19, 18, 17, 16, 25, 26,
                                                  27, 33, 31, 32, 28, 29, 30, 22, 23, 24, 34};
  switch (order) {
    case 1:
      return kFirst;
    case 2:
      return kSecond;
    case 3:
      return kThird;
    case 4:
      return kFourth;
    default:
      return {};
  }
}

}  // namespace marrow
