// The backend's end of a tunnel that JS carries, as it does where the backend speaks TLS: what the
// client says is told to JS, and what the backend says comes from there. Made by tunnels.cc.
#pragma once

#include <cstdint>
#include <string_view>

#include "tunnel/backend_end.h"
#include "tunnel/owner.h"

namespace weir::tunnel {

class Port final : public BackendEnd {
 public:
  Port(Owner& owner, std::uint32_t tunnel) : owner_(owner), tunnel_(tunnel) {}

  // JS takes no more of what the client says, or more again.
  bool full = false;
  bool paused() const { return paused_; }

  bool send(std::string_view bytes) override {
    owner_.port_received(tunnel_, bytes);
    return !full;
  }
  void finish() override { owner_.port_client_ended(tunnel_); }
  // What JS has taken it sends by itself.
  bool is_sending() const override { return false; }
  void pause(bool paused) override {
    const bool has_room = paused_ && !paused;
    paused_ = paused;
    if (has_room) owner_.port_has_room(tunnel_);
  }
  // JS hears that the tunnel is over.
  void drop(bool) override {}

 private:
  Owner& owner_;
  const std::uint32_t tunnel_;
  bool paused_ = false;
};

}  // namespace weir::tunnel
