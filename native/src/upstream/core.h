// What calls, connections and backends of one client share: the loop, deadlines, the batch, and
// lists of what is to be done at the end of the turn. Made by client.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "upstream/backend.h"
#include "upstream/batch.h"
#include "upstream/call.h"
#include "upstream/client.h"
#include "upstream/connection.h"
#include "upstream/deadlines.h"
#include "upstream/reactor.h"

namespace weir::upstream {

struct Core {
  Core(const ClientOptions& options, Reactor& reactor, Owner& owner, std::span<Record> records,
       std::span<char> arena)
      : options(options),
        reactor(reactor),
        owner(owner),
        deadlines(reactor),
        batch(records, arena, options.pipelining_max) {}

  const ClientOptions options;
  Reactor& reactor;
  Owner& owner;
  Deadlines deadlines;
  Batch batch;

  std::vector<std::unique_ptr<Call>> calls;
  std::vector<std::int32_t> free_calls;
  std::vector<std::unique_ptr<Backend>> backends;
  std::vector<std::int32_t> free_backends;

  // Over, but the owner may still read of them.
  std::vector<Call*> ending;
  std::vector<std::int32_t> ending_backends;
  // Of those, what the current delivery tells; and the backends being drained. Members to keep
  // their memory.
  std::vector<Call*> told_calls;
  std::vector<std::int32_t> told_backends;
  std::vector<Backend*> draining;
  // To be deleted at the end of the turn.
  std::vector<std::unique_ptr<Connection>> closed;
  std::vector<Connection*> dirty;
  std::vector<Backend*> to_drain;
  std::size_t open_connections = 0;
  std::int32_t upgrades = 0;
  bool asked = false;

  Call& call(std::int32_t number) { return *calls[static_cast<std::size_t>(number)]; }
  Backend& backend(std::int32_t number) { return *backends[static_cast<std::size_t>(number)]; }
  // Wants end_turn.
  void ask();
  Call& take_call();
  // Its last record is told, or nobody wants one.
  void end_call(Call& call);
  // The owner breaks what it has announced.
  void give_up(Call& call, std::string_view text);
  void fail_call(Call& call, Failure failure, std::string_view text);
  void tell(RecordKind kind, std::int32_t call, std::int32_t code, std::string_view text);
  void tell_attempt(RecordKind kind, const Call& call, std::int32_t address, std::int32_t code,
                    std::string_view text);
  // Makes room for what one event may lead to, behind all that was told before. Not from within
  // deliver.
  void make_room() {
    batch.settle(batch.waiting());
    if (!batch.has_room()) deliver();
  }
  void deliver();
  void end_turn();
};

}  // namespace weir::upstream
