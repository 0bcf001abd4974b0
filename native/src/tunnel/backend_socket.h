// The backend's end of a tunnel that is a plain socket: the connection over which the upstream
// client had the 101. What the socket does not take is kept, and what comes of it is read into
// memory that all tunnels of a thread share. Made by tunnels.cc.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "tunnel/backend_end.h"
#include "upstream/reactor.h"

namespace weir::tunnel {

class Tunnel;

class BackendSocket final : public BackendEnd, public upstream::Watched {
 public:
  // @param socket, watch become this one's @param shared what is read of it goes there
  BackendSocket(upstream::Reactor& reactor, int socket, upstream::Reactor::Watch* watch,
                std::span<char> shared);
  ~BackendSocket() override;
  BackendSocket(const BackendSocket&) = delete;
  BackendSocket& operator=(const BackendSocket&) = delete;

  // Reads from now on.
  void begin(Tunnel& tunnel);

  bool send(std::string_view bytes) override;
  void finish() override;
  bool is_sending() const override { return !waiting_.empty(); }
  void pause(bool paused) override;
  void drop(bool broken) override;

  void on_ready(unsigned events) override;

 private:
  void read();
  void write_waiting();
  // @returns bytes that the socket took; all if it is broken, and nobody will miss them
  std::size_t write(std::string_view bytes);
  void update_events();

  upstream::Reactor& reactor_;
  upstream::Reactor::Watch* watch_;
  const std::span<char> shared_;
  Tunnel* tunnel_ = nullptr;
  int socket_;
  unsigned events_ = 0;
  // What was sent and the socket has not taken.
  std::string waiting_;
  bool paused_ = true;
  // The backend has ended its side.
  bool ended_ = false;
  bool finishing_ = false;
  // Writing has failed. What the backend has said before is still read.
  bool broken_ = false;
};

}  // namespace weir::tunnel
