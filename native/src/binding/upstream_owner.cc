#include "binding/upstream_owner.h"

#include "binding/values.h"

namespace weir::binding {

namespace {

constexpr std::size_t kRecordsMin = 1024;
constexpr std::size_t kArenaBytesMin = std::size_t{512} * 1024;

template <typename Item>
bool read_memory(napi_env env, napi_value value, std::span<Item>& out) {
  bool is_buffer = false;
  void* data = nullptr;
  std::size_t bytes = 0;
  if (napi_is_arraybuffer(env, value, &is_buffer) != napi_ok || !is_buffer ||
      napi_get_arraybuffer_info(env, value, &data, &bytes) != napi_ok ||
      reinterpret_cast<std::uintptr_t>(data) % alignof(Item) != 0) {
    return false;
  }
  auto* const items = static_cast<Item*>(data);
  std::uninitialized_default_construct_n(items, bytes / sizeof(Item));
  out = {items, bytes / sizeof(Item)};
  return true;
}

}  // namespace

using upstream::Client;
using upstream::ClientOptions;
using upstream::Record;
using upstream::RecordKind;
using upstream::UvReactor;

const char* UpstreamOwner::open(const ClientOptions& options, napi_value records, napi_value arena,
                                napi_value on_batch) {
  std::span<char> arena_bytes;
  if (!read_memory(env_, records, records_) || records_.size() < kRecordsMin ||
      !read_memory(env_, arena, arena_bytes) || arena_bytes.size() < kArenaBytesMin) {
    return "records and arena are ArrayBuffers of enough bytes";
  }
  napi_valuetype type{};
  if (napi_typeof(env_, on_batch, &type) != napi_ok || type != napi_function) {
    return "onBatch is a function";
  }
  uv_loop_s* loop = nullptr;
  if (napi_get_uv_event_loop(env_, &loop) != napi_ok) return "there is no event loop";
  const char* reason = nullptr;
  reactor_ = UvReactor::open(loop, reason);
  if (reactor_ == nullptr) return reason;
  napi_value name = nullptr;
  napi_create_string_utf8(env_, "weir:upstream", NAPI_AUTO_LENGTH, &name);
  napi_async_init(env_, nullptr, name, &context_);
  napi_create_reference(env_, records, 1, &records_ref_);
  napi_create_reference(env_, arena, 1, &arena_ref_);
  napi_create_reference(env_, on_batch, 1, &on_batch_ref_);
  client_ = std::make_unique<Client>(options, *reactor_, *this, records_, arena_bytes);
  reactor_->serve(*client_);
  return nullptr;
}

void UpstreamOwner::close(napi_async_cleanup_hook_handle hook) {
  client_.reset();
  for (const napi_ref reference : {records_ref_, arena_ref_, on_batch_ref_}) {
    if (reference != nullptr) napi_delete_reference(env_, reference);
  }
  if (context_ != nullptr) napi_async_destroy(env_, context_);
  if (reactor_ == nullptr) {
    napi_remove_async_cleanup_hook(hook);
    return;
  }
  // Node waits for this hook, and so for libuv to let go of all handles.
  reactor_->close(
      [](void* data) {
        napi_remove_async_cleanup_hook(static_cast<napi_async_cleanup_hook_handle>(data));
      },
      hook);
}

void UpstreamOwner::deliver(std::size_t count) {
  for (const Record& record : records_.first(count)) settle(record);
  call_back(count);
  update_hold();
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

// Hot. Microtasks and process.nextTick run before this returns.
void UpstreamOwner::call_back(std::size_t count) {
  napi_handle_scope scope = nullptr;
  if (napi_open_handle_scope(env_, &scope) != napi_ok) return;
  napi_value on_batch = nullptr;
  napi_get_reference_value(env_, on_batch_ref_, &on_batch);
  napi_value given = integer(env_, static_cast<std::int32_t>(count));
  napi_value receiver = nullptr;
  napi_get_global(env_, &receiver);
  const napi_status status =
      napi_make_callback(env_, context_, receiver, on_batch, 1, &given, nullptr);
  if (status == napi_pending_exception) {
    napi_value error = nullptr;
    if (napi_get_and_clear_last_exception(env_, &error) == napi_ok) {
      napi_fatal_exception(env_, error);
    }
  }
  napi_close_handle_scope(env_, scope);
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

bool UpstreamOwner::read_call(napi_value value, std::int32_t& call) const {
  std::uint32_t index = 0;
  if (!read_index(env_, value, calls_open_.size(), index)) {
    refuse(env_, "no such call");
    return false;
  }
  call = static_cast<std::int32_t>(index);
  return true;
}

bool UpstreamOwner::read_backend(napi_value value, std::int32_t& backend) const {
  std::uint32_t index = 0;
  if (!read_index(env_, value, backends_.size(), index) ||
      backends_[index] == BackendState::kNone) {
    refuse(env_, "no open backend");
    return false;
  }
  backend = static_cast<std::int32_t>(index);
  return true;
}

}  // namespace weir::binding
