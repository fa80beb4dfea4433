#include "view/programs.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>

#include "core/file.h"

namespace marrow {

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string rest = path != nullptr ? path : "/usr/bin:/bin";
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    std::string file = rest.substr(0, colon) + "/" + name;
    if (is_file(file) && ::access(file.c_str(), X_OK) == 0) return file;
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return {};
}

int start_program(std::vector<std::string> words, const std::vector<PassedDescriptor>& passed) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  // Our descriptors are first copied to high numbers, so that none is overwritten before it is passed on.
  std::vector<int> copies;
  for (const PassedDescriptor& descriptor : passed) {
    copies.push_back(::fcntl(descriptor.ours, F_DUPFD_CLOEXEC, 64));
    ::posix_spawn_file_actions_adddup2(&actions, copies.back(), descriptor.theirs);
  }
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  pid_t process = -1;
  const int error =
      ::posix_spawn(&process, words.front().c_str(), &actions, &attributes, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  for (const int copy : copies) ::close(copy);
  return error == 0 ? process : -error;
}

}  // namespace marrow
