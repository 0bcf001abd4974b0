/**
 * `weir check` as a user meets it (contract 1): what it refuses in a config file, `weir serve` refuses too; it makes
 * nothing, and a weir that runs with the file does not disturb it.
 */
import { execFile, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeCertificate } from "../certificate.ts";
import { MAIN, startServer, until } from "./harness.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-check-e2e-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
	readonly status: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

function weir(...args: string[]): Promise<Ran> {
	const { WEIR_API_KEY: _, ...env } = process.env;
	return new Promise((resolve) => {
		const child = execFile(
			process.execPath,
			[MAIN, ...args],
			{ cwd: folder, env, timeout: 60_000 },
			(_e, stdout, stderr) => resolve({ status: child.exitCode, stdout, stderr }),
		);
	});
}

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

beforeAll(async () => {
	await writeCertificate(folder, "a", "a.test");
	await writeCertificate(folder, "b", "b.test");
	await writeCertificate(folder, "old", "old.test", ["old.test"], {
		notBeforeDate: new Date("2001-01-01"),
		notAfterDate: new Date("2002-01-01"),
	});
	await writeCertificate(folder, "new", "new.test", ["new.test"], {
		notBeforeDate: new Date("2090-01-01"),
		notAfterDate: new Date("2091-01-01"),
	});
	write("junk.crt", "junk");
	writeFileSync(join(folder, "torn.mmdb"), "\xab\xcd\xefMaxMind.com", "latin1");
	write("file", "");
	mkdirSync(join(folder, "damaged"));
	write("damaged/data.mdb", "garbage".repeat(2000));
});

const FREE = "management: 127.0.0.1:0\n";
const tls = (cert: string, key: string) =>
	`listen: [{address: '127.0.0.1:0', tls: {cert: ${cert}, key: ${key}}}]\n${FREE}`;
const plain = (more: string) => `listen: 127.0.0.1:0\n${FREE}${more}\n`;

