// The owner of an environment's upstream client, on its event loop: hands batches over to JS, knows
// which numbers of calls and backends are in use, keeps the process alive while any of them is, and
// puts everything away when the environment ends. Made and used by upstream.cc.
#pragma once

#include <node_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "binding/request_text.h"
#include "upstream/client.h"
#include "upstream/record.h"
#include "upstream/uv_reactor.h"

namespace weir::binding {

class UpstreamOwner final : public upstream::Owner {
 public:
  explicit UpstreamOwner(napi_env env) : env_(env) {}
  ~UpstreamOwner() = default;
  UpstreamOwner(const UpstreamOwner&) = delete;
  UpstreamOwner& operator=(const UpstreamOwner&) = delete;

  // @returns why not; nullptr: it is open
  const char* open(const upstream::ClientOptions& options, napi_value records, napi_value arena,
                   napi_value on_batch);
  // Of the environment's end.
  void close(napi_async_cleanup_hook_handle hook);

  bool is_open() const { return client_ != nullptr; }
  upstream::Client& client() { return *client_; }

  void deliver(std::size_t count) override;

  void call_began(std::int32_t call);
  void call_aborted(std::int32_t call);
  void backend_opened(std::int32_t backend);
  void backend_closing(std::int32_t backend);
  // False after throwing. A call that is over is one.
  bool read_call(napi_value value, std::int32_t& call) const;
  bool read_backend(napi_value value, std::int32_t& backend) const;
  bool is_call_open(std::int32_t call) const { return calls_open_[static_cast<std::size_t>(call)]; }
  bool is_closing(std::int32_t backend) const {
    return backends_[static_cast<std::size_t>(backend)] == BackendState::kClosing;
  }

  // Of the request that is being sent.
  RequestText text;

 private:
  enum class BackendState : std::uint8_t { kNone, kOpen, kClosing };

  void call_over(std::int32_t call);
  void settle(const upstream::Record& record);
  void update_hold();
  void call_back(std::size_t count);

  const napi_env env_;
  upstream::UvReactor* reactor_ = nullptr;
  std::unique_ptr<upstream::Client> client_;
  std::span<upstream::Record> records_;
  napi_ref records_ref_ = nullptr;
  napi_ref arena_ref_ = nullptr;
  napi_ref on_batch_ref_ = nullptr;
  napi_async_context context_ = nullptr;
  std::vector<bool> calls_open_;
  std::vector<BackendState> backends_;
  // calls that are open and backends that are closing: what the process stays alive for
  std::size_t under_way_ = 0;
  bool held_ = false;
};

}  // namespace weir::binding
