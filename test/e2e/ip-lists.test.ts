/**
 * Stored address lists on the real server (contract 2 and 5): a change is in force on every worker when it is answered,
 * whoever says the client's address; it outlives workers, the server and its backup. Every request may be served by
 * either of two workers.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { frameOf } from "../edge/frames.ts";
import { RawClient } from "../edge/harness.ts";
import { run } from "./commands.ts";
import {
	kill,
	type Server,
	send,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "./harness.ts";

const LISTENERS = [{ address: "127.0.0.1:0" }, { address: "127.0.0.1:0", proxy_protocol: true }];
const CONFIG = { trusted_proxies: ["127.0.0.1"], listen: LISTENERS };

let server: Server;
let upstream: TestUpstream;
beforeAll(async () => {
	upstream = await startUpstream();
	server = await startServer({ workers: 2, config: CONFIG });
	await server.route(upstream.port);
	await server.must(server.api("PUT", "/ip-lists/l", { entries: [] }));
	await server.must(server.api("PUT", "/ip-lists/blocked", { entries: ["192.0.2.66"] }));
	await server.policy({
		inbound: [{ actions: [{ type: "restrict-ips", config: { lists: ["l", "!blocked"] } }] }],
	});
});
afterAll(async () => {
	await server?.cleanUp();
	await upstream?.close();
});

const from = async (address: string): Promise<number> =>
	(await send(server.port, "/", { headers: { "x-forwarded-for": address } })).status;

/** Of so many connections that both workers have some. */
async function statuses(address: string): Promise<readonly number[]> {
	const all = await Promise.all(Array.from({ length: 16 }, () => from(address)));
	return [...new Set(all)];
}

const put = (...entries: string[]) => server.must(server.api("PUT", "/ip-lists/l", { entries }));

describe("a list", () => {
	it("is in force on every worker when its change is answered", async () => {
		for (let round = 0; round < 20; round++) {
			await put("10.0.0.0/8", `203.0.113.${round}`);
			expect(await statuses(`203.0.113.${round}`)).toEqual([200]);
			expect(await statuses(`203.0.113.${round + 1}`)).toEqual([403]);
		}
		const change = { add: ["198.51.100.0/24"], remove: ["10.0.0.0/8"] };
		const { body } = await server.must(server.api("POST", "/ip-lists/l/entries", change));
		expect(JSON.parse(body).entry_count).toBe(2);
		expect([await statuses("198.51.100.9"), await statuses("10.1.2.3")]).toEqual([[200], [403]]);
	});

	it("may have 100,000 entries, and changes while requests are served", async () => {
		const entries = Array.from(
			{ length: 99_999 },
			(_, n) => `${100 + (n >> 14)}.${(n >> 6) & 255}.${(n & 63) << 2}.0/22`,
		);
		const bounds = { longest: 0, wrong: 0, isDone: false };
		const stream = async () => {
			while (!bounds.isDone) {
				const began = performance.now();
				if ((await from("192.0.2.7")) !== 200) bounds.wrong++;
				bounds.longest = Math.max(bounds.longest, performance.now() - began);
			}
		};
		await put("192.0.2.7");
		const streaming = stream();
		await put("192.0.2.7", ...entries);
		expect([await statuses("106.1.2.3"), await statuses("99.1.2.3")]).toEqual([[200], [403]]);
		await put("192.0.2.7");
		bounds.isDone = true;
		await streaming;
		expect(bounds.wrong).toBe(0);
		expect(bounds.longest).toBeLessThan(2000);
		expect(await statuses("106.1.2.3")).toEqual([403]);
	});

	it("is asked about the address that PROXY protocol tells, and about the last that a trusted proxy vouches for", async () => {
		await put("2001:db8::/32", "192.0.2.0/24");
		const behind = async (address: string) => {
			const client = new RawClient(server.ports[1] ?? 0);
			client.send(
				`${frameOf(address)}GET / HTTP/1.1\r\nhost: h\r\nx-forwarded-for: 192.0.2.9\r\nconnection: close\r\n\r\n`,
			);
			const { status } = await client.response();
			await client.untilClosed();
			return status;
		};
		expect([
			await behind("2001:db8:0:0:0:0:0:7"),
			await behind("198.51.100.1"),
			await behind("192.0.2.66"),
		]).toEqual([200, 403, 403]);
		expect([await from("::ffff:192.0.2.7"), await from("::ffff:192.0.2.66")]).toEqual([200, 403]);
		expect([await from("192.0.2.9, 198.51.100.1"), await from("198.51.100.1, 192.0.2.9")]).toEqual([
			403, 200,
		]);
	});

	it("that a policy names can't be deleted, and a policy can't name one that there is not", async () => {
		const refused = await server.api("DELETE", "/ip-lists/l");
		expect([refused.status, JSON.parse(refused.body).error_code]).toEqual([
			409,
			"ERR_IP_LIST_IN_USE",
		]);
		const named = await server.api("PUT", "/edges/https/e/routes/r/policy", {
			inbound: [{ actions: [{ type: "restrict-ips", config: { lists: ["none"] } }] }],
		});
		expect([named.status, JSON.parse(named.body).problems[0].code]).toEqual([
			400,
			"unknown_ip_list",
		]);
	});

	it("outlives the workers, the server, and its own machine by a backup", async () => {
		await put("203.0.113.7");
		const before = server.workerPids();
		for (const pid of before) kill(pid, "SIGKILL");
		await until(async () => {
			const now = server.workerPids();
			if (now.length < 2 || now.some((pid) => before.includes(pid))) return undefined;
			const { status } = await server.api("GET", "/readyz");
			return status === 200 ? true : undefined;
		}, "new workers");
		const answers = await until(async () => {
			try {
				return [await statuses("203.0.113.7"), await statuses("203.0.113.8")];
			} catch {
				return undefined;
			}
		}, "answers of the new workers");
		expect(answers).toEqual([[200], [403]]);

		const { folder } = server;
		await server.killAll();
		server = await startServer({ workers: 2, config: CONFIG, folder });
		expect([await statuses("203.0.113.7"), await statuses("203.0.113.8")]).toEqual([[200], [403]]);

		const file = `${folder}/lists.backup`;
		const saved = await run("backup", file, "--data-dir", `${folder}/data`);
		expect(saved.stdout + saved.stderr).toContain("2 address lists");
		const empty = await startServer({ workers: 1, config: CONFIG });
		await empty.stop();
		const restored = await run("restore", file, "--data-dir", `${empty.folder}/data`, "--force");
		expect(restored.stdout + restored.stderr).toContain("2 address lists");
		const old = server;
		server = await startServer({ workers: 2, config: CONFIG, folder: empty.folder });
		await old.cleanUp();
		expect([await statuses("203.0.113.7"), await statuses("203.0.113.8")]).toEqual([[200], [403]]);
		expect((await server.api("DELETE", "/ip-lists/l")).status).toBe(409);
	});
});
