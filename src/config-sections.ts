/**
 * The sections of the config file, each a schema whose descriptions `docs/configuration.md` shows (contract 1).
 * Put together by `config.ts`.
 */
import { z } from "zod";
import { LIMITS } from "./limits/limits.ts";

const milliseconds = z.int().min(1).max(LIMITS.settingMsMax);

export const certificate = z.strictObject({
	cert: z.string().describe("Certificate and its chain, a PEM file."),
	key: z.string().describe("The certificate's private key, a PEM file without a passphrase."),
});

export const listenerSchema = z.strictObject({
	address: z.string().describe("`host:port` or `[v6]:port`. Port 0 picks a free one."),
	tls: z
		.union([certificate, z.array(certificate).min(1)])
		.optional()
		.describe(
			"One certificate, or a list from which the client's SNI chooses; the first answers unknown names. Absent: plain HTTP.",
		),
	proxy_protocol: z
		.boolean()
		.default(false)
		.describe(
			"Every connection begins with a PROXY protocol header, version 1 or 2, before TLS. Its client address is believed; a connection without one is closed.",
		),
});

export const management = z.strictObject({
	address: z
		.string()
		.default("127.0.0.1:4040")
		.describe(
			"`host:port` of the management API. Beyond loopback it wants `tls`: whoever reads along has the API keys.",
		),
	tls: certificate
		.optional()
		.describe(
			"The API's certificate. Absent: plain HTTP. Changed files are taken over by a reload; to set or remove `tls` needs a restart.",
		),
	hosts: z
		.array(z.string())
		.max(LIMITS.managementHosts)
		.default([])
		.describe(
			"Names by which clients reach the API, `*.example.com` for all below one. Requests for another name are 421. IP addresses, `localhost`, the name in `address` and those of the certificates need not be listed.",
		),
	ui: z
		.boolean()
		.default(true)
		.describe(
			"The live page at `/ui/`. Its files need no key; what it shows does. false: there is no such page.",
		),
});

export const versions = z.strictObject({
	keep: z
		.int()
		.min(0)
		.max(LIMITS.versionsKeptMax)
		.default(LIMITS.versionsKept)
		.describe(
			"Versions of each policy; the oldest goes when there is another one. 0: no more are written, and those that there are stay. In a fleet that of the machine counts that takes the change.",
		),
});

/** Of TLS 1.2 what has forward secrecy and authenticated encryption. All suites of TLS 1.3 have both. */
const FORWARD_SECRET_SUITES = [
	"ECDHE-ECDSA-AES128-GCM-SHA256",
	"ECDHE-RSA-AES128-GCM-SHA256",
	"ECDHE-ECDSA-AES256-GCM-SHA384",
	"ECDHE-RSA-AES256-GCM-SHA384",
	"ECDHE-ECDSA-CHACHA20-POLY1305",
	"ECDHE-RSA-CHACHA20-POLY1305",
].join(":");

export const tls = z.strictObject({
	min_version: z.enum(["TLSv1.2", "TLSv1.3"]).default("TLSv1.2").describe("The oldest version."),
	ciphers: z
		.string()
		.default(FORWARD_SECRET_SUITES)
		.describe(
			"OpenSSL's list of cipher suites, for TLS 1.2. The default has forward secrecy and authenticated encryption only. The suites of TLS 1.3 are OpenSSL's default and cannot be chosen.",
		),
});

export const counters = z.strictObject({
	file: z
		.string()
		.nullable()
		.default(null)
		.describe(
			"The file that all workers map and count rate-limits in. null: `counters` in `data_dir`. In `/dev/shm` no slow disk can hold up a decision, but counts end with the machine.",
		),
	keys_max: z
		.int()
		.min(LIMITS.keysPerRateLimitMin)
		.max(LIMITS.keysPerRateLimitMax)
		.default(LIMITS.keysPerRateLimit)
		.describe(
			"Keys that one rate-limit remembers. Set it to a quarter more than the keys you expect. A change begins all rate-limits anew.",
		),
});

export const rateLimits = z.strictObject({
	ipv6_prefix: z
		.int()
		.min(1)
		.max(LIMITS.ipv6PrefixMax)
		.default(LIMITS.ipv6Prefix)
		.describe(
			"How many bits of an IPv6 address rate-limits count where `conn.client_ip` is an element of their key: a client owns its /64, and may send each request from another address of it. IPv4 counts whole. A policy may say otherwise for one limit.",
		),
});

