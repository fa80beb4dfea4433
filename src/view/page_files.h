// The built page of the viewer: a handful of files that lie beside the program.
#pragma once

#include <map>
#include <string>

namespace marrow {

struct PageFile {
  std::string content;
  std::string type;
};

// By the path that serves them: "/", "/page.js", … Looked for in $MARROW_PAGE, then in share/marrow/page
// beside the folder of the program, then where the build puts it. Throws InputError that says how to build
// the page.
std::map<std::string, PageFile> load_page();

}  // namespace marrow
