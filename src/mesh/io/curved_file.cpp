#include "mesh/io/curved_file.h"

#include <fmt/format.h>

#include <array>

#include "core/activity.h"
#include "core/file.h"
#include "mesh/io/curved_simplices.h"

namespace marrow {

CurvedFile parse_curved_file(MeshFormat format, std::string_view bytes, const std::string& name) {
  if (format == MeshFormat::Msh) return parse_curved_msh(bytes, name);
  if (format == MeshFormat::Vtk) return parse_curved_vtk(bytes, name);
  return {parse_mesh(format, bytes, name)};
}

CurvedFile read_curved_file(const std::string& path) {
  const MeshFormat format = mesh_format_of(path);
  if (format != MeshFormat::Msh && format != MeshFormat::Vtk) return {read_mesh(path)};
  const Activity activity("reading " + path);
  return parse_curved_file(format, read_file(path), path);
}

std::string format_curved_file(MeshFormat format, const CurvedFile& file, MeshEncoding encoding) {
  if (!file.is_curved()) return format_mesh(format, file.mesh, encoding);
  if (format == MeshFormat::Msh) return format_curved_msh(file, encoding, MshVersion::V41);
  if (format == MeshFormat::Vtk) return format_curved_vtk(file, encoding);
  throw OutputError(fmt::format("{} mesh", enum_name(format)),
                    fmt::format("{} cannot store tets of order {}; choose .msh or .vtk", enum_name(format),
                                file.order));
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
