/** The command line as a user meets it (contract 1): real processes, exit status, what is printed. */
import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { MAIN, type Server, Server as ServerProcess, send, startServer, until } from "./harness.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-cli-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const servers: Server[] = [];
afterEach(async () => {
	for (const server of servers.splice(0)) await server.cleanUp();
});

interface Ran {
	readonly status: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

function weir(...args: string[]): Promise<Ran> {
	return new Promise((resolve) => {
		const child = execFile(
			process.execPath,
			[MAIN, ...args],
			{ cwd: folder },
			(_e, stdout, stderr) => resolve({ status: child.exitCode, stdout, stderr }),
		);
	});
}

describe("weir", () => {
	it("helps", async () => {
		expect(await weir("--help")).toMatchObject({
			status: 0,
			stdout: expect.stringContaining("serve"),
		});
		for (const words of [
			["serve", "--help"],
			["serve", "-h"],
			["keys", "-h"],
			["check", "x", "-h"],
		])
			expect(await weir(...words)).toMatchObject({
				status: 0,
				stdout: expect.stringContaining(`usage: weir ${words[0]}`),
			});
		expect((await weir("-h")).stdout).toBe((await weir("--help")).stdout);
		for (const word of ["--version", "-V", "version"])
			expect((await weir(word)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
	});

	it.runIf(existsSync("/dev/full"))("exits 1 where nothing takes what it prints", async () => {
		const line = `"${process.execPath}" "${MAIN}" --help`;
		await expect(shell(`${line} >/dev/full`)).rejects.toMatchObject({
			code: 1,
			message: expect.stringContaining("stdout did not take what was printed"),
		});
		expect(await shell(`${line} | head -n 1`)).toMatch(/weir/);
	});

	it.each([
		[["serv"], 'unknown command "serv"; did you mean "serve"?'],
		[["serve", "--worker", "1"], 'unknown flag "--worker"; did you mean "--workers"?'],
		[["serve", "--workers", "0"], '"0" is no number of workers'],
		[["serve", "extra"], 'serve takes no "extra"'],
		[["serve", "--listen", "8080"], '"8080" is no address'],
		[["serve", "--config", "nowhere.yaml"], "ENOENT"],
		[["keys", "creat"], 'unknown keys command "creat"; did you mean "create"?'],
		[["keys", "revoke"], "needs one key id"],
		[["check"], "needs at least one file"],
	])("exits 2 on %j", async (args, message) => {
		const ran = await weir(...args);
		expect(ran.status).toBe(2);
		expect(ran.stderr).toContain(message);
		expect(ran.stderr).not.toMatch(/\n\s+at /);
	});

	it("exits 2 on a database and a key that it can't read, with a sentence for each", async () => {
		const { privateKey } = generateKeyPairSync("rsa", {
			modulusLength: 2048,
			publicKeyEncoding: { type: "spki", format: "pem" },
			privateKeyEncoding: { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" },
		});
		writeFileSync(join(folder, "locked.key"), privateKey);
		writeFileSync(join(folder, "locked.crt"), "");
		writeFileSync(join(folder, "places.csv"), "1.0.0.0,AU\n");
		const settings = {
			management: "127.0.0.1:0",
			listen: [{ address: "127.0.0.1:0", tls: { cert: "locked.crt", key: "locked.key" } }],
			geo: { database: "places.csv" },
		};
		writeFileSync(join(folder, "unreadable.json"), JSON.stringify(settings));
		const ran = await weir("serve", "--config", "unreadable.json");
		expect(ran.status).toBe(2);
		expect(ran.stderr).toMatch(
			/^weir: \S+unreadable\.json:1:\d+: \/listen\/0\/tls\/key: \S+locked\.key is encrypted/m,
		);
		expect(ran.stderr).toMatch(
			/^weir: \S+unreadable\.json:1:\d+: \/geo\/database: \S+places\.csv is no MMDB file/m,
		);
	});

	it("exits 2 on an unknown config field, naming the nearest", async () => {
		writeFileSync(join(folder, "bad.yaml"), "timeouts:\n  drain: 5\n");
		const ran = await weir("serve", "--config", "bad.yaml");
		expect(ran.status).toBe(2);
		expect(ran.stderr).toMatch(/bad\.yaml:2:\d+: \/timeouts\/drain: .*"drain_ms"/);
	});

	it("names what it serves, from where, in the line that says that it is ready", async () => {
		const server = await startServer({ workers: 1 });
		servers.push(server);
		const ready = () => server.logLines().filter(({ msg }) => msg === "weir is ready");
		const data = join(server.folder, "data");
		const version = (await weir("--version")).stdout.trim();
		const same = { data_dir: data, counters: join(data, "counters"), version, workers: 1 };
		expect(ready()).toMatchObject([{ ...same, edges: 0, routes: 0, policies: 0 }]);
		await server.route(9);
		await server.policy({ inbound: [] });
		await server.stop();
		const again = await startServer({ workers: 1, folder: server.folder });
		servers.push(again);
		expect(again.logLines().find(({ msg }) => msg === "weir is ready")).toMatchObject({
			...same,
			edges: 1,
			routes: 1,
			policies: 1,
		});
	});

	it("exits 1 when the port is taken, and when the data folder is in use", async () => {
		const server = await startServer({ workers: 1 });
		servers.push(server);
		const taken = await weir(
			...["serve", "--listen", `127.0.0.1:${server.port}`, "--management", "127.0.0.1:0"],
		);
		expect(taken.status).toBe(1);
		expect(taken.stderr).toContain("another process listens there");
		const shared = await weir(
			...["serve", "--listen", "127.0.0.1:0", "--management", "127.0.0.1:0"],
			...["--data-dir", join(server.folder, "data")],
		);
		expect(shared.status).toBe(1);
		expect(shared.stderr).toMatch(/data/);
		expect((await server.api("GET", "/edges/https")).status).toBe(200);
	});
});

describe("check", () => {
	it("prints every problem with place and pointer and exits 1; warnings alone pass", async () => {
		writeFileSync(
			join(folder, "wrong.json"),
			'{\n "inbound": [\n  {"expresions": [],\n   "actions": [{"type": "deny", "config": {"status_code": 99}}]}\n ]\n}',
		);
		writeFileSync(
			join(folder, "lint.json"),
			JSON.stringify({
				inbound: [
					{ expressions: ["'bot' in req.headers['user-agent']"], actions: [{ type: "deny" }] },
				],
			}),
		);
		writeFileSync(join(folder, "torn.json"), '{"inbound": [');
		const wrong = await weir("check", "wrong.json");
		expect(wrong.status).toBe(1);
		expect(wrong.stdout).toMatch(
			/^wrong\.json:3:\d+: \/inbound\/0\/expresions: error: .*"expressions"/m,
		);
		expect(wrong.stdout).toMatch(
			/^wrong\.json:4:\d+: \/inbound\/0\/actions\/0\/config\/status_code: error: /m,
		);
		const lint = await weir("check", "lint.json");
		expect(lint.status).toBe(0);
		expect(lint.stdout).toMatch(
			/lint\.json:1:\d+: \/inbound\/0\/expressions\/0: warning: .*exists/,
		);
		expect(await weir("check", "torn.json", "lint.json")).toMatchObject({ status: 1 });
		expect((await weir("check", "missing.json")).status).toBe(1);
	});
});

describe("keys", () => {
	const authorized = async (server: Server, key: string): Promise<number> =>
		(
			await send(server.managementPort, "/edges/https", {
				headers: { authorization: `Bearer ${key}` },
			})
		).status;

	it("prints one key at the first start, once, and it works", async () => {
		const server = new ServerProcess({ workers: 1, environment: { WEIR_API_KEY: "" } });
		servers.push(server);
		await server.ready();
		const key = await until(() => /\bweir_[\w-]{20,}/.exec(server.stdout)?.[0], "the key");
		expect(await authorized(server, key)).toBe(200);
		expect(await authorized(server, `${key}x`)).toBe(403);
		const isSaid = `there is no store in ${join(server.folder, "data")}; a new, empty one is made`;
		expect(server.stderr).toContain(isSaid);
		await server.stop();
		const again = await startServer({
			folder: server.folder,
			workers: 1,
			environment: { WEIR_API_KEY: "" },
		});
		servers.push(again);
		expect(again.stdout).not.toContain("weir_");
		expect(again.stderr).not.toContain("no store");
		expect(await authorized(again, key)).toBe(200);
	});

	it("shows the first key also if the first start failed", async () => {
		const broken = join(folder, "broken.mmdb");
		// Only a worker sees that there is nothing behind the mark of an MMDB file.
		writeFileSync(broken, "\xab\xcd\xefMaxMind.com", "latin1");
		const environment = { WEIR_API_KEY: "" };
		const config = { geo: { database: broken } };
		const failed = new ServerProcess({ workers: 1, environment, config });
		servers.push(failed);
		expect(await failed.exited).toBe(1);
		const server = await startServer({ folder: failed.folder, workers: 1, environment });
		servers.push(server);
		const key = await until(() => /\bweir_[\w-]{20,}/.exec(server.stdout)?.[0], "the key");
		expect(await authorized(server, key)).toBe(200);
	});

	it("says in a sentence what is wrong with the store", async () => {
		const file = join(folder, "no-folder");
		writeFileSync(file, "");
		const damaged = join(folder, "damaged");
		mkdirSync(damaged);
		writeFileSync(join(damaged, "data.mdb"), "garbage".repeat(2000));
		for (const [place, sentence] of [
			[file, /^weir: there is no store in .*\n$/],
			[damaged, /^weir: the store .* damaged.*\n$/],
		] as const) {
			const ran = await weir("keys", "list", "--data-dir", place);
			expect(ran.status).toBe(1);
			expect(ran.stderr).toMatch(sentence);
		}
	});

	it("makes no store in a folder that is not there or has none, and says so", async () => {
		const missing = join(folder, "misspelt");
		for (const words of [["create"], ["list"], ["revoke", "key_x"]]) {
			const ran = await weir("keys", ...words, "--data-dir", missing);
			const sentence = expect.stringMatching(/^weir: there is no store in \S+misspelt; name .*\n$/);
			expect([ran.status, ran.stdout, ran.stderr]).toEqual([1, "", sentence]);
		}
		expect(existsSync(missing)).toBe(false);
		mkdirSync(missing);
		expect((await weir("keys", "create", "--data-dir", missing)).status).toBe(1);
		expect(readdirSync(missing)).toEqual([]);
	});

	it("creates, lists and revokes beside a running server", async () => {
		const server = await startServer({ workers: 1 });
		servers.push(server);
		const data = ["--data-dir", join(server.folder, "data")];
		const created = await weir("keys", "create", "--description", "for tests", ...data);
		expect(created.status).toBe(0);
		const [id = "", key = ""] = created.stdout.trim().split(/\s+/);
		expect(await authorized(server, key)).toBe(200);
		const listed = await weir("keys", "list", ...data);
		expect(listed.stdout).toContain(id);
		expect(listed.stdout).toContain("for tests");
		expect(listed.stdout).not.toContain(key);
		expect((await weir("keys", "revoke", id, ...data)).status).toBe(0);
		expect(await authorized(server, key)).toBe(403);
		expect((await weir("keys", "revoke", id, ...data)).status).toBe(1);
	});
});

describe("--demo", () => {
	it("prints lines that work when pasted", async () => {
		const server = new ServerProcess({ workers: 2, flags: ["--demo"] });
		servers.push(server);
		await server.ready();
		await until(() => server.stdout.includes("Ctrl-C") || undefined, "the demo's lines");
		const lines = server.stdout.split("\n").filter((line) => line.startsWith("curl "));
		expect(lines).toHaveLength(9);
		const [, page = ""] = / (http:\S+\/ui\/) with the API key \S+$/m.exec(server.stdout) ?? [];
		expect(await shell(`curl -s '${page}'`)).toContain('<div id="page">');
		const outputs: string[] = [];
		for (const line of lines) outputs.push(await shell(line));
		const [proxied, rewritten, denied, answered, limited, , read, replaced, refused] = outputs;
		expect(JSON.parse(proxied ?? "")).toMatchObject({ method: "GET", target: "/anything?x=1" });
		expect(JSON.parse(rewritten ?? "").target).toBe("/v1/user?id=42&x=1");
		expect(denied).toMatch(/^HTTP\/1\.1 403 /);
		expect(answered).toMatch(
			/^HTTP\/1\.1 200 [\s\S]*content-type: application\/json[\s\S]*"hello":"127\.0\.0\.1"/i,
		);
		expect(limited?.trim().split("\n")).toEqual([...Array(5).fill("200"), "429", "429"]);
		await until(
			() => (JSON.stringify(server.logged()).includes("/status/503") ? true : undefined),
			"the log line",
		);
		expect(JSON.parse(read ?? "").inbound).toHaveLength(4);
		expect(JSON.parse(replaced ?? "").inbound).toHaveLength(1);
		expect(refused).toMatch(/^HTTP\/1\.1 403 /);
	});
});

describe("the demo's data folder", () => {
	const ended = async (signals: number): Promise<{ server: ServerProcess; data: string }> => {
		const server = new ServerProcess({
			workers: 1,
			flags: ["--demo"],
			config: { data_dir: undefined },
		});
		servers.push(server);
		await server.ready();
		const data = await until(
			() => /^Data directory (\S+) \(removed when the demo ends\)$/m.exec(server.stdout)?.[1],
			"the folder's name",
		);
		expect(existsSync(join(data, "data.mdb"))).toBe(true);
		for (let sent = 0; sent < signals; sent++) server.child.kill("SIGINT");
		await server.exited;
		return { server, data };
	};

	it.each([1, 2])("is temporary, and gone after %d signals", async (signals) => {
		const { server, data } = await ended(signals);
		expect(existsSync(data)).toBe(false);
		expect(existsSync(join(server.folder, "weir-data"))).toBe(false);
		expect(server.stderr).not.toContain("no store");
	});

	it("leaves nothing that a tour in the same folder would meet, nor the other way round", async () => {
		const { server } = await ended(1);
		const { folder } = server;
		const config = { data_dir: undefined };
		const tour = await startServer({ folder, workers: 1, config });
		servers.push(tour);
		await tour.must(tour.api("PUT", "/edges/https/site", { hostports: ["*"] }));
		await tour.stop();
		const again = new ServerProcess({ folder, workers: 1, config, flags: ["--demo"] });
		servers.push(again);
		await again.ready();
		await until(() => again.stdout.includes("Ctrl-C") || undefined, "the demo's lines");
		await again.stop();
		const after = await startServer({ folder, workers: 1, config });
		servers.push(after);
		expect(JSON.parse((await after.api("GET", "/edges/https")).body)).toMatchObject({
			edges: [{ id: "site" }],
		});
	});
});

function shell(line: string): Promise<string> {
	return new Promise((resolve, reject) => {
		execFile("sh", ["-c", line], (error, stdout) => (error ? reject(error) : resolve(stdout)));
	});
}
