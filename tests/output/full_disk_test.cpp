// A disk that is full, played by /dev/full and by a limit on file size: the answer names file and reason, and
// what was there before stays.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "core/appended_file.h"
#include "core/error.h"
#include "core/file.h"
#include "core/staged_file.h"
#include "output/gltf/gltf.h"
#include "sample_run.h"

namespace marrow {
namespace {

// While it lives no file can grow beyond this many bytes: writes end as they do on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit = {bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_ = {};
  void (*handler_)(int) = nullptr;
};

template <class Action>
std::string output_error_of(Action&& action) {
  try {
    action();
  } catch (const OutputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(FullDisk, appended_line_names_file_and_reason) {
  AppendedFile file("/dev/full");
  EXPECT_EQ(output_error_of([&] { file.add_line("x"); }),
            "/dev/full: cannot be written: No space left on device");
}

TEST(FullDisk, frame_keeps_the_old_file_and_leaves_no_rest) {
  const TemporaryFolder folder;
  write_sample_frames(folder, 1);
  const std::string path = folder / frame_file(0);
  const std::string before = read_file(path);
  const Points points = sample_points(1);
  Frame frame;
  frame.points = points;
  {
    const FileSizeLimit limit(100);
    EXPECT_EQ(output_error_of([&] { write_vtu(path, sample_topology(), frame); }),
              path + ": cannot be written: File too large");
  }
  EXPECT_EQ(read_file(path), before);
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
}

TEST(FullDisk, animation_keeps_the_old_files_and_leaves_no_rest) {
  const TemporaryFolder folder;
  const GltfFrames frames = sample_frames(3);
  write_gltf(folder / "run.glb", sample_topology(), frames);
  const std::string before = read_file(folder / "run.glb");
  {
    const FileSizeLimit limit(100);
    const std::string answer =
        output_error_of([&] { write_gltf(folder / "run.glb", sample_topology(), frames); });
    EXPECT_EQ(answer, folder / "run.glb.bin: cannot be written: File too large");
  }
  EXPECT_EQ(read_file(folder / "run.glb"), before);
  EXPECT_FALSE(std::filesystem::exists(folder / "run.glb.bin.part"));
}

TEST(StagedFile, missing_folder_is_named) {
  EXPECT_EQ(output_error_of([] { StagedFile("no/such/folder/a"); }),
            "no/such/folder/a: cannot be written: No such file or directory");
}

TEST(StagedFile, unfinished_file_vanishes) {
  const TemporaryFolder folder;
  StagedFile(folder / "a").write("bytes");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path));
}

}  // namespace
}  // namespace marrow
