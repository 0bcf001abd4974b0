/** Requests whose rules wait for an expensive expression, over real sockets, while others are served. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { Outcome, PolicyExchange } from "../../../src/policy/exchange.ts";
import {
	ask,
	CONTINUE,
	get,
	post,
	RawClient,
	RawUpstream,
	startEdge,
	type TestEdge,
} from "../harness.ts";
import { ManualEvaluator, suspended, until } from "../manual-evaluator.ts";

const upstream = new RawUpstream();
const evaluator = new ManualEvaluator();
let edge: TestEdge;
let url: string;
beforeAll(async () => {
	url = await upstream.listen();
	edge = await startEdge({ urls: [url], evaluator });
});
afterAll(async () => {
	await edge.close();
	await upstream.close();
});
beforeEach(() => {
	upstream.requests.length = 0;
	upstream.onRequest = (socket, _head, body) => {
		socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
	};
});

/** Requests to `/heavy…` wait inbound and come to `outcome`; others pass. */
const afterWaiting = (outcome: Outcome, outbound?: (exchange: PolicyExchange) => Outcome): void =>
	edge.setPolicy({
		inbound: (exchange) =>
			exchange.url.path.startsWith("/heavy") ? suspended("inbound") : CONTINUE,
		...(outbound === undefined ? {} : { outbound }),
		resume: (_, { phase }, result) => {
			if (phase === "inbound") return result === true ? outcome : CONTINUE;
			return { kind: "respond", statusCode: 203, headers: [], content: `replaced: ${result}` };
		},
	});

const RESPOND: Outcome = {
	kind: "respond",
	statusCode: 200,
	headers: [["x", "1"]],
	content: "own",
};

/** Asks, and settles what it waits for. */
async function settled(bytes: string, ...results: (boolean | string)[]) {
	const answer = ask(edge.port, bytes);
	for (const result of results) (await evaluator.next()).settle(result);
	return answer;
}

