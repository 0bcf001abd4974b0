// The backend's end of a tunnel that JS carries, as it does where the backend speaks TLS: what the
// client says is told to JS, and what the backend says comes from there. Made by tunnels.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "tunnel/backend_end.h"
#include "tunnel/owner.h"

namespace weir::tunnel {

class Port final : public BackendEnd {
 public:
  Port(Owner& owner, std::uint32_t tunnel) : owner_(owner), tunnel_(tunnel) {}

  bool paused() const { return paused_; }
  // JS takes no more of what the client says.
  void fill() { is_full_ = true; }
  // It does again, or for the first time. @returns whether the client is to be read
  bool empty() {
    if (!is_full_) return false;
    is_full_ = false;
    const std::string early = std::exchange(early_, {});
    has_begun_ = true;
    if (!early.empty()) owner_.port_received(tunnel_, early);
    return !is_full_;
  }

  bool send(std::string_view bytes) override {
    if (has_begun_) {
      owner_.port_received(tunnel_, bytes);
    } else {
      early_.append(bytes);
    }
    return !is_full_;
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
  // Until JS knows the tunnel's number it takes nothing; this is what came by then.
  bool is_full_ = true;
  bool has_begun_ = false;
  std::string early_;
};

}  // namespace weir::tunnel
