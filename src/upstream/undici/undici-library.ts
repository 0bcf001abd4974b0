/**
 * The two parts of undici that serve backends with TLS; the one file that imports it. The package's own entry loads all
 * of it (fetch, caches, WebSockets), which costs each worker 45 ms of processor time before it listens and is used by
 * nobody. The version is pinned, for these paths are undici's own affair. Used by `undici-upstream.ts`.
 */
import { createRequire } from "node:module";
import type * as undici from "undici";

const load = createRequire(import.meta.url);

export const Client: typeof undici.Client = load("undici/lib/dispatcher/client.js");
export type Client = undici.Client;
export const buildConnector: typeof undici.buildConnector = load("undici/lib/core/connect.js");
export type { Dispatcher } from "undici";
