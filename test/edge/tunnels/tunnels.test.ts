/** What a worker knows of its tunnels: how many there are, by route as well, their bytes, and how each ended. */
import { Duplex } from "node:stream";
import { expect, it } from "vitest";
import { Tunnels } from "../../../src/edge/tunnels/tunnels.ts";
import { Metrics } from "../../../src/telemetry/metrics.ts";
import { FakeOpener, nativeBackend } from "./fake-tunnel.ts";

function worker(logs = true) {
	const metrics = new Metrics();
	const lines: object[] = [];
	const info = (fields: object, message: string) => {
		lines.push({ ...fields, message });
	};
	const tunnels = new Tunnels({ metrics, log: { info }, logs: () => logs, idleMs: 1000 });
	const response = new FakeOpener();
	const open = (routeId = "r", document: object = {}, backend = nativeBackend) => {
		const request = {
			...{ edgeId: "e", routeId, host: "h.example", loggedIp: "192.0.2.1", response },
			...{ head: { rawPath: "/chat" }, logs: [], reports: [], trace: undefined },
		};
		const route = { edgeId: "e", routeId, backend: { document: { urls: [], ...document } } };
		if (tunnels.refuses(route)) return "refused";
		const isOpen = tunnels.begin(request, route, "101 X", ["websocket"], backend);
		return isOpen ? response.tunnels.at(-1) : undefined;
	};
	return { metrics, lines, tunnels, response, open };
}

type Opened = ReturnType<ReturnType<typeof worker>["open"]>;
const tunnelOf = (opened: Opened) => {
	if (opened === undefined || opened === "refused") throw new Error(`not open: ${opened}`);
	return opened;
};

it("a tunnel begins with what the configuration says, or its backend", () => {
	const { open } = worker();
	expect(tunnelOf(open()).start).toMatchObject({ head: "101 X", idleMs: 1000, isWebSocket: true });
	expect(tunnelOf(open("r", { tunnel_idle_timeout_ms: 5 })).start.idleMs).toBe(5);
});

it("counts those that are open, their bytes while they are, and by whom they ended", () => {
	const { open, metrics, tunnels } = worker();
	const [first, second] = [tunnelOf(open()), tunnelOf(open())];
	Object.assign(first, { bytesIn: 10, bytesOut: 20 });
	tunnels.count();
	expect(metrics.snapshot()).toEqual({
		weir_tunnels_open: 2,
		weir_tunnels_opened_total: 2,
		'weir_tunnel_bytes_total{direction="in"}': 10,
		'weir_tunnel_bytes_total{direction="out"}': 20,
	});
	Object.assign(first, { bytesIn: 15, bytesOut: 20 });
	first.over("client");
	first.over("client");
	second.over("idle");
	expect(metrics.snapshot()).toEqual({
		weir_tunnels_open: 0,
		weir_tunnels_opened_total: 2,
		'weir_tunnel_bytes_total{direction="in"}': 15,
		'weir_tunnel_bytes_total{direction="out"}': 20,
		'weir_tunnels_ended_total{by="client"}': 1,
		'weir_tunnels_ended_total{by="idle"}': 1,
	});
});

it("says in the log how each ended, where its request had a line", () => {
	const { open, lines } = worker();
	const tunnel = tunnelOf(open());
	Object.assign(tunnel, { bytesIn: 1, bytesOut: 2 });
	tunnel.over("backend");
	expect(lines).toEqual([
		{
			...{ message: "tunnel ended", edge: "e", route: "r", protocol: "websocket" },
			...{ host: "h.example", path: "/chat", client_ip: "192.0.2.1", ended_by: "backend" },
			...{ bytes_in: 1, bytes_out: 2, duration_ms: expect.any(Number) },
		},
	]);
	const silent = worker(false);
	tunnelOf(silent.open()).over("client");
	expect(silent.lines).toEqual([]);
});

it("a route has as many as it may, whatever others have, and gets room with each end", () => {
	const { open, metrics, tunnels } = worker();
	const most = { max_tunnels: 2 };
	const first = tunnelOf(open("r", most));
	tunnelOf(open("r", most));
	expect(open("r", most)).toBe("refused");
	tunnelOf(open("other", most));
	first.over("client");
	tunnelOf(open("r", most));
	expect(open("r", most)).toBe("refused");
	// those that began before there was a bound count as well
	expect(open("other", { max_tunnels: 1 })).toBe("refused");
	expect(metrics.snapshot().weir_tunnels_refused_total).toBe(3);
	expect(tunnels.open).toBe(3);
});

it("a client that has gone leaves nothing behind", () => {
	const { open, response, tunnels, metrics } = worker();
	response.isGone = true;
	expect(open("r", { max_tunnels: 1 })).toBeUndefined();
	expect([tunnels.open, metrics.snapshot().weir_tunnels_opened_total]).toEqual([0, undefined]);
	response.isGone = false;
	tunnelOf(open("r", { max_tunnels: 1 }));
});

it("says goodbye on all, drops all, and tells when none is left", async () => {
	const { open, tunnels } = worker();
	await tunnels.none();
	const both = [tunnelOf(open()), tunnelOf(open())];
	tunnels.drain();
	tunnels.close();
	expect(both.map(({ did }) => did)).toEqual([
		["drain", "close"],
		["drain", "close"],
	]);
	let isNone = false;
	const none = tunnels.none().then(() => {
		isNone = true;
	});
	both[0]?.over("drain");
	await Promise.resolve();
	expect(isNone).toBe(false);
	both[1]?.over("error");
	await none;
});

it("a backend that JS has is carried by a port; one that is closed already by none", () => {
	const { open } = worker();
	const stream = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
	const port = { call: undefined, stream, abort() {} };
	expect(tunnelOf(open("r", {}, port)).port).toBeDefined();
	stream.destroy();
	expect(open("r", {}, port)).toBeUndefined();
});
