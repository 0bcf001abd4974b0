/** Upstream suite: which failures are tried again, and which must not be (contract 6). */
import { expect, test } from "vitest";
import { UpstreamTrail } from "../../../src/upstream/trail.ts";
import type { UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { backend, bench, ManualBody, until, wholeBody } from "../probe.ts";
import {
	answering,
	refusingUrl,
	type Script,
	type ScriptedUpstream,
} from "../scripted-upstream.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/** Answers the first request of each connection and breaks it at the second, without a byte. */
const breakingSecond =
	(counts: { requests: number }): Script =>
	async (connection) => {
		await connection.readRequest();
		counts.requests += 1;
		connection.write(OK);
		await connection.readHead();
		counts.requests += 1;
		connection.reset();
	};

export const upstreamRetries = (factory: UpstreamFactory): void => {
	test.each(["GET", "POST"])(
		"%s with an untouched body goes on to another address when one refuses",
		async (method) => {
			const good = await backend(answering(OK));
			const bad = await refusingUrl();
			const heard = bench(factory, [bad, good.url]);
			for (let round = 0; round < 6; round += 1) {
				const body = method === "POST" ? wholeBody("hello") : undefined;
				expect((await heard.ask({ method, body })).body.toString()).toBe("ok");
			}
			// Set aside after its first failure: the others were not even tried there.
			expect(heard.failures.map(({ address }) => address)).toEqual([bad]);
			expect(heard.retries).toBe(1);
		},
	);

	test("a trail tells the address, the attempts and what connecting took", async () => {
		const good = await backend(answering(OK));
		const bad = await refusingUrl();
		const heard = bench(factory, [bad, good.url]);
		const trails = Array.from({ length: 3 }, () => new UpstreamTrail());
		for (const trail of trails) {
			expect(trail.address).toBe("");
			await heard.ask({ trail });
		}
		const ends = trails.map(({ address, attempts, retries }) => ({ address, attempts, retries }));
		const address = new URL(good.url).host;
		// One of the first two requests met the address that refuses, and went on.
		expect(ends.map(({ attempts }) => attempts).sort()).toEqual([1, 1, 2]);
		for (const end of ends) expect(end).toMatchObject({ address, retries: end.attempts - 1 });
		// the first connection to the good address was made for one of them, the others found it open
		expect(trails.filter(({ connectMs }) => connectMs > 0)).toHaveLength(1);

		const failed = new UpstreamTrail();
		expect((await bench(factory, [bad]).ask({ trail: failed })).failure).toBe("connect");
		expect(failed).toMatchObject({ address: new URL(bad).host, attempts: 1, connectMs: 0 });
	});

	test("tries each address once when all refuse", async () => {
		const urls = [await refusingUrl(), await refusingUrl(), await refusingUrl()];
		const heard = bench(factory, urls);
		expect((await heard.ask()).failure).toBe("connect");
		expect(heard.failures.map(({ address }) => address).sort()).toEqual([...urls].sort());
		expect(heard.retries).toBe(2);
		// All are set aside now, and are tried anyway.
		expect((await heard.ask()).failure).toBe("connect");
		expect(heard.failures.length).toBe(6);
	});

	test.each(["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"])(
		"%s survives a kept-alive connection that breaks before any byte",
		async (method) => {
			const counts = { requests: 0 };
			const upstream = await backend(breakingSecond(counts));
			const heard = bench(factory, [upstream.url]);
			for (let round = 0; round < 4; round += 1) {
				expect((await heard.ask({ method: round === 0 ? "GET" : method })).failure).toBeUndefined();
			}
			expect(heard.failures.every(({ failure }) => failure === "broken")).toBe(true);
			expect(heard.retries).toBe(heard.failures.length);
		},
	);

	test.each(["POST", "PATCH", "X-OWN"])("%s that was sent is never sent again", async (method) => {
		const counts = { requests: 0 };
		const urls = [await backend(breakingSecond(counts)), await backend(breakingSecond(counts))];
		const heard = bench(
			factory,
			urls.map(({ url }) => url),
		);
		await heard.ask();
		await heard.ask();
		expect((await heard.ask({ method })).failure).toBe("broken");
		expect(counts.requests).toBe(3);
		expect(heard.retries).toBe(0);
	});

	test("a body of which a byte was taken is never sent again", async () => {
		const upstream = await backend(async (connection) => {
			await connection.readRequest();
			connection.write(OK);
			await connection.readHead();
			await connection.readBytes(1);
			connection.reset();
		});
		const heard = bench(factory, [upstream.url]);
		await heard.ask();
		const answer = await heard.ask({ method: "PUT", body: wholeBody("hello") });
		expect(answer.failure).toBe("broken");
		expect(heard.retries).toBe(0);
		expect(upstream.connections.length).toBe(1);
	});

	test("nothing is sent again once a byte of the answer has come", async () => {
		for (const byte of ["H", "HTTP/1.1 100 Continue\r\n\r\n", "\r\n"]) {
			let requests = 0;
			const upstream: ScriptedUpstream = await backend(async (connection) => {
				await connection.readRequest();
				connection.write(OK);
				requests += 1;
				await connection.readRequest();
				requests += 1;
				connection.end(byte);
			});
			const heard = bench(factory, [upstream.url]);
			await heard.ask();
			expect((await heard.ask()).failure, JSON.stringify(byte)).toBe("broken");
			expect(requests).toBe(2);
		}
	});

	test("a request that breaks a fresh connection is not handed to the same address again", async () => {
		let requests = 0;
		const killed = await backend(async (connection) => {
			await connection.readRequest();
			requests += 1;
			connection.reset();
		});
		const alone = bench(factory, [killed.url]);
		expect((await alone.ask()).failure).toBe("broken");
		expect(requests).toBe(1);
		const good = await backend(answering(OK));
		const both = bench(factory, [killed.url, good.url]);
		expect((await both.ask()).failure).toBeUndefined();
		expect(requests).toBe(2);
	});

	test("a server that closes idle connections never costs a GET", async () => {
		// The FIN races the next request; every order of the two must end well.
		const upstream = await backend(async (connection) => {
			await connection.readRequest();
			connection.write(OK);
			connection.end();
			await connection.readToEnd();
			connection.socket.destroy();
		});
		const heard = bench(factory, [upstream.url]);
		for (let round = 0; round < 200; round += 1) {
			for (let turn = 0; turn < round % 5; turn += 1)
				await new Promise((resolve) => setImmediate(resolve));
			expect((await heard.ask()).failure).toBeUndefined();
		}
	});

	test("many stale connections at once cost one retry each at most", async () => {
		let restarted = false;
		const upstream = await backend(async (connection) => {
			for (;;) {
				await connection.readRequest();
				if (restarted && connection.index < 8) connection.reset();
				else connection.write(OK);
			}
		});
		const heard = bench(factory, [upstream.url], { connections: 8 });
		await Promise.all(Array.from({ length: 8 }, () => heard.ask()));
		restarted = true;
		const answers = await Promise.all(Array.from({ length: 24 }, () => heard.ask()));
		expect(answers.every(({ failure }) => failure === undefined)).toBe(true);
		expect(heard.retries).toBeLessThanOrEqual(8);
	});

	test("a retried request with a body that had not begun starts it once", async () => {
		const upstream = await backend(async (connection) => {
			await connection.readRequest();
			connection.write(OK);
			if (connection.index === 0) {
				await connection.readUntil("\r\n").catch(() => "");
				return;
			}
			await answering(OK)(connection);
		});
		const heard = bench(factory, [upstream.url]);
		await heard.ask();
		const body = new ManualBody(5);
		const sent = heard.probe({ method: "PUT", body });
		await until(() => body.started, "the body starts");
		upstream.connections[0]?.reset();
		await until(() => upstream.connections.length === 2 || sent.ended, "it is sent again");
		body.push("hello");
		body.end();
		expect((await sent.answer).failure).toBeUndefined();
		expect(body.starts).toBe(1);
	});
};
