#include "binding/upstream_owner.h"

#include <memory>
#include <string>
#include <utility>

#include "binding/errors.h"
#include "binding/functions.h"
#include "upstream/batch.h"

namespace weir::binding {

namespace {

using upstream::Batch;
using upstream::Client;
using upstream::ClientOptions;
using upstream::Record;
using upstream::RecordKind;
using upstream::UvReactor;

// The memory of an ArrayBuffer as so many items, `least` of them at least.
template <typename Item>
std::span<Item> memory_of(Napi::Value value, std::size_t least, const char* name) {
  if (!value.IsArrayBuffer()) refuse(value.Env(), std::string(name) + " is no ArrayBuffer");
  auto buffer = value.As<Napi::ArrayBuffer>();
  void* const data = buffer.Data();
  const std::size_t count = buffer.ByteLength() / sizeof(Item);
  if (count < least || reinterpret_cast<std::uintptr_t>(data) % alignof(Item) != 0) {
    refuse(value.Env(), std::string(name) + " is too small");
  }
  auto* const items = static_cast<Item*>(data);
  std::uninitialized_default_construct_n(items, count);
  return {items, count};
}

}  // namespace

UpstreamOwner& UpstreamOwner::make(Napi::Env env, Ticks& ticks) {
  auto* const owner = new UpstreamOwner(env, ticks);
  if (napi_add_async_cleanup_hook(env, end, owner, nullptr) != napi_ok) {
    delete owner;
    fail(env, "ERR_WEIR_ENVIRONMENT", "the environment is ending");
  }
  return *owner;
}

void UpstreamOwner::open(const ClientOptions& options, Napi::Value records, Napi::Value arena,
                         Napi::Value on_batch) {
  if (is_open()) refuse(env_, "there is a client");
  const auto record_memory =
      memory_of<Record>(records, Batch::records_min(options.pipelining_max), "the records' memory");
  const auto arena_bytes = memory_of<char>(arena, Batch::kArenaBytesMin, "the arena");
  if (!on_batch.IsFunction()) refuse(env_, "onBatch is no function");
  uv_loop_s* loop = nullptr;
  if (napi_get_uv_event_loop(env_, &loop) != napi_ok) {
    fail(env_, "ERR_WEIR_EVENT_LOOP", "there is no event loop");
  }
  const char* reason = nullptr;
  reactor_ = UvReactor::open(loop, reason);
  if (reactor_ == nullptr) fail(env_, "ERR_WEIR_EVENT_LOOP", reason);
  context_ = std::make_unique<Napi::AsyncContext>(env_, "weir:upstream");
  records_kept_ = Napi::Persistent(records.As<Napi::Object>());
  arena_kept_ = Napi::Persistent(arena.As<Napi::Object>());
  on_batch_ = Napi::Persistent(on_batch.As<Napi::Function>());
  records_ = record_memory;
  arena_ = arena_bytes;
  client_ = std::make_unique<Client>(options, *reactor_, *this, records_, arena_bytes);
  reactor_->serve(*client_);
}

void UpstreamOwner::end(napi_async_cleanup_hook_handle hook, void* owner) {
  auto* const ended = static_cast<UpstreamOwner*>(owner);
  UvReactor* const reactor = ended->reactor_;
  delete ended;
  if (reactor == nullptr) {
    napi_remove_async_cleanup_hook(hook);
    return;
  }
  // Node waits for this hook, and so for libuv to let go of all handles.
  reactor->close(
      [](void* data) {
        napi_remove_async_cleanup_hook(static_cast<napi_async_cleanup_hook_handle>(data));
      },
      hook);
}

void UpstreamOwner::deliver(std::size_t count) {
  for (const Record& record : records_.first(count)) settle(record);
  ticks_.note();
  delivered_ = count;
  call_back(count);
  delivered_ = 0;
  update_hold();
}

// The records are memory that JS can write to.
std::optional<UpstreamOwner::Whole> UpstreamOwner::whole_at(std::uint32_t at) const {
  if (at >= delivered_) return std::nullopt;
  const Record& record = records_[at];
  const auto piece = [this](std::int32_t offset, std::int32_t length) {
    const auto [from, size] =
        std::pair(static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length));
    const bool is_inside = from <= arena_.size() && size <= arena_.size() - from;
    return is_inside ? std::optional(std::string_view(arena_.data() + from, size)) : std::nullopt;
  };
  const auto passed = piece(record.passed_offset, record.passed_length);
  const auto body = piece(record.body_offset, record.body_length);
  const bool is_whole = record.kind == static_cast<std::int32_t>(RecordKind::kWhole);
  if (!is_whole || !passed.has_value() || !body.has_value()) return std::nullopt;
  return Whole{.passed = *passed, .body = *body};
}

void UpstreamOwner::settle(const Record& record) {
  switch (static_cast<RecordKind>(record.kind)) {
    case RecordKind::kWhole:
    case RecordKind::kEnd:
    case RecordKind::kFailed:
      call_over(record.call);
      break;
    case RecordKind::kBackendClosed:
      backends_[static_cast<std::size_t>(record.call)] = BackendState::kNone;
      --under_way_;
      break;
    default:
      break;
  }
}

// Hot. Microtasks and process.nextTick run before this returns. Node-API's own call instead of
// FunctionReference::MakeCallback, which makes a C++ exception of whatever fails: an environment
// that is being terminated runs nothing any more, and there is nobody to tell.
void UpstreamOwner::call_back(std::size_t count) {
  const Napi::HandleScope scope(env_);
  const napi_value given = to_js(env_, static_cast<std::int32_t>(count));
  const napi_status status =
      napi_make_callback(env_, *context_, env_.Global(), on_batch_.Value(), 1, &given, nullptr);
  if (status != napi_pending_exception) return;
  napi_value error = nullptr;
  if (napi_get_and_clear_last_exception(env_, &error) == napi_ok) napi_fatal_exception(env_, error);
}

void UpstreamOwner::update_hold() {
  if (held_ == (under_way_ > 0)) return;
  held_ = !held_;
  reactor_->hold(held_);
}

void UpstreamOwner::call_began(std::int32_t call) {
  const auto index = static_cast<std::size_t>(call);
  if (index >= calls_open_.size()) calls_open_.resize(index + 1, false);
  calls_open_[index] = true;
  ++under_way_;
  update_hold();
}

void UpstreamOwner::call_over(std::int32_t call) {
  // An aborted call may still have its end in this batch.
  if (!is_call_open(call)) return;
  calls_open_[static_cast<std::size_t>(call)] = false;
  --under_way_;
}

void UpstreamOwner::call_aborted(std::int32_t call) {
  call_over(call);
  update_hold();
}

void UpstreamOwner::backend_opened(std::int32_t backend) {
  const auto index = static_cast<std::size_t>(backend);
  if (index >= backends_.size()) backends_.resize(index + 1, BackendState::kNone);
  backends_[index] = BackendState::kOpen;
}

void UpstreamOwner::backend_closing(std::int32_t backend) {
  backends_[static_cast<std::size_t>(backend)] = BackendState::kClosing;
  ++under_way_;
  update_hold();
}

}  // namespace weir::binding
