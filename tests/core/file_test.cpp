#include "core/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "core/error.h"

namespace marrow {
namespace {

std::string temporary(const std::string& name) {
  const std::string folder = ::testing::TempDir() + "marrow_file_test";
  std::filesystem::create_directories(folder);
  return folder + "/" + name;
}

}  // namespace

TEST(File, what_is_written_is_read) {
  const std::string path = temporary("bytes");
  const std::string bytes("a\0b\nc", 5);
  write_file(path, bytes);
  EXPECT_EQ(read_file(path), bytes);
  write_file(path, "");
  EXPECT_EQ(read_file(path), "");
}

TEST(File, a_failed_write_leaves_the_old_file_and_no_rest) {
  // /dev/full takes no byte; a link to it beside the target stands for a full disk.
  const std::string path = temporary("kept");
  write_file(path, "old");
  std::filesystem::remove(path + ".part");
  std::filesystem::create_symlink("/dev/full", path + ".part");
  EXPECT_THROW(write_file(path, "new"), OutputError);
  EXPECT_EQ(read_file(path), "old");
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::symlink_status(path + ".part")));
}

TEST(File, a_pipe_is_not_replaced_by_a_file) {
  const std::string path = temporary("pipe");
  std::filesystem::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_THROW(write_file(path, "new"), OutputError);
  EXPECT_TRUE(std::filesystem::is_fifo(path));
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  std::filesystem::remove(path);
}

TEST(File, missing_file_and_folder_are_named) {
  try {
    read_file(temporary("nothing_here"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("nothing_here"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos);
  }
  EXPECT_THROW(read_file(::testing::TempDir()), InputError);
  EXPECT_THROW(write_file(temporary("no/such/folder/file"), "x"), OutputError);
}

TEST(File, hash_tells_texts_apart) {
  EXPECT_NE(hash_bytes("abc"), hash_bytes("acb"));
  EXPECT_EQ(hash_bytes("c", hash_bytes("ab")), hash_bytes("abc"));
}

}  // namespace marrow