describe("a request that waits inbound", () => {
	it.each([
		[{ kind: "deny", statusCode: 418 }, 418, ""],
		[{ kind: "limited", retryAfterSeconds: 7 }, 429, "ERR_RATE_LIMITED"],
		[{ kind: "failed" }, 500, "ERR_POLICY_FAILED"],
		[RESPOND, 200, "own"],
	] as const)("is answered by its rules: %j", async (outcome, status, body) => {
		afterWaiting(outcome);
		for (const request of [get("/heavy"), post("/heavy", "body")]) {
			const answer = await settled(request, true);
			expect(answer.status).toBe(status);
			expect(answer.body).toContain(body);
		}
		expect(upstream.requests).toEqual([]);
	});

	it("goes upstream with its whole body when they let it pass", async () => {
		afterWaiting(CONTINUE);
		expect((await settled(get("/heavy"), true)).status).toBe(200);
		expect((await settled(post("/heavy", "the body"), true)).body).toBe("the body");
		expect(upstream.requests.map((request) => request.split(" ")[0])).toEqual(["GET", "POST"]);
	});

	it("is a WebSocket or none, as without waiting", async () => {
		afterWaiting(CONTINUE);
		const request = get("/heavy", "Connection: upgrade", "Upgrade: websocket");
		expect((await settled(request, true)).status).toBe(426);
	});

	it("does not keep others waiting, nor the rest of its connection afterwards", async () => {
		afterWaiting({ kind: "deny", statusCode: 403 });
		const client = new RawClient(edge.port).send(get("/heavy"));
		const asked = await evaluator.next();
		for (let round = 0; round < 20; round++) {
			expect((await ask(edge.port, get("/light"))).status).toBe(200);
		}
		expect(client.received).toBe("");
		asked.settle(true);
		expect((await client.response()).status).toBe(403);
		expect((await client.send(get("/light")).response()).status).toBe(200);
		client.send(post("/heavy", "x"));
		(await evaluator.next()).settle(true);
		expect((await client.response()).status).toBe(403);
		expect((await client.send(get("/light")).response()).status).toBe(200);
		client.destroy();
	});

	it("is answered without a body to HEAD", async () => {
		for (const outcome of [RESPOND, CONTINUE]) {
			afterWaiting(outcome);
			const client = new RawClient(edge.port).send(get("/heavy").replace("GET", "HEAD"));
			(await evaluator.next()).settle(true);
			expect((await client.response("HEAD")).status).toBe(200);
			expect((await client.send(get("/light")).response()).status).toBe(200);
			client.destroy();
		}
	});

	it("has its body held back, and its connection usable when nobody wants the body", async () => {
		const size = 24 << 20;
		const body = "abcdefgh".repeat(size / 8);
		let arrived = 0;
		const counting = new RawUpstream();
		counting.onConnection = (socket) => {
			socket.on("data", (data) => {
				arrived += data.length;
				if (data.subarray(-4).toString() !== "end.") return;
				socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
			});
		};
		const large = await startEdge({ urls: [await counting.listen()], evaluator });
		const waitThen = (outcome: Outcome): void =>
			large.setPolicy({ inbound: () => suspended("inbound"), resume: () => outcome });
		waitThen(CONTINUE);
		const client = new RawClient(large.port).send(post("/", `${body}end.`));
		const asked = await evaluator.next();
		let before = -1;
		// It has stopped reading when nothing more comes for a while, long before all is there.
		await until(() => {
			const now = asked.attributes.connectionBytesIn;
			const still = now === before && now > 262_144;
			before = now;
			return still;
		});
		expect(before).toBeLessThan(size / 2);
		expect(arrived).toBe(0);
		asked.settle(true);
		expect((await client.response()).status).toBe(200);
		expect(arrived).toBeGreaterThan(size);
		waitThen({ kind: "deny", statusCode: 403 });
		for (const request of [post("/", body), get("/")]) {
			client.send(request);
			(await evaluator.next()).settle(true);
			expect((await client.response()).status).toBe(403);
		}
		client.destroy();
		await large.close();
		await counting.close();
	});

	it("is forgotten when its client leaves", async () => {
		afterWaiting(CONTINUE);
		for (const request of [get("/heavy"), post("/heavy", "x").slice(0, -1)]) {
			const aborts = edge.metrics.snapshot().weir_client_aborts_total ?? 0;
			const client = new RawClient(edge.port).send(request);
			const asked = await evaluator.next();
			client.destroy();
			await until(() => asked.cancelled);
			expect(edge.metrics.snapshot()).toMatchObject({
				weir_client_aborts_total: aborts + 1,
				weir_requests_in_flight: 0,
			});
		}
		expect(upstream.requests).toEqual([]);
	});

	it("keeps the policy that it started with", async () => {
		afterWaiting({ kind: "deny", statusCode: 418 });
		const waits = ask(edge.port, get("/heavy"));
		const asked = await evaluator.next();
		edge.setPolicy({ inbound: () => ({ kind: "deny", statusCode: 403 }) });
		expect((await ask(edge.port, get("/heavy"))).status).toBe(403);
		asked.settle(true);
		expect((await waits).status).toBe(418);
	});

	it("waits as often as its rules ask, until one deadline", async () => {
		const deadlines: number[] = [];
		edge.setPolicy({
			inbound: () => suspended("inbound", "1"),
			resume: (_, { suspension: { source } }) =>
				source === "3" ? { kind: "deny", statusCode: 403 } : suspended("inbound", `${+source + 1}`),
		});
		const answer = ask(edge.port, get("/"));
		for (const source of ["1", "2", "3"]) {
			const asked = await evaluator.next();
			expect(asked.suspension.source).toBe(source);
			deadlines.push(asked.deadlineMs);
			asked.settle(true);
		}
		expect((await answer).status).toBe(403);
		expect(new Set(deadlines).size).toBe(1);
	});

	it("fails alone where something throws", async () => {
		edge.setPolicy({
			inbound: () => suspended("inbound"),
			resume: () => {
				throw new Error("a bug");
			},
		});
		expect((await settled(get("/heavy"), true)).status).toBe(500);
		const broken = await startEdge({ urls: [url] });
		broken.setPolicy({ inbound: () => suspended("inbound") });
		expect((await ask(broken.port, get("/"))).status).toBe(500);
		await broken.close();
	});

	it("is waited for when the edge drains", async () => {
		const draining = await startEdge({ urls: [url], evaluator });
		draining.setPolicy({
			inbound: () => suspended("inbound"),
			resume: () => ({ kind: "deny", statusCode: 403 }),
		});
		const answer = ask(draining.port, get("/"));
		const asked = await evaluator.next();
		let drained = false;
		const drain = draining.edge.drain(10_000).then(() => {
			drained = true;
		});
		await new Promise((resolve) => setImmediate(resolve));
		expect(drained).toBe(false);
		asked.settle(true);
		expect((await answer).header("connection")).toBe("close");
		await drain;
	});
});

