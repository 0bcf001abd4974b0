/**
 * A connection may be gone while the requests that it brought are still being read. Then nobody can tell who sent
 * them: no rule may let them pass for that, and nothing goes upstream.
 */

import { describe, expect, it } from "vitest";
import { Exchange } from "../../../src/edge/exchange.ts";
import { UNKNOWN_PLACE } from "../../../src/edge/geo.ts";
import { Pipeline } from "../../../src/edge/pipeline.ts";
import { NONE, PolicySlot } from "../../../src/edge/policies/policy-slot.ts";
import { TrustedProxies } from "../../../src/edge/request/client-address.ts";
import { HeaderReader } from "../../../src/edge/request/header-reader.ts";
import type { Route } from "../../../src/edge/routing/route.ts";
import type { RouteTable } from "../../../src/edge/routing/route-table.ts";
import { Services } from "../../../src/edge/services.ts";
import { BodyMemory } from "../../../src/edge/slow/body-memory.ts";
import { IdleTimeouts } from "../../../src/edge/slow/idle-timeouts.ts";
import { Tunnels } from "../../../src/edge/tunnels/tunnels.ts";
import { LibraryConnection } from "../../../src/http/library-connection.ts";
import type { HttpResponse } from "../../../src/http/uws.ts";
import type { CompiledPolicy, PolicyExchange } from "../../../src/policy/exchange.ts";
import type { Log } from "../../../src/telemetry/log.ts";
import { Counter, Metrics } from "../../../src/telemetry/metrics.ts";
import { listenerWith } from "../../listener.ts";
import { accessLogTo, quietCarrier } from "../../observing.ts";
import { decodedBy } from "../../telemetry/encoded.ts";
import { NO_LOAD } from "../../upstream/idle.ts";
import { NO_EVALUATOR } from "../manual-evaluator.ts";

const passing = (reads: (exchange: PolicyExchange) => unknown): CompiledPolicy => ({
	enabled: true,
	inboundEmpty: false,
	outboundEmpty: true,
	inbound(exchange) {
		reads(exchange);
		return { kind: "continue" };
	},
	outbound: () => ({ kind: "continue" }),
	resume: () => ({ kind: "continue" }),
	close() {},
});

/** Runs one request whose connection is gone. */
const run = (policy: CompiledPolicy | undefined, accessLog = false, bodyLength = 0) => {
	const heard: string[] = [];
	let aborted = (): void => {};
	const response = {
		getRemoteAddress: () => new ArrayBuffer(0),
		onAborted: (handler: () => void) => {
			aborted = handler;
		},
		onData() {},
		pause: () => heard.push("paused"),
		resume: () => heard.push("resumed"),
		close: () => {
			heard.push("closed");
			aborted();
		},
	} as unknown as HttpResponse;
	const log = {
		encoded: decodedBy((fields) => {
			const { client_ip, aborted } = fields as Record<string, unknown>;
			heard.push(`logged ${JSON.stringify([client_ip, aborted])}`);
		}),
		error: () => heard.push("error"),
	} as unknown as Log;
	const metrics = new Metrics();
	const services = new Services({
		metrics,
		log,
		geo: { lookup: () => UNKNOWN_PLACE },
		trustedProxies: new TrustedProxies(["127.0.0.0/8"]),
		evaluator: NO_EVALUATOR,
		accessLog: accessLogTo(log, accessLog),
		carrier: quietCarrier(),
	});
	const upstream = {
		send: () => {
			heard.push("sent");
			return { resume() {}, abort() {} };
		},
		close: () => Promise.resolve(),
	};
	const document = { urls: ["http://127.0.0.1:9"] };
	const bodies = new BodyMemory().share(NO_LOAD);
	let slot = NONE;
	if (policy !== undefined) {
		slot = new PolicySlot();
		slot.ready(policy);
	}
	const route = {
		edgeId: "e",
		routeId: "r",
		backend: { document, upstream, key: "", bodies },
		slot,
		policy,
	} as unknown as Route;
	const header = new HeaderReader("drop", new Counter());
	header.add("host", "h.example");
	const head = {
		method: "GET",
		rawPath: "/",
		rawQuery: undefined,
		lines: header.takeLines(),
		bodyLength,
		host: header.host,
		authority: { host: "h.example", port: undefined },
		path: "/",
		ascii: true,
		upgrade: false,
		via: false,
	};
	const listener = listenerWith({ port: 80 });
	const listenerContext = { listener, scheme: "http", port: 80, sni: "" } as const;
	const table = { find: () => route } as unknown as RouteTable;
	const client = new LibraryConnection(response, undefined);
	const exchange = new Exchange(response, listenerContext, head, services, client);
	const tunnels = new Tunnels({ metrics, log, logs: () => false, idleMs: 1000 });
	const idleTimeouts = new IdleTimeouts(1000);
	new Pipeline(table, services, idleTimeouts, tunnels).run(exchange);
	idleTimeouts.sweep(performance.now());
	const { aborts } = { aborts: metrics.snapshot() };
	return { heard, exchange, aborts: JSON.stringify(aborts) };
};

describe("a request of a client that has gone", () => {
	it.each<[string, CompiledPolicy | undefined]>([
		["without a policy", undefined],
		["whose rules read the address", passing((exchange) => exchange.clientIp)],
		["whose rules read something else", passing((exchange) => exchange.method)],
	])("%s is forwarded to nobody", (_name, policy) => {
		const { heard, exchange, aborts } = run(policy);
		expect(heard).toEqual(["closed"]);
		expect(exchange.over).toBe(true);
		expect(aborts).toContain("weir_client_aborts_total");
	});

	it("leaves no body that would be waited for: what is gone must not be touched", () => {
		const { heard, exchange } = run(undefined, false, 5);
		expect(heard).toEqual(["closed"]);
		expect(exchange.over).toBe(true);
	});

	it("is logged as aborted, without an address", () => {
		expect(run(undefined, true).heard).toEqual(['logged ["",true]', "closed"]);
	});
});
