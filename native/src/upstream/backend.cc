#include "upstream/backend.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "upstream/core.h"
#include "upstream/failure_texts.h"

namespace weir::upstream {

namespace {

// While calls wait and an address is set aside.
constexpr std::uint32_t kWakeMs = 500;

// It may not go to every address: it has failed at one.
bool is_choosy(const Call* call) { return !call->tried.empty(); }

}  // namespace

Backend::Backend(Core& core, std::int32_t number, const BackendOptions& options, std::uint64_t seed)
    : number(number),
      options(options),
      core_(core),
      ring_(seed, {.first_ms = core.options.set_aside_first_ms,
                   .last_ms = core.options.set_aside_last_ms,
                   .probe_ms = options.connect_timeout_ms}),
      wake_(*this) {}

Backend::~Backend() = default;

bool Backend::set_addresses(std::span<const Address> addresses) {
  std::vector<std::unique_ptr<Target>> next;
  for (const Address& address : addresses) {
    auto target = std::make_unique<Target>();
    target->id = address.id;
    if (!parse_address(address.ip, address.port, *target)) return false;
    next.push_back(std::move(target));
  }
  std::vector<std::unique_ptr<Target>>& current = ring_.targets();
  for (auto& target : next) {
    // Those that were removed and come back have busy connections that count.
    for (auto* const known : {&current, &removed_}) {
      const auto same = std::find_if(known->begin(), known->end(), [&](const auto& one) {
        return one != nullptr && one->id == target->id;
      });
      if (same == known->end()) continue;
      target = std::move(*same);
      target->removed = false;
      break;
    }
  }
  for (auto& target : current) {
    if (target == nullptr) continue;
    target->removed = true;
    while (!target->idle.empty()) target->idle.back()->close();
    if (target->connections > 0) removed_.push_back(std::move(target));
  }
  current = std::move(next);
  std::erase_if(removed_, [](const auto& one) { return one == nullptr || one->connections == 0; });
  ring_.renumber();
  unresolved_.clear();
  ask_drain();
  return true;
}

void Backend::fail_waiting(std::string_view text) {
  if (!ring_.targets().empty()) return;
  unresolved_ = text.empty() ? "the backend has no address" : text;
  std::deque<Call*> waiting;
  waiting.swap(waiting_);
  for (Call* const call : waiting) {
    call->queued = false;
    fail_unresolved(*call);
  }
  ask_drain();
}

// There is no address to try: that counts as an attempt, too.
void Backend::fail_unresolved(Call& call) {
  core_.tell_attempt(RecordKind::kAttemptFailed, call, -1,
                     static_cast<std::int32_t>(Failure::kConnect), unresolved_);
  core_.fail_call(call, Failure::kConnect, unresolved_);
}

void Backend::close() {
  if (closed_) return;
  closed_ = true;
  for (std::size_t i = connections_.size(); i > 0; --i) {
    if (i > connections_.size()) continue;
    Connection& connection = *connections_[i - 1];
    if (connection.depth() == 0) connection.close();
  }
  ask_drain();
}

void Backend::accept(Call& call) {
  call.backend = this;
  if (!unresolved_.empty()) {
    fail_unresolved(call);
    return;
  }
  // Nobody overtakes those who wait, but those who may not go where there is room.
  if (room_changed_) place_waiting();
  if (std::all_of(waiting_.begin(), waiting_.end(), is_choosy) && place(call)) return;
  if (waiting_.size() >= options.queue) {
    core_.fail_call(call, Failure::kQueueFull, failure_text::kQueueFull);
    return;
  }
  enqueue(call);
}

void Backend::again(Call& call) {
  if (!unresolved_.empty()) {
    fail_unresolved(call);
    return;
  }
  call.state = CallState::kWaiting;
  call.queued = true;
  waiting_.push_front(&call);
  core_.deadlines.arm(call, options.connect_timeout_ms);
  ask_drain();
}

void Backend::enqueue(Call& call) {
  call.state = CallState::kWaiting;
  call.queued = true;
  waiting_.push_back(&call);
  core_.deadlines.arm(call, options.connect_timeout_ms);
  if (!wake_.armed()) look_again();
}

// An address may come back by time alone.
void Backend::look_again() {
  const auto& targets = ring_.targets();
  if (std::any_of(targets.begin(), targets.end(),
                  [](const auto& target) { return target->failures > 0; })) {
    core_.deadlines.arm(wake_, kWakeMs);
  }
}

void Backend::withdraw(Call& call) {
  if (!call.queued) return;
  call.queued = false;
  std::erase(waiting_, &call);
  ask_drain();
}

void Backend::ask_drain() {
  room_changed_ = true;
  if (drain_asked || (waiting_.empty() && !is_gone())) return;
  drain_asked = true;
  core_.to_drain.push_back(this);
  core_.ask();
}

void Backend::place_waiting() {
  room_changed_ = false;
  std::size_t kept = 0;
  while (kept < waiting_.size()) {
    Call& call = *waiting_[kept];
    const auto place_of_call = waiting_.begin() + static_cast<std::ptrdiff_t>(kept);
    waiting_.erase(place_of_call);
    call.queued = false;
    if (place(call)) continue;
    call.queued = true;
    waiting_.insert(waiting_.begin() + static_cast<std::ptrdiff_t>(kept), &call);
    if (!is_choosy(&call)) break;
    ++kept;
  }
}

void Backend::drain() {
  drain_asked = false;
  place_waiting();
  if (!waiting_.empty()) {
    look_again();
    return;
  }
  if (!is_gone() || ending_) return;
  ending_ = true;
  core_.ending_backends.push_back(number);
  if (!told_closed_) core_.tell(RecordKind::kBackendClosed, number, 0, "");
  told_closed_ = true;
}

bool Backend::has_untried(const Call& call) const {
  return std::any_of(ring_.targets().begin(), ring_.targets().end(), [&](const auto& target) {
    return std::find(call.tried.begin(), call.tried.end(), target->id) == call.tried.end();
  });
}

bool Backend::may_go() {
  ending_ = false;
  return is_gone() && !drain_asked;
}

bool Backend::has_room(const Target& target, const Call& call) const {
  if (!target.idle.empty() || target.connections < options.connections) return true;
  return !target.pipelines.empty() && call.pipelinable();
}

bool Backend::place(Call& call) {
  if (ring_.targets().empty()) return false;
  Target* target = nullptr;
  const auto room = [&](const Target& one) { return has_room(one, call); };
  switch (ring_.choose(call.tried, core_.reactor.now_ms(), room, target)) {
    case AddressRing::Choice::kWait:
      return false;
    case AddressRing::Choice::kNone:
      core_.fail_call(call, Failure::kConnect, failure_text::kNoAddressLeft);
      return true;
    case AddressRing::Choice::kTarget:
      break;
  }
  Connection* const connection = take(*target, call);
  if (connection == nullptr) return true;
  ++target->requests;
  connection->assign(call);
  if (connection->is_open() && call.has_body() && !call.body_wanted) {
    call.body_wanted = true;
    if (!call.being_sent) core_.tell(RecordKind::kBodyWanted, call.number, 0, "");
  }
  // It is in use now, so in no other list.
  if (connection->takes_more()) {
    list_pipeline(*connection);
  } else {
    unlist(*connection);
  }
  return true;
}

// @returns nullptr if the call has failed or waits for another attempt
Connection* Backend::take(Target& target, Call& call) {
  // A connection that is open already doesn't tell whether another can be made.
  const bool is_full = target.connections >= options.connections;
  if (target.probing && (!is_full || !target.idle.empty())) return make(target, call);
  if (options.pipelining > 1 && call.pipelinable()) {
    // The one that others of this turn go over, so that they share a write.
    for (std::size_t i = target.pipelines.size(); i > 0 && target.is_quick(); --i) {
      if (target.pipelines[i - 1]->has_unwritten()) return target.pipelines[i - 1];
    }
  }
  if (!target.idle.empty() && may_send_over(*target.idle.back(), call)) {
    Connection* const connection = target.idle.back();
    unlist(*connection);
    return connection;
  }
  if (options.pipelining > 1 && call.pipelinable() && !target.pipelines.empty() &&
      (target.is_quick() || is_full)) {
    return *std::min_element(target.pipelines.begin(), target.pipelines.end(),
                             [](const Connection* one, const Connection* other) {
                               return one->depth() < other->depth();
                             });
  }
  return make(target, call);
}

// In place of an idle one, if there are as many as may be.
Connection* Backend::make(Target& target, Call& call) {
  if (target.connections >= options.connections) target.idle.front()->close();
  auto made = std::make_unique<Connection>(core_, *this, target);
  Connection& connection = *made;
  connection.index = connections_.size();
  connections_.push_back(std::move(made));
  ++target.connections;
  ++core_.open_connections;
  const int error = connection.open();
  if (error == 0) return &connection;
  connection.refuse(call, error);
  return nullptr;
}

bool Backend::may_send_over(const Connection& connection, const Call& call) const {
  if (call.wants_fresh) return false;
  return call.idempotent ||
         core_.reactor.now_ms() - connection.idle_since_ms() < core_.options.reuse_ms;
}

void Backend::connection_made(Connection& connection) {
  AddressRing::connected(connection.target());
}

void Backend::connection_refused(Connection& connection) {
  ring_.failed(connection.target(), core_.reactor.now_ms());
}

void Backend::stop_pipelining(Target& target) {
  target.says_too_much = true;
  for (Connection* const connection : target.pipelines) connection->listed_pipeline = false;
  target.pipelines.clear();
}

void Backend::release(Connection& connection) {
  Target& target = connection.target();
  if (connection.depth() > 0) {
    if (closed_ || target.removed || connection.listed_pipeline) return;
    list_pipeline(connection);
    ask_drain();
    return;
  }
  unlist(connection);
  const std::uint32_t limit_ms = connection.idle_limit_ms();
  if (closed_ || target.removed || limit_ms == 0) {
    connection.close();
    return;
  }
  connection.listed_idle = true;
  target.idle.push_back(&connection);
  connection.begin_idle(limit_ms);
  ask_drain();
}

void Backend::list_pipeline(Connection& connection) {
  if (connection.listed_pipeline) return;
  connection.listed_pipeline = true;
  connection.target().pipelines.push_back(&connection);
}

void Backend::unlist(Connection& connection) {
  Target& target = connection.target();
  if (connection.listed_idle) {
    if (target.idle.back() == &connection) {
      target.idle.pop_back();
    } else {
      std::erase(target.idle, &connection);
    }
  }
  if (connection.listed_pipeline) std::erase(target.pipelines, &connection);
  connection.listed_idle = connection.listed_pipeline = false;
}

std::size_t Backend::kept_bytes() const {
  std::size_t bytes = 0;
  for (const auto& connection : connections_) bytes += connection->kept_bytes();
  return bytes;
}

std::size_t Backend::pressed() const {
  const auto& targets = ring_.targets();
  // Not all: one that is set aside has none.
  const bool is_full = std::any_of(targets.begin(), targets.end(), [&](const auto& target) {
    return target->idle.empty() && target->connections >= options.connections;
  });
  return is_full ? waiting_.size() : 0;
}

double Backend::occupancy() const {
  std::size_t taken = waiting_.size();
  for (const auto& target : ring_.targets()) taken += target->connections - target->idle.size();
  const double places = static_cast<double>(ring_.targets().size()) * options.connections;
  return places > 0 ? static_cast<double>(taken) / places : 0;
}

std::size_t Backend::take_states(std::vector<AddressState>& states) {
  const std::uint64_t now_ms = core_.reactor.now_ms();
  for (auto* const known : {&ring_.targets(), &removed_}) {
    for (const auto& target : *known) {
      states.push_back({.id = target->id,
                        .requests = std::exchange(target->requests, 0),
                        .connections = target->connections,
                        .idle = target->idle.size(),
                        .set_aside_ms = AddressRing::set_aside_ms(*target, now_ms)});
    }
  }
  return waiting_.size();
}

void Backend::connection_closed(Connection& connection) {
  unlist(connection);
  Target& target = connection.target();
  --target.connections;
  --core_.open_connections;
  const std::size_t index = connection.index;
  core_.closed.push_back(std::move(connections_[index]));
  if (index + 1 < connections_.size()) {
    connections_[index] = std::move(connections_.back());
    connections_[index]->index = index;
  }
  connections_.pop_back();
  core_.ask();
  ask_drain();
}

}  // namespace weir::upstream
