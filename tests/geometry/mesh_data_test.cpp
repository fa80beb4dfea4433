// Real files of others, where they are at hand: each is read, or refused for a reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "core/error.h"
#include "mesh/io/mesh_file.h"
#include "mesh/mesh_check.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

fs::path data_folder() { return fs::path(MARROW_SOURCE_DIR).parent_path() / "shared" / "data"; }

std::vector<fs::path> find_meshes() {
  std::vector<fs::path> paths;
  if (!fs::exists(data_folder())) return paths;
  for (const auto& entry : fs::recursive_directory_iterator(data_folder())) {
    const auto& extensions = mesh_extensions();
    const std::string extension = entry.path().extension().string();
    const bool is_mesh = std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
    if (entry.is_regular_file() && is_mesh) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST(MeshData, every_file_is_read_or_refused_cleanly) {
  const std::vector<fs::path> paths = find_meshes();
  if (paths.empty()) GTEST_SKIP() << "no shared data beside the repository";
  int refused = 0;
  for (const fs::path& path : paths) {
    try {
      const Mesh mesh = read_mesh(path.string());
      EXPECT_FALSE(mesh.points.empty()) << path;
    } catch (const InputError& error) {
      ++refused;
      std::cout << error.what() << "\n";
    }
  }
  std::cout << paths.size() << " files, " << refused << " refused\n";
  EXPECT_LT(refused, static_cast<int>(paths.size()) / 10);
}

TEST(MeshData, malformed_medial_mesh_is_refused) {
  const fs::path path = data_folder() / "medial" / "Luke-QMAT" / "data" / "bar.ma";
  if (!fs::exists(path)) GTEST_SKIP() << "no shared data beside the repository";
  try {
    read_mesh(path.string());
    FAIL() << "it was read";
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().line, 2);
    EXPECT_EQ(error.where().column, 57);
    EXPECT_EQ(error.problem().find("sphere 0 has the negative radius -0"), 0u) << error.problem();
  }
}

TEST(MeshData, armadillo_of_ipc_is_a_sound_body) {
  const fs::path path = data_folder() / "scenes" / "IPC" / "input" / "tetMeshes" / "Armadillo13K.msh";
  if (!fs::exists(path)) GTEST_SKIP() << "no shared data beside the repository";
  const Mesh mesh = read_mesh(path.string());
  EXPECT_EQ(mesh.points.size(), 13230u);
  EXPECT_EQ(mesh.tets.size(), 54985u);
  EXPECT_NO_THROW(check_tet_mesh(mesh, path.string()));
}

}  // namespace
}  // namespace marrow