export const metrics = z.strictObject({
	routes: z
		.int()
		.min(0)
		.max(LIMITS.shownRoutesMax)
		.default(LIMITS.shownRoutes)
		.describe(
			"How many routes have series of their own in `/metrics`, the busiest; the others are one sum. A route has some ten series, and one for each rule that applies.",
		),
});

export const expressions = z.strictObject({
	deadline_ms: z
		.int()
		.min(1)
		.max(LIMITS.heavyDeadlineMsMax)
		.default(LIMITS.heavyDeadlineMs)
		.describe("Work that one evaluation may take in a thread; more answers 500."),
	threads: z
		.int()
		.min(1)
		.max(LIMITS.heavyThreadsMax)
		.default(LIMITS.heavyThreads)
		.describe("Threads that each worker may start for expensive expressions."),
});

export const timeouts = z.strictObject({
	request_header_ms: milliseconds
		.default(LIMITS.requestHeaderMs)
		.describe(
			"For a request header from its first byte, then 408; and for the first byte of a connection. With `front: off` the server library waits 10 s, and a start with another value warns.",
		),
	idle_ms: milliseconds
		.default(LIMITS.clientIdleMs)
		.describe(
			"Without a byte: between requests, of a request body, of a response that the client does not read, of an upstream's body. With `front: off` the server library's 10 s hold between requests.",
		),
	tunnel_idle_ms: milliseconds
		.default(LIMITS.tunnelIdleMs)
		.describe(
			"Without a byte in either direction of a tunnel (WebSocket, other upgrades). A route may say otherwise.",
		),
	upstream_connect_ms: milliseconds
		.default(LIMITS.upstreamConnectMs)
		.describe("To connect to a backend. A route may say otherwise."),
	upstream_response_ms: milliseconds
		.default(LIMITS.upstreamResponseMs)
		.describe(
			"From the request sent to the backend's response header; then 504. A route may say otherwise.",
		),
	drain_ms: z
		.int()
		.min(0)
		.max(LIMITS.settingMsMax)
		.default(LIMITS.drainMs)
		.describe(
			"For requests in flight when weir stops or a reload replaces a worker; what takes longer is cut and counted (`weir_drain_cut_total`). 0: as long as it takes, also at a stop.",
		),
});

export const limits = z.strictObject({
	request_header_bytes: z
		.int()
		.min(LIMITS.requestHeaderBytesMin)
		.max(LIMITS.requestHeaderBytesMax)
		.default(LIMITS.requestHeaderBytes)
		.describe("Request line and header fields together; more answers 431."),
	policy_bytes: z
		.int()
		.min(LIMITS.policyBytes)
		.max(LIMITS.policyBytesMax)
		.default(LIMITS.policyBytes)
		.describe("One policy document."),
	body_memory_bytes: z
		.int()
		.min(LIMITS.bodyMemoryBytesMin)
		.default(LIMITS.bodyMemoryBytes)
		.describe(
			"What one worker keeps of request bodies, and as much again of responses that clients do not read.",
		),
	connections: z
		.int()
		.min(0)
		.max(LIMITS.connectionsMax)
		.default(0)
		.describe(
			"Connections that clients may have open, over all listeners and workers, those of a reload's old workers included. A further one gets 503 and is closed, on TLS listeners closed at once. 0: as many as descriptors allow.",
		),
	connections_per_address: z
		.int()
		.min(0)
		.max(LIMITS.connectionsPerAddressMax)
		.default(0)
		.describe(
			"The same for one client address (IPv6: for one /64). Connections from `trusted_proxies` don't count; with `proxy_protocol` the address that the header names does. 0: any number.",
		),
	rules: z
		.int()
		.min(LIMITS.rulesPerPhase)
		.max(LIMITS.rulesPerPhaseMax)
		.default(LIMITS.rulesPerPhase)
		.describe("Rules of one phase of a policy."),
});

const leastRate = z.int().min(0).default(LIMITS.slowBytesPerSecond);

/** Clients that are waited for while they send or read a body (`edge/slow/slow-clients.ts`). */
export const slowClients = z.strictObject({
	grace_ms: milliseconds
		.default(LIMITS.slowGraceMs)
		.describe("How far a client may lag behind the least rate."),
	min_upload_bytes_per_second: leastRate.describe(
		"The least rate of uploads. 0: as slow as `timeouts.idle_ms` allows, and no `per_address` for uploads.",
	),
	min_download_bytes_per_second: leastRate.describe("The least rate of responses; 0 likewise."),
	per_address: z
		.int()
		.min(0)
		.default(LIMITS.slowPerAddress)
		.describe(
			"Clients of one address (IPv6: of one /64) that may lag at the same time, per worker; of more the slowest goes. 0: any number.",
		),
});