describe("what a start would refuse", () => {
	const errorsOf = (stdout: string, name: string): string[] =>
		stdout.split("\n").filter((line) => line.startsWith(`${name}:`) && line.includes("error: "));

	const READ: readonly (readonly [string, RegExp])[] = [
		[plain("timeouts: {idle: 5}"), /:3:12: \/timeouts\/idle: error: .*did you mean "idle_ms"\?$/],
		[plain("workers: many"), /:3:1: \/workers: error: expected .* got the string "many"$/],
		[plain("workers: 1\nworkers: 2"), /:4:1: error: duplicate key "workers"$/],
		[plain("data_dir: !!str x"), /:3:\d+: error: tags are not allowed/],
		[`listen: nonsense\n${FREE}`, /:1:1: \/listen: error: "nonsense" is no address/],
		[
			"listen: ':4999'\nmanagement: 127.0.0.1:4999",
			/:2:1: \/management: error: .*listened on twice/,
		],
		[tls("a.crt", "none"), /:1:\d+: \/listen\/0\/tls\/key: error: cannot read .*none: ENOENT$/],
		[tls("a.crt", "b.key"), /\/listen\/0\/tls\/key: error: .*b\.key is not the key of .*a\.crt$/],
		[tls("junk.crt", "a.key"), /tls\/cert: error: \S+junk\.crt holds no certificate in PEM$/],
		[plain("geo: {database: a.crt}"), /:3:7: \/geo\/database: error: .*a\.crt is no MMDB file/],
		[plain("log: {destination: no/x}"), /:3:7: \/log\/destination: error: cannot write .*ENOENT$/],
		[plain("trusted_proxies: [10.0.0.0/33]"), /:3:19: \/trusted_proxies\/0: error: "10\.0\.0\./],
	];
	it("as it reads the config, many of them in one command", async () => {
		const names = READ.map(([text], index) => {
			write(`bad-${index}.yaml`, text);
			return `bad-${index}.yaml`;
		});
		const { status, stdout } = await weir("check", ...names);
		expect(status).toBe(1);
		for (const [index, [, sentence]] of READ.entries()) {
			const told = errorsOf(stdout, names[index] ?? "");
			expect(told).toEqual([expect.stringMatching(sentence)]);
		}
		const last = stdout.trimEnd().split("\n").at(-1);
		expect(last).toMatch(/^bad-\d+\.yaml: 1 error(, \d warnings?)? \(config file\)$/);
	});

	it.each([
		[`listen: 198.51.100.7:80\n${FREE}`, /\/listen: error: cannot listen on .* no such address/],
		[
			"listen: localhost:4999\nmanagement: 0.0.0.0:4999",
			/\/management: error: .*listened on twice/,
		],
		[
			`${tls("a.crt", "a.key")}tls: {ciphers: DHE-RSA-AES256-GCM-SHA384}\n`,
			/:3:7: \/tls\/ciphers: error: the server library can't use "DHE-/,
		],
		[
			plain("geo: {database: torn.mmdb}"),
			/:3:7: \/geo\/database: error: geo database .*torn\.mmdb/,
		],
		[plain("data_dir: file"), /:3:1: \/data_dir: error: .*file cannot be used: it is no folder$/],
		[plain("data_dir: file/x"), /:3:1: \/data_dir: error: .*file has no room for .*file\/x/],
		[plain("data_dir: damaged"), /:3:1: \/data_dir: error: the store in .* damaged or not a store/],
	])("as it begins its work, and the start does: %j", async (text, sentence) => {
		write("bad.yaml", text);
		const before = readdirSync(folder);
		const checked = await weir("check", "bad.yaml");
		expect(errorsOf(checked.stdout, "bad.yaml")).toEqual([expect.stringMatching(sentence)]);
		expect([checked.status, checked.stderr]).toEqual([1, ""]);
		expect(readdirSync(folder)).toEqual(before);
		const { status, stderr } = await weir("serve", "--config", "bad.yaml", "--workers", "1");
		expect([1, 2]).toContain(status);
		expect(stderr).not.toMatch(/\n\s+at /);
		rmSync(join(folder, "weir-data"), { recursive: true, force: true });
	});
});

it("warns of what a start would warn of, and makes nothing", async () => {
	write("hosts", "127.0.0.1 localhost\n");
	write(
		"warn.yaml",
		[
			`listen: [{address: '127.0.0.1:0', tls: [{cert: old.crt, key: old.key}, {cert: new.crt, key: new.key}]}]`,
			`${FREE}timeouts: {request_header_ms: 5}`,
			"counters: {file: hosts}",
			"front: off",
		].join("\n"),
	);
	const before = readdirSync(folder);
	const ran = await weir("check", "warn.yaml");
	expect(ran.status).toBe(0);
	for (const line of [
		/^warn\.yaml: \/data_dir: warning: there is no store in \S+weir-data; the start makes a new/m,
		/^warn\.yaml:1:42: \/listen\/0\/tls\/0\/cert: warning: .*old\.crt \(old\.test\) expired on 2002/m,
		/^warn\.yaml:1:\d+: \/listen\/0\/tls\/1\/cert: warning: .*new\.crt .* not valid before 2090/m,
		/^warn\.yaml:3:12: \/timeouts\/request_header_ms: warning: has no effect/m,
		/^warn\.yaml:4:12: \/counters\/file: warning: .* is set aside as .*: it is no counters file/m,
		/^warn\.yaml: ok, 5 warnings \(config file\)$/m,
	])
		expect(ran.stdout).toMatch(line);
	expect(readdirSync(folder)).toEqual(before);
});

it("is not disturbed by a weir that runs with the file, and does not disturb it", async () => {
	const server = await startServer({ workers: 1 });
	try {
		const config = join(server.folder, "weir.json");
		// The ports that it has are taken now.
		const settings = {
			listen: `127.0.0.1:${server.port}`,
			management: `127.0.0.1:${server.managementPort}`,
			data_dir: "data",
		};
		writeFileSync(config, JSON.stringify(settings));
		const files = () => readdirSync(join(server.folder, "data")).sort();
		const before = files();
		const ran = await weir("check", config);
		expect([ran.status, ran.stdout]).toEqual([0, `${config}: ok (config file)\n`]);
		expect(files()).toEqual(before);
		await server.route(9);
		expect((await server.api("GET", "/edges/https")).status).toBe(200);
	} finally {
		await server.cleanUp();
	}
	expect(server.logLines().some(({ level }) => level === "error")).toBe(false);
});

it("takes policies in YAML and JSON beside a config, and goes by its limits", async () => {
	write("limits.yaml", plain("limits: {rules: 501}"));
	write("many.yaml", `inbound:\n${"- actions: [{type: deny}]\n".repeat(501)}`);
	write("wrapped.json", '{"module": {"outbound": []}}');
	const both = await weir("check", "many.yaml", "wrapped.json", "limits.yaml");
	expect(both.stdout.match(/^\S+: ok.*$/gm)).toEqual([
		"many.yaml: ok, 100 warnings (policy)",
		'wrapped.json: ok (policy in "module")',
		"limits.yaml: ok, 1 warning (config file)",
	]);
	expect(both.status).toBe(0);
	const alone = await weir("check", "many.yaml", "wrapped.json");
	expect(alone.stdout).toMatch(/^many\.yaml:1:1: \/inbound: error: .*500/m);
	expect(alone.status).toBe(1);
	write(
		"wrong.yaml",
		"inbound:\n  - name: x\n    actions:\n      - type: deny\n        config: {status_code: no}\n",
	);
	expect((await weir("check", "wrong.yaml")).stdout).toMatch(
		/^wrong\.yaml:5:18: \/inbound\/0\/actions\/0\/config\/status_code: error: expected a number, got the string "no"$/m,
	);
});

it("asks what a file is where nothing tells, and prints JSON for programs", async () => {
	write("empty.json", "{}");
	const asked = await weir("check", "empty.json");
	expect([asked.status, asked.stdout]).toEqual([
		1,
		expect.stringContaining("--as config, --as policy or --as resources"),
	]);
	const told = await weir("check", "--as", "policy", "--json", "empty.json");
	expect(told.status).toBe(0);
	expect(JSON.parse(told.stdout)).toEqual({
		file: "empty.json",
		kind: "policy",
		wrapped: false,
		ok: true,
		findings: [],
	});
});

it.each([
	[["check"], "needs at least one file"],
	[["check", "--as", "polcy", "x"], 'unknown kind of file "polcy"; did you mean "policy"?'],
	[["check", "--as", "config"], "needs at least one file"],
	[["check", "--config", "x"], 'unknown flag "--config"'],
])("exits 2 on %j", async (args, message) => {
	const ran = await weir(...args);
	expect([ran.status, ran.stdout]).toEqual([2, ""]);
	expect(ran.stderr).toContain(message);
});

it("runs the tests that policies hold, tells CI, and runs them again when a file changes", async () => {
	const policy = (status: number) =>
		`inbound: [{actions: [{type: deny}]}]\ntests:\n- {name: one, request: {}, expect: {status: ${status}}}\n`;
	write("good.yaml", policy(403));
	write("bad.yaml", policy(404));
	expect(await weir("test", "good.yaml")).toMatchObject({
		status: 0,
		stdout: "  ok    one\ngood.yaml: 1 test, all hold\n",
	});
	const both = await weir("test", "good.yaml", "bad.yaml", "--junit", "report.xml", "--quiet");
	expect(both).toMatchObject({
		status: 1,
		stdout: expect.stringContaining("bad.yaml:3:37: /tests/0/expect/status: error: expected 404"),
	});
	expect(readFileSync(join(folder, "report.xml"), "utf8")).toContain("<failure message=");
	expect((await weir("check", "bad.yaml")).status).toBe(1);
	expect((await weir("test")).status).toBe(2);
	// a pipe and a file as stdin; what Node's own children have is a socket
	for (const given of ["cat bad.yaml | $0 $1 check -", "$0 $1 check - <bad.yaml"])
		expect(
			spawnSync("sh", ["-c", given, process.execPath, MAIN], { cwd: folder, encoding: "utf8" }),
		).toMatchObject({
			status: 1,
			stdout: expect.stringContaining("stdin:3:37: /tests/0"),
		});

	const { WEIR_API_KEY: _, ...env } = process.env;
	const child = spawn(process.execPath, [MAIN, "test", "bad.yaml", "--watch"], {
		cwd: folder,
		env,
	});
	let printed = "";
	child.stdout.on("data", (chunk) => {
		printed += chunk;
	});
	try {
		await until(
			() => (printed.includes("waiting for a change") ? true : undefined),
			"the first run",
		);
		expect(printed).toContain("1 test, 1 fail");
		write("bad.yaml", policy(403));
		await until(
			() => (printed.includes("1 test, all hold") ? true : undefined),
			"the run behind the change",
		);
	} finally {
		child.kill();
	}
});
