// The viewer's server: the page and a run's data over HTTP, for this machine only unless told otherwise.
//
// A request names one of a few fixed paths and numbers; nothing in it reaches the file system. Requests with
// another Host (a name that leads here by DNS rebinding) or another Origin (a page of somebody else's) are
// refused. docs/viewer.md lists the paths.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "view/live_control.h"
#include "view/run_source.h"

namespace marrow {

class Desk;
class PlaySource;

struct ServerOptions {
  std::string address = "127.0.0.1";
  int port = 0;       // 0: one that is free
  std::string marks;  // JSON of what to mark (view/marks.h); may be empty
  // From the first byte of a request to its last; a slower one is given up.
  std::chrono::milliseconds request_time{10'000};
  // Of a scene that plays, both; they must outlive the server.
  Desk* desk = nullptr;
  PlaySource* play = nullptr;
};

class ViewServer {
 public:
  // Serves from now on, in threads of its own, until destroyed. control: of a run in this process, or none.
  // Both must outlive this. Throws InputError if the page is missing or the address cannot be had.
  ViewServer(RunSource& source, LiveControl* control, const ServerOptions& options);
  ~ViewServer();
  ViewServer(const ViewServer&) = delete;
  ViewServer& operator=(const ViewServer&) = delete;

  // "http://127.0.0.1:8123/".
  std::string url() const;
  // Pages that are looking now.
  int watcher_count() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace marrow
