// marrow view DIR: shows a run, the start of a scene, a frame or a mesh in the browser.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "marrow/verbs.h"
#include "marrow/view_source.h"
#include "view/browser.h"
#include "view/marks.h"
#include "view/server.h"

namespace marrow {
namespace {

struct ViewArguments {
  std::string path;
  std::string marks;
  std::vector<std::string> overrides;
  std::string address = "127.0.0.1";
  int port = 0;
  bool open = false;
};

volatile std::sig_atomic_t is_asked_to_end = 0;

void ask_to_end(int) { is_asked_to_end = 1; }

int view(const ViewArguments& arguments) {
  const ViewedSource viewed = open_source(arguments.path, arguments.overrides);
  for (const std::string& note : viewed.notes) fmt::print("Note: {}.\n", note);
  ServerOptions options;
  options.address = arguments.address;
  options.port = arguments.port;
  options.marks = arguments.marks.empty() ? viewed.marks : read_marks(arguments.marks);
  const ViewServer server(*viewed.source, nullptr, options);
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, ask_to_end);
  fmt::print("{}: view it at {}\nPress Ctrl-C to quit.\n", arguments.path, server.url());
  std::fflush(stdout);
  if (arguments.open && !open_in_browser(server.url())) {
    fmt::print("No browser could be started; open the address yourself.\n");
  }
  while (is_asked_to_end == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return kExitOk;
}

}  // namespace

void add_view_verb(Verb root) {
  auto arguments = std::make_shared<ViewArguments>();
  const Verb verb = root.add_verb("view", "Show a run, a scene, a frame or a mesh in the browser");
  verb.add_option("path", arguments->path, "Run folder, scene (its start), frame (.vtu) or mesh").required();
  verb.add_option("--marks", arguments->marks,
                  "Mark the elements listed in this file, the saved output of `marrow check --json`")
      .type_name("FILE");
  verb.add_option("--set", arguments->overrides, "Change a value of the scene: --set bodies[0].color=teal")
      .type_name("KEY=VALUE")
      .take_one();
  verb.add_option("--port", arguments->port, "Port; 0 picks a free one").check(whole(0, 65535));
  verb.add_option("--bind", arguments->address, "Address of this machine to listen on")
      .check(ip_address())
      .show_default();
  verb.add_flag("--open", arguments->open, "Open the page in the default browser");
  verb.add_example("marrow view out/first --open", "shows a run in the browser, finished or not");
  verb.set_action([arguments] { return view(*arguments); });
}

}  // namespace marrow
