// The owner of an environment's upstream client, on its event loop: hands batches over to JS, knows
// which numbers of calls and backends are in use, keeps the process alive while any of them is, and
// puts everything away when the environment ends. Made and used by upstream.cc.
#pragma once

#include <napi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "binding/arguments.h"
#include "binding/ticks.h"
#include "upstream/client.h"
#include "upstream/record.h"
#include "upstream/uv_reactor.h"

namespace weir::binding {

class UpstreamOwner final : public upstream::Owner {
 public:
  // Lives until the environment ends.
  static UpstreamOwner& make(Napi::Env env, Ticks& ticks);
  UpstreamOwner(const UpstreamOwner&) = delete;
  UpstreamOwner& operator=(const UpstreamOwner&) = delete;

  // Throws a TypeError for what is no such memory or function, or where a client is open; an Error
  // where this Node's event loop can't be used: ERR_WEIR_EVENT_LOOP.
  void open(const upstream::ClientOptions& options, Napi::Value records, Napi::Value arena,
            Napi::Value on_batch);

  // Hot. A request is about to be sent.
  void note_ticks() const { ticks_.note(); }
  bool is_open() const { return client_ != nullptr; }
  upstream::Client& client() { return *client_; }
  // To be called where there is a client.
  upstream::Reactor& reactor() { return *reactor_; }

  void deliver(std::size_t count) override;

  // What a record of the kind kWhole points to, until JS has read the batch.
  struct Whole {
    std::string_view passed;
    std::string_view body;
  };
  // Hot. @returns nothing for what is no such record of the batch that JS is reading
  std::optional<Whole> whole_at(std::uint32_t at) const;

  void call_began(std::int32_t call);
  void call_aborted(std::int32_t call);
  void backend_opened(std::int32_t backend);
  void backend_closing(std::int32_t backend);
  // The numbers that were passed; a TypeError for those that never were one. A call that is over is
  // one. Hot.
  std::int32_t call_at(const Arguments& arguments, std::size_t at) const {
    return static_cast<std::int32_t>(arguments.index(at, calls_open_.size()));
  }
  std::int32_t backend_of(Napi::Env env, napi_value value) const {
    const std::uint32_t backend = read_index(env, value, backends_.size());
    if (backends_[backend] == BackendState::kNone) refuse(env, "the backend is not open");
    return static_cast<std::int32_t>(backend);
  }
  std::int32_t backend_at(const Arguments& arguments, std::size_t at) const {
    return backend_of(arguments.env(), arguments[at]);
  }
  bool is_call_open(std::int32_t call) const { return calls_open_[static_cast<std::size_t>(call)]; }
  bool is_closing(std::int32_t backend) const {
    return backends_[static_cast<std::size_t>(backend)] == BackendState::kClosing;
  }

 private:
  enum class BackendState : std::uint8_t { kNone, kOpen, kClosing };

  UpstreamOwner(Napi::Env env, Ticks& ticks) : env_(env), ticks_(ticks) {}
  // The client goes first: it works in the memory that the references keep.
  ~UpstreamOwner() { client_.reset(); }

  // Of the environment's end.
  static void end(napi_async_cleanup_hook_handle hook, void* owner);
  void call_over(std::int32_t call);
  void settle(const upstream::Record& record);
  void update_hold();
  void call_back(std::size_t count);

  const Napi::Env env_;
  Ticks& ticks_;
  upstream::UvReactor* reactor_ = nullptr;
  std::unique_ptr<upstream::Client> client_;
  std::span<upstream::Record> records_;
  std::span<const char> arena_;
  // records that JS is reading
  std::size_t delivered_ = 0;
  // What JS has lent for good, and whom a batch is told.
  Napi::ObjectReference records_kept_;
  Napi::ObjectReference arena_kept_;
  Napi::FunctionReference on_batch_;
  std::unique_ptr<Napi::AsyncContext> context_;
  std::vector<bool> calls_open_;
  std::vector<BackendState> backends_;
  // calls that are open and backends that are closing: what the process stays alive for
  std::size_t under_way_ = 0;
  bool held_ = false;
};

}  // namespace weir::binding
