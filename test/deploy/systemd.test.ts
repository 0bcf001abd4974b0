/**
 * The service's units: systemd takes them without a word, rates their confinement, and allows every system call that weir
 * makes; the sockets are those of the settings beside them, which weir takes.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { configSchema } from "../../src/config.ts";
import { check } from "../../src/documents/problems.ts";
import { KEY, kill, MAIN, until } from "../e2e/harness.ts";
import { ended, isInstalled } from "../e2e/programs.ts";

const units = join(import.meta.dirname, "..", "..", "deploy", "systemd");
const read = (name: string) => readFileSync(join(units, name), "utf8");

/** Values of a field of a unit, in order. */
const valuesOf = (name: string, field: string): string[] =>
	[...read(name).matchAll(new RegExp(`^${field}=(.*)$`, "gm"))].map(([, value = ""]) => value);

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "weir-units-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the units", () => {
	it("listen where the settings do, and nowhere else", () => {
		const settings = check(configSchema, parse(read("weir.yaml")));
		if (!settings.ok) throw new Error(JSON.stringify(settings.error));
		const { listen } = settings.value;
		const addresses = typeof listen === "string" ? [listen] : listen.map(({ address }) => address);
		expect(valuesOf("weir.socket", "ListenStream")).toEqual(addresses);
		expect(`${settings.value.data_dir}`).toBe(
			`/var/lib/${valuesOf("weir.service", "StateDirectory")}`,
		);
		expect(valuesOf("weir.service", "ExecStart")[0]).toContain(
			" serve --config /etc/weir/weir.yaml",
		);
	});

	it("let weir drain, and start it anew whatever it ended of but mistakes in the settings", () => {
		const { value } = check(configSchema, {}) as { value: { timeouts: { drain_ms: number } } };
		const stopSeconds = Number(valuesOf("weir.service", "TimeoutStopSec")[0]);
		expect(stopSeconds * 1000).toBeGreaterThan(value.timeouts.drain_ms);
		expect(valuesOf("weir.service", "Restart")).toEqual(["always"]);
		const wrong = join(folder, "wrong.yaml");
		writeFileSync(wrong, "wrokers: 2\n");
		const { status } = spawnSync(process.execPath, [MAIN, "serve", "--config", wrong]);
		expect(valuesOf("weir.service", "RestartPreventExitStatus")).toEqual([String(status)]);
	});

	it("make the user that the service runs as", () => {
		expect(read("weir.sysusers.conf")).toMatch(/^u weir - /m);
		expect(valuesOf("weir.service", "User")).toEqual(["weir"]);
	});
});

const hasSystemd = isInstalled(
	"systemd-analyze",
	"--version",
	"its units are not tried by systemd",
);
describe.skipIf(!hasSystemd)("systemd", () => {
	/** The units, with Node and weir where they are here. */
	function installed(): { readonly service: string; readonly socket: string } {
		const [service, socket] = [join(folder, "weir.service"), join(folder, "weir.socket")];
		const command = `ExecStart=${process.execPath} ${MAIN}`;
		const words = /^ExecStart=\/usr\/bin\/node \/opt\/weir\/dist\/main\.js/m;
		writeFileSync(service, read("weir.service").replace(words, command));
		writeFileSync(socket, read("weir.socket"));
		return { service, socket };
	}

	it("takes the units without a word", () => {
		const { service, socket } = installed();
		const { status, stderr } = spawnSync("systemd-analyze", ["verify", service, socket], {
			encoding: "utf8",
		});
		// Before 253 there was no notify-reload; the line before it holds then.
		const version = Number(
			/^systemd (\d+)/.exec(
				execFileSync("systemd-analyze", ["--version"], { encoding: "utf8" }),
			)?.[1],
		);
		const old = /Failed to parse service type, ignoring: notify-reload$/;
		const lines = stderr.split("\n").filter((line) => line !== "");
		const others = lines.filter((line) => version >= 253 || !old.test(line));
		// What other units of this machine lack is not for this one to mend.
		expect(others.filter((line) => line.includes("weir."))).toEqual([]);
		expect(status).toBe(0);
	});

	it("rates the confinement at most 2.0 of 10", () => {
		const { service } = installed();
		const words = ["security", "--offline=true", "--threshold=20", "--no-pager", service];
		const { status, stdout } = spawnSync("systemd-analyze", words, { encoding: "utf8" });
		expect(stdout).toContain("Overall exposure level");
		expect(status, stdout).toBe(0);
	});

	const hasStrace = isInstalled(
		"strace",
		"--version",
		"nobody looks which system calls weir makes",
	);
	it.skipIf(!hasStrace)("allows every system call that weir makes", async () => {
		const allowed = filteredCalls(valuesOf("weir.service", "SystemCallFilter"));
		const trace = join(folder, "trace");
		const config = join(folder, "traced.json");
		const settings = {
			listen: "127.0.0.1:0",
			management: "127.0.0.1:0",
			data_dir: join(folder, "data"),
		};
		writeFileSync(config, JSON.stringify({ ...settings, workers: 1 }));
		const command = [process.execPath, MAIN, "serve", "--config", config];
		const child = spawn("strace", ["-f", "-qq", "-o", trace, ...command], {
			env: { ...process.env, WEIR_API_KEY: KEY },
			stdio: ["ignore", "pipe", "inherit"],
		});
		let printed = "";
		child.stdout.on("data", (chunk) => {
			printed += chunk;
		});
		const line = (msg: string) =>
			printed.split("\n").find((each) => each.includes(`"msg":"${msg}"`));
		const ready = JSON.parse(await until(() => line("weir is ready"), "weir under strace", 60_000));
		onTestFinished(async () => {
			kill(ready.pid, "SIGKILL");
			await ended(child);
		});
		await fetch(`http://${ready.listen[0]}/`);
		await fetch(`http://${ready.management}/healthz`);
		process.kill(ready.pid, "SIGHUP");
		await until(() => line("config reloaded"), "a reload under strace", 60_000);
		process.kill(ready.pid, "SIGTERM");
		await ended(child);
		const made = new Set(
			[...readFileSync(trace, "latin1").matchAll(/^\d+ +([a-z]\w*)\(/gm)].map(
				([, name = ""]) => name,
			),
		);
		expect(made.size).toBeGreaterThan(40);
		expect([...made].filter((name) => !allowed.has(name))).toEqual([]);
	});
});

/** Names of system calls that filters, one after the other, leave allowed. */
function filteredCalls(filters: readonly string[]): ReadonlySet<string> {
	const text = execFileSync("systemd-analyze", ["--no-pager", "syscall-filter"], {
		encoding: "utf8",
	});
	const groups = new Map<string, string[]>();
	for (const block of text.split(/^(?=@)/m)) {
		const [name = "", ...lines] = block.split("\n");
		const members = lines.filter((line) => line.startsWith("    ") && !line.includes("#"));
		groups.set(
			name.trim(),
			members.map((line) => line.trim()),
		);
	}
	const calls = (name: string): readonly string[] =>
		name.startsWith("@") ? (groups.get(name) ?? []).flatMap(calls) : [name];
	const allowed = new Set(calls("@default"));
	for (const filter of filters) {
		const names = filter.replace(/^~/, "").split(" ").flatMap(calls);
		for (const name of names) {
			if (filter.startsWith("~")) allowed.delete(name);
			else allowed.add(name);
		}
	}
	return allowed;
}
