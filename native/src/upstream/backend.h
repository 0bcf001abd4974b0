// One backend: its addresses, the calls that wait, and who gets which connection. Requests that
// can't be repeated get a fresh connection unless one was in use a moment ago (retry.h). The
// connection used last is taken first, so that the rest can grow idle and close. Made by client.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "upstream/addresses.h"
#include "upstream/call.h"
#include "upstream/client.h"
#include "upstream/connection.h"
#include "upstream/record.h"

namespace weir::upstream {

class Backend {
 public:
  Backend(Core& core, std::int32_t number, const BackendOptions& options, std::uint64_t seed);
  ~Backend();

  const std::int32_t number;
  const BackendOptions options;

  bool set_addresses(std::span<const Address> addresses);
  void fail_waiting(std::string_view text);
  void close();

  // A new call: placed, queued, or failed.
  void accept(Call& call);
  // The call left its connection by no fault of its own, or may be tried again.
  void again(Call& call);
  // Forget a call that waits.
  void withdraw(Call& call);
  // Gives waiting calls to connections that have become free, and notices that all is over. Once a
  // turn.
  void drain();
  // Its owner was told that it is closed. @returns whether it can be deleted; else, since calls
  // came in between, that is told to the core when they are over
  bool may_go();
  // There is an address that the call may still go to.
  bool has_untried(const Call& call) const;
  std::size_t address_count() const { return ring_.targets().size(); }

  // Of its connections.
  void connection_made(Connection& connection);
  void connection_refused(Connection& connection);
  // It can take a request: lists it where it belongs, or closes it if it isn't wanted any more.
  void release(Connection& connection);
  static void unlist(Connection& connection);
  static void list_pipeline(Connection& connection);
  // Its answers can't be told apart: those in flight together stay, no others join them.
  static void stop_pipelining(Target& target);
  void connection_closed(Connection& connection);

  // bytes of memory that its connections keep
  std::size_t kept_bytes() const;
  // See Client.
  std::size_t pressed() const;
  double occupancy() const;
  std::size_t take_states(std::vector<AddressState>& states);

  // of memory that the bodies of its calls have; kept by them
  std::size_t body_bytes = 0;
  bool drain_asked = false;

 private:
  bool has_room(const Target& target, const Call& call) const;
  // @returns false if the call has to wait
  bool place(Call& call);
  Connection* take(Target& target, Call& call);
  Connection* make(Target& target, Call& call);
  bool may_send_over(const Connection& connection, const Call& call) const;
  void enqueue(Call& call);
  // In order of arrival, as far as there is room.
  void place_waiting();
  void look_again();
  void fail_unresolved(Call& call);
  // There may be something to drain, or nothing left at all.
  void ask_drain();
  bool is_gone() const { return closed_ && connections_.empty() && waiting_.empty(); }

  Core& core_;
  // Looks again whether there is room.
  class Wake final : public Deadline {
   public:
    explicit Wake(Backend& backend) : backend_(backend) {}
    void expire() override { backend_.ask_drain(); }

   private:
    Backend& backend_;
  };

  AddressRing ring_;
  Wake wake_;
  std::vector<std::unique_ptr<Target>> removed_;
  // in order of arrival
  std::deque<Call*> waiting_;
  std::string unresolved_;
  // since those who wait were looked at
  bool room_changed_ = false;
  bool closed_ = false;
  bool told_closed_ = false;
  // in the core's list of those that end
  bool ending_ = false;
  std::vector<std::unique_ptr<Connection>> connections_;
};

}  // namespace weir::upstream
