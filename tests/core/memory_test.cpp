// The limit of memory, from the files of a control group.
#include "core/memory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "core/file.h"

namespace marrow {
namespace {

// A folder with files as the system has them, removed at the end.
class GroupFiles : public testing::Test {
 protected:
  void SetUp() override { make_folder(root_); }
  void TearDown() override { std::filesystem::remove_all(root_); }
  double read(const std::string& membership) {
    write_file(root_ + "/membership", membership);
    return read_group_limit(root_ + "/membership", root_);
  }
  void set(const std::string& group, const std::string& name, const std::string& text) {
    make_folder(root_ + group);
    write_file(root_ + group + "/" + name, text);
  }

 private:
  std::string root_ = testing::TempDir() + "marrow_groups";
};

}  // namespace

TEST_F(GroupFiles, the_least_limit_of_a_group_and_those_above_it_counts) {
  set("/a", "memory.max", "4000\n");
  set("/a/b", "memory.max", "max\n");
  EXPECT_EQ(read("0::/a/b\n"), 4000);
  set("/a/b", "memory.max", "3000\n");
  EXPECT_EQ(read("0::/a/b\n"), 3000);
}

TEST_F(GroupFiles, the_older_kind_of_group_is_known_too) {
  set("/memory/c", "memory.limit_in_bytes", "5000\n");
  EXPECT_EQ(read("7:cpu:/c\n4:memory:/c\n"), 5000);
}

TEST_F(GroupFiles, without_files_there_is_no_limit) {
  EXPECT_TRUE(std::isinf(read("0::/gone\n")));
  EXPECT_TRUE(std::isinf(read("nonsense\n")));
}

TEST(Memory, a_process_uses_less_than_it_may) {
  EXPECT_GT(memory_in_use(), 1e6);
  EXPECT_LT(memory_in_use(), memory_limit());
  const double real = memory_limit();
  {
    const FakeMemoryLimit limit(5e9);
    EXPECT_EQ(memory_limit(), 5e9);
  }
  EXPECT_EQ(memory_limit(), real);
  EXPECT_EQ(format_memory(3.21e9), "3.2 GB");
}

}  // namespace marrow