describe("a custom-response whose outbound rules wait", () => {
	const outbound = (): Outcome => suspended("outbound");

	it("is replaced or passes, whether inbound rules have waited or not", async () => {
		afterWaiting(RESPOND, outbound);
		const both = await settled(get("/heavy"), true, "yes");
		expect([both.status, both.body]).toEqual([203, "replaced: yes"]);
		edge.setPolicy({ inbound: () => RESPOND, outbound, resume: () => CONTINUE });
		for (const request of [get("/"), post("/", "x")]) {
			const own = await settled(request, true);
			expect([own.status, own.body, own.header("x")]).toEqual([200, "own", "1"]);
		}
		edge.setPolicy({ inbound: () => RESPOND, outbound, resume: () => ({ kind: "failed" }) });
		expect((await settled(get("/"), true)).status).toBe(500);
	});
});

describe("a request whose policy is being compiled", () => {
	/** ends the compiling of a policy, in the order in which they began */
	const compiled: (() => void)[] = [];
	/** or lets it fail */
	const failed: (() => void)[] = [];
	let slow: TestEdge;
	beforeAll(async () => {
		const make = (): Promise<readonly []> =>
			new Promise((resolve, reject) => {
				compiled.push(() => resolve([]));
				failed.push(() => reject(new Error("not compiled")));
			});
		slow = await startEdge({ urls: [url], evaluator, programs: { make } });
	});
	afterAll(() => slow.close());
	beforeEach(() => {
		// Nobody has the document any more, so that it is compiled anew.
		slow.setPolicy(undefined);
		compiled.length = 0;
		failed.length = 0;
	});
	/** Publishes the policy, asks once, and returns when it is being compiled. */
	const asked = async (request: string, phases: Parameters<TestEdge["setPolicy"]>[0]) => {
		slow.setPolicy(phases);
		const client = new RawClient(slow.port).send(request);
		await until(() => compiled.length > 0);
		return client;
	};
	const DENY = { inbound: (): Outcome => ({ kind: "deny", statusCode: 403 }) };

	it("waits, and is answered under it, as is the next one", async () => {
		const client = await asked(get("/"), DENY);
		expect(client.received).toBe("");
		compiled.shift()?.();
		expect((await client.response()).status).toBe(403);
		client.destroy();
		expect((await ask(slow.port, get("/"))).status).toBe(403);
	});

	it("goes upstream with its whole body if the policy lets it pass", async () => {
		const client = await asked(post("/", "the body"), { inbound: () => CONTINUE });
		compiled.shift()?.();
		expect((await client.response()).body).toBe("the body");
		client.destroy();
	});

	it("gives the policy's expressions all of their time afterwards", async () => {
		const client = await asked(get("/"), {
			inbound: () => suspended("inbound"),
			resume: () => ({ kind: "deny", statusCode: 403 }),
		});
		const readyMs = performance.now();
		compiled.shift()?.();
		const expression = await evaluator.next();
		expect(expression.deadlineMs).toBeGreaterThanOrEqual(readyMs + LIMITS.heavyWaitMs);
		expression.settle(true);
		expect((await client.response()).status).toBe(403);
		client.destroy();
	});

	it("is forgotten when its client leaves", async () => {
		const aborts = slow.metrics.snapshot().weir_client_aborts_total ?? 0;
		const runs: string[] = [];
		const client = await asked(post("/", "x").slice(0, -1), {
			inbound: () => {
				runs.push("ran");
				return CONTINUE;
			},
		});
		client.destroy();
		await until(() => slow.metrics.snapshot().weir_client_aborts_total === aborts + 1);
		compiled.shift()?.();
		await new Promise((resolve) => setImmediate(resolve));
		expect(runs).toEqual([]);
		expect(slow.metrics.snapshot().weir_requests_in_flight).toBe(0);
	});

	it("fails if the policy can't be compiled", async () => {
		slow.setPolicy(DENY);
		const failing = ask(slow.port, get("/"));
		await until(() => compiled.length > 0);
		failed.at(-1)?.();
		compiled.length = 0;
		expect((await failing).status).toBe(500);
	});
});
