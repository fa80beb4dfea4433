#include "view/page_files.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "core/error.h"
#include "core/file.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

struct PageEntry {
  const char* path;
  const char* file;
  const char* type;
};

constexpr PageEntry kEntries[] = {{"/", "index.html", "text/html; charset=utf-8"},
                                  {"/page.js", "page.js", "text/javascript; charset=utf-8"},
                                  {"/page.css", "page.css", "text/css; charset=utf-8"},
                                  {"/worker.js", "worker.js", "text/javascript; charset=utf-8"},
                                  {"/icon.svg", "icon.svg", "image/svg+xml"}};

std::vector<std::string> list_folders() {
  std::vector<std::string> folders;
  if (const char* named = std::getenv("MARROW_PAGE"); named != nullptr) folders.emplace_back(named);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back((program.parent_path().parent_path() / "share/marrow/page").string());
  folders.emplace_back(MARROW_BUILT_PAGE);
  return folders;
}

}  // namespace

std::map<std::string, PageFile> load_page() {
  for (const std::string& folder : list_folders()) {
    if (!is_file(folder + "/index.html")) continue;
    std::map<std::string, PageFile> page;
    for (const PageEntry& entry : kEntries) {
      page[entry.path] = {read_file(folder + "/" + entry.file), entry.type};
    }
    return page;
  }
  throw InputError({MARROW_BUILT_PAGE, 0, 0, {}}, "the viewer's page is not built",
                   "Build it with `./dev page` in Marrow's source folder.");
}

}  // namespace marrow
