#include "upstream/uv_reactor.h"

#include <cstdlib>
#include <cstring>

#include "upstream/client.h"

namespace weir::upstream {

namespace {

static_assert(kReadable == uv::kReadable && kWritable == uv::kWritable);

template <typename Handle>
uv_handle_s* as_handle(Handle* handle) {
  return reinterpret_cast<uv_handle_s*>(handle);
}

template <typename Handle>
Handle* allocate(int type, void* data) {
  auto* const handle = static_cast<Handle*>(std::malloc(uv_handle_size(type)));
  if (handle == nullptr) std::abort();
  uv_handle_set_data(as_handle(handle), data);
  return handle;
}

template <typename Handle>
UvReactor* reactor_of(const Handle* handle) {
  return static_cast<UvReactor*>(uv_handle_get_data(reinterpret_cast<const uv_handle_s*>(handle)));
}

bool is_named(int type, const char* name) {
  const char* const found = uv_handle_type_name(type);
  return found != nullptr && std::strcmp(found, name) == 0;
}

bool is_known_libuv() {
  return (uv_version() >> 16) == uv::kMajorVersion && is_named(uv::kCheck, "check") &&
         is_named(uv::kIdle, "idle") && is_named(uv::kPoll, "poll") &&
         is_named(uv::kPrepare, "prepare") && is_named(uv::kTimer, "timer");
}

}  // namespace

struct Reactor::Watch {
  UvReactor& reactor;
  uv_poll_s* handle;
  // nullptr: unwatched, libuv still has the handle
  Watched* watched;
  unsigned events;
};

UvReactor* UvReactor::open(uv_loop_s* loop, const char*& reason) {
  if (!is_known_libuv()) {
    reason = "this Node's libuv is not version 1";
    return nullptr;
  }
  auto* const reactor = new UvReactor(loop);
  reactor->prepare_ = allocate<uv_prepare_s>(uv::kPrepare, nullptr);
  reactor->check_ = allocate<uv_check_s>(uv::kCheck, nullptr);
  reactor->idle_ = allocate<uv_idle_s>(uv::kIdle, nullptr);
  reactor->timer_ = allocate<uv_timer_s>(uv::kTimer, nullptr);
  // These can't fail: they only put the handle into lists of the loop.
  uv_prepare_init(loop, reactor->prepare_);
  uv_check_init(loop, reactor->check_);
  uv_idle_init(loop, reactor->idle_);
  uv_timer_init(loop, reactor->timer_);
  for (uv_handle_s* const handle : {as_handle(reactor->prepare_), as_handle(reactor->check_),
                                    as_handle(reactor->idle_), as_handle(reactor->timer_)}) {
    uv_handle_set_data(handle, reactor);
    uv_unref(handle);
    ++reactor->handles_;
  }
  uv_prepare_start(reactor->prepare_, [](uv_prepare_s* handle) {
    UvReactor& self = *reactor_of(handle);
    if (self.asked_) self.end_turn();
    if (!self.asked_) return;
    self.idling_ = true;
    uv_idle_start(self.idle_, [](uv_idle_s*) {});
  });
  uv_check_start(reactor->check_, [](uv_check_s* handle) {
    UvReactor& self = *reactor_of(handle);
    if (self.idling_) uv_idle_stop(self.idle_);
    self.idling_ = false;
    if (self.asked_) self.end_turn();
  });
  return reactor;
}

void UvReactor::end_turn() {
  asked_ = false;
  client_->end_turn();
}

void UvReactor::hold(bool busy) {
  if (busy) {
    uv_ref(as_handle(check_));
  } else {
    uv_unref(as_handle(check_));
  }
}

Reactor::Watch* UvReactor::watch(int socket, unsigned events, Watched& watched) {
  auto* const handle = allocate<uv_poll_s>(uv::kPoll, nullptr);
  if (uv_poll_init(loop_, handle, socket) != 0) {
    std::free(handle);
    return nullptr;
  }
  ++handles_;
  auto* const made = new Watch{*this, handle, &watched, 0};
  uv_handle_set_data(as_handle(handle), made);
  uv_unref(as_handle(handle));
  change(made, events);
  return made;
}

void UvReactor::start(Watch& watch) {
  uv_poll_start(watch.handle, static_cast<int>(watch.events), on_poll);
}

void UvReactor::on_poll(uv_poll_s* handle, int status, int events) {
  Watch& watch = *static_cast<Watch*>(uv_handle_get_data(as_handle(handle)));
  if (status >= 0) {
    watch.watched->on_ready(static_cast<unsigned>(events) & (kReadable | kWritable));
    return;
  }
  // An error on the socket: libuv has stopped looking at it. There may be bytes to read before the
  // error shows, more than are read at a time.
  watch.watched->on_ready(kReadable | kWritable);
  if (watch.watched != nullptr && watch.events != 0) watch.reactor.start(watch);
}

void UvReactor::hand_over(Watch* watch, Watched& watched) { watch->watched = &watched; }

void UvReactor::change(Watch* watch, unsigned events) {
  // Each start costs two system calls.
  if (watch->events == events) return;
  watch->events = events;
  if (events == 0) {
    uv_poll_stop(watch->handle);
  } else {
    start(*watch);
  }
}

void UvReactor::unwatch(Watch* watch) {
  watch->watched = nullptr;
  uv_close(as_handle(watch->handle), [](uv_handle_s* handle) {
    auto* const closing = static_cast<Watch*>(uv_handle_get_data(handle));
    UvReactor& self = closing->reactor;
    delete closing;
    std::free(handle);
    self.handle_closed();
  });
}

void UvReactor::set_timer(std::uint64_t at_ms) {
  const std::uint64_t now = now_ms();
  const auto fire = [](uv_timer_s* handle) { reactor_of(handle)->client_->on_timer(); };
  uv_timer_start(timer_, fire, at_ms > now ? at_ms - now : 0, 0);
}

void UvReactor::clear_timer() { uv_timer_stop(timer_); }

void UvReactor::close(void (*closed)(void* data), void* data) {
  closed_ = closed;
  closed_data_ = data;
  close_handle(as_handle(prepare_));
  close_handle(as_handle(check_));
  close_handle(as_handle(idle_));
  close_handle(as_handle(timer_));
}

void UvReactor::close_handle(uv_handle_s* handle) {
  uv_close(handle, [](uv_handle_s* closing) {
    UvReactor& self = *reactor_of(closing);
    std::free(closing);
    self.handle_closed();
  });
}

void UvReactor::handle_closed() {
  if (--handles_ > 0 || closed_ == nullptr) return;
  closed_(closed_data_);
  delete this;
}

}  // namespace weir::upstream
