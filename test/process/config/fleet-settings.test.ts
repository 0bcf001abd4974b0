/** The section `fleet`: what it becomes, and a sentence with its remedy for each mistake, all at once. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { loadConfig } from "../../../src/process/config/load-config.ts";
import { writeCertificate } from "../../certificate.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-fleet-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function load(fleet: unknown) {
	const config = join(folder, "weir.json");
	writeFileSync(config, JSON.stringify({ fleet }));
	return loadConfig({ flags: { config }, environment: {}, workingDirectory: folder });
}

function mistakesOf(fleet: unknown): string[] {
	const loaded = load(fleet);
	if (loaded.ok) return [];
	return loaded.error.map((sentence) => sentence.replace(/^.*weir\.json:\d+:\d+: /, ""));
}

function settingsOf(fleet: unknown) {
	const loaded = load(fleet);
	if (!loaded.ok) throw new Error(loaded.error.join("\n"));
	return { ...loaded.value.config.fleet, warnings: loaded.value.warnings };
}

const LOCAL = { name: "prod", servers: ["nats://127.0.0.1:4222"] };

it("is null where it is not there, and has defaults where it is", () => {
	expect(load(null)).toMatchObject({ ok: true, value: { config: { fleet: null } } });
	expect(settingsOf(LOCAL)).toEqual({
		...LOCAL,
		credentials: null,
		tls: { ca: null, cert: null, key: null },
		role: "manager",
		member: { name: expect.stringMatching(/^[\w.-]{1,64}$/), labels: {} },
		refuseAfterMs: null,
		domain: null,
		insecure: false,
		warnings: [],
	});
});

it("has whole addresses, absolute paths and milliseconds", async () => {
	const { cert, key } = await writeCertificate(folder, "edge", "edge");
	writeFileSync(join(folder, "own.nk"), `SU${"A".repeat(56)}\n`, { mode: 0o600 });
	chmodSync(key, 0o600);
	expect(
		settingsOf({
			name: "prod",
			servers: ["tls://nats-1", "tls://[2001:db8::1]:4333/", "nats://[::1]"],
			credentials: "own.nk",
			tls: { ca: "edge.crt", cert: "edge.crt", key: "edge.key" },
			role: "edge",
			member: { name: "ams-1", labels: { region: "ams" } },
			when_cut_off: { refuse_after: "10m" },
			domain: "hub",
		}),
	).toMatchObject({
		servers: ["tls://nats-1:4222", "tls://[2001:db8::1]:4333", "nats://[::1]:4222"],
		credentials: join(folder, "own.nk"),
		tls: { ca: cert, cert, key },
		member: { name: "ams-1", labels: { region: "ams" } },
		refuseAfterMs: 600_000,
		warnings: [],
	});
});

it("has all its mistakes told at once, each with its remedy", () => {
	writeFileSync(join(folder, "empty.creds"), "", { mode: 0o600 });
	expect(
		mistakesOf({
			name: "prod",
			servers: ["nats://nats-1:4222", "nats-2", "nats://me:secret@localhost"],
			credentials: "empty.creds",
			tls: { ca: "missing.crt", cert: "edge.crt" },
		}),
	).toEqual([
		expect.stringMatching(
			/^\/fleet\/servers\/0: nats:\/\/nats-1:4222 is another machine.*write tls:\/\/nats-1:4222, or set fleet\.insecure/,
		),
		expect.stringMatching(/^\/fleet\/servers\/1: "nats-2" is no server; write tls:\/\/host:port/),
		expect.stringMatching(/^\/fleet\/servers\/2: no credentials belong into the address/),
		expect.stringMatching(/^\/fleet\/tls.*: cert and key belong together/),
		expect.stringMatching(/^\/fleet\/tls\/ca: cannot read .*missing\.crt: ENOENT$/),
		expect.stringMatching(/^\/fleet\/credentials: .*empty\.creds holds no nkey seed/),
	]);
	expect(mistakesOf({ ...LOCAL, name: "Prod!" }).join()).toMatch(/a-z, 0-9/);
	expect(mistakesOf({ ...LOCAL, when_cut_off: { refuse_after: "10" } }).join()).toMatch(/10m/);
	expect(mistakesOf({ ...LOCAL, when_cut_off: "refuse" }).join()).toMatch(/write serve, or/);
	expect(mistakesOf({ ...LOCAL, servers: [] }).join()).toMatch(/\/fleet\/servers/);
	expect(mistakesOf({ ...LOCAL, nam: "x" }).join()).toMatch(/did you mean "name"/);
});

it("takes other machines without TLS where that is said", () => {
	expect(
		settingsOf({ name: "prod", servers: ["nats://10.0.0.1:4222"], insecure: true }).servers,
	).toEqual(["nats://10.0.0.1:4222"]);
});

it("warns of secrets that everybody reads, and of certificates that nobody is shown", async () => {
	const { key } = await writeCertificate(folder, "open", "open");
	chmodSync(key, 0o644);
	const { warnings } = settingsOf({ ...LOCAL, tls: { cert: "open.crt", key: "open.key" } });
	expect(warnings.join("\n")).toMatch(/every user of this machine can read .*open\.key; chmod 600/);
	expect(warnings.join("\n")).toMatch(/\/fleet\/tls\/cert: has no effect: no address/);
});
