/**
 * What the live page is told, by a real server under traffic (docs/management-api.md, "Live"): each second, also of a change,
 * and of a worker that is killed; a stop ends it.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { LiveEvents, LiveRoutes } from "../../src/management/live/shapes.ts";
import {
	KEY,
	kill,
	type Server,
	send,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "./harness.ts";

type Event = {
	[Name in keyof LiveEvents]: { name: Name; data: LiveEvents[Name] };
}[keyof LiveEvents];

class Watcher {
	readonly events: Event[] = [];
	readonly ended: Promise<void>;
	readonly #leaving = new AbortController();

	constructor(port: number) {
		this.ended = this.#read(port).catch(() => {});
	}

	async #read(port: number): Promise<void> {
		const { body } = await fetch(`http://127.0.0.1:${port}/live/events`, {
			headers: { authorization: `Bearer ${KEY}` },
			signal: this.#leaving.signal,
		});
		const decoder = new TextDecoder();
		let text = "";
		for await (const chunk of body ?? []) {
			text += decoder.decode(chunk, { stream: true });
			const blocks = text.split("\n\n");
			text = blocks.pop() ?? "";
			for (const block of blocks) {
				const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
				if (data !== undefined) this.events.push({ name, data: JSON.parse(data) } as Event);
			}
		}
	}

	/** The first event, from now on or before, of which this is true. */
	saw<Name extends keyof LiveEvents>(
		name: Name,
		isIt: (data: LiveEvents[Name]) => boolean,
		what: string,
	): Promise<LiveEvents[Name]> {
		return until(() => {
			const found = this.events.find((event) => event.name === name && isIt(event.data as never));
			return found?.data as LiveEvents[Name] | undefined;
		}, what);
	}

	leave(): void {
		this.#leaving.abort();
	}
}

let server: Server;
let upstream: TestUpstream;
let traffic: NodeJS.Timeout;
beforeAll(async () => {
	upstream = await startUpstream();
	server = await startServer({ workers: 2 });
	await server.route(upstream.port);
	await server.policy({
		inbound: [
			{ name: "no posts", expressions: ["req.method == 'POST'"], actions: [{ type: "deny" }] },
		],
	});
	traffic = setInterval(() => {
		for (const method of ["GET", "POST"])
			send(server.port, `/${method}?secret`, { method }).catch(() => {});
	}, 25);
});
afterAll(async () => {
	clearInterval(traffic);
	await server?.cleanUp();
	await upstream?.close();
});

it("tells what happens, while it happens", async () => {
	const watcher = new Watcher(server.managementPort);
	const now = await watcher.saw(
		"overview",
		({ requests_per_second: all, upstreams }) => all > 20 && upstreams.length > 0,
		"traffic",
	);
	expect(watcher.events[0]?.name).toBe("history");
	expect(now).toMatchObject({
		problems: [],
		upstreams_left_out: 0,
		store: { routes: 1, policies: 1 },
	});
	expect(now.refusals_per_second).toBeGreaterThan(5);
	expect(now.p50_ms).toBeGreaterThan(0);
	expect(now.upstreams).toMatchObject([
		{ address: `http://127.0.0.1:${upstream.port}`, state: "up" },
	]);
	expect(now.workers.map(({ state }) => state)).toEqual(["serving", "serving"]);
	expect(new Set(now.workers.map(({ pid }) => pid))).toEqual(new Set(server.workerPids()));
	for (const { rss_bytes, cpu } of now.workers) {
		expect(rss_bytes).toBeGreaterThan(10_000_000);
		expect(cpu).toBeGreaterThanOrEqual(0);
	}

	const { refusals } = await watcher.saw("refusals", () => true, "refusals");
	expect(refusals[0]).toMatchObject({
		...{ method: "POST", path: "/POST", status: 403, reason: "deny", client_ip: "127.0.0.1" },
		rule: { phase: "inbound", index: 0, name: "no posts" },
	});

	// A change, seen by everybody, and served by all workers when it is told of.
	await server.policy({
		inbound: [{ name: "none", expressions: ["req.method == 'PUT'"], actions: [{ type: "deny" }] }],
	});
	const { revision } = await watcher.saw(
		"changes",
		({ changes }) => changes[0]?.kind === "policy",
		"the change",
	);
	await watcher.saw(
		"overview",
		({ workers }) =>
			workers.every(({ policy_version: version }) => version !== null && version >= revision),
		"all workers to have it",
	);

	// A worker that is killed is missed, and comes back; within less than the second between two looks, so that it may take
	// some more kills until one sees it gone.
	const all = server.workerPids();
	const survivor = all.at(-1) ?? 0;
	const KILL_MS = 300;
	let killedAtMs = 0;
	const seenMissing = await until(() => {
		if (Date.now() - killedAtMs > KILL_MS) {
			for (const pid of server.workerPids()) if (pid !== survivor) kill(pid, "SIGKILL");
			killedAtMs = Date.now();
		}
		const seen = watcher.events.find(
			(event) =>
				event.name === "overview" &&
				(event.data as LiveEvents["overview"]).problems.some(({ id }) =>
					/^worker-\d-missing$/.test(id),
				),
		);
		return seen?.data as LiveEvents["overview"] | undefined;
	}, "the worker to be missed");
	const living = seenMissing.workers.flatMap(({ pid }) => (pid === null ? [] : [pid]));
	expect(living).toEqual([survivor]);
	await until(() => {
		const last = watcher.events.findLast(({ name }) => name === "overview")
			?.data as LiveEvents["overview"];
		return last.problems.length === 0 && last.workers.length === 2 ? true : undefined;
	}, "another one in its place");

	const routes = await until(async () => {
		const { body } = await server.api("GET", "/live/routes?sort=requests");
		const told: LiveRoutes = JSON.parse(body);
		const [route] = told.routes;
		// Nobody is refused since the change, and what a killed worker had not told yet is lost.
		return (route?.requests ?? 0) > 50 && (route?.refusals ?? 0) > 0 ? told : undefined;
	}, "more than 50 requests and some refusals");
	expect(routes).toMatchObject({ found: 1, routes: [{ policy: { state: "enabled", rules: 1 } }] });
	watcher.leave();
	await watcher.ended;
});

it("ends with the server, which does not wait for it", async () => {
	const watcher = new Watcher(server.managementPort);
	await watcher.saw("history", () => true, "the history");
	clearInterval(traffic);
	kill(server.child.pid ?? 0, "SIGTERM");
	await watcher.saw("end", ({ reason }) => reason === "stopping", "the end");
	await watcher.ended;
	expect(await server.exited).toBe(0);
});
