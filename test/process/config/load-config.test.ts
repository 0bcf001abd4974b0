import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConfigSources, loadConfig } from "../../../src/process/config/load-config.ts";
import { writeCertificate } from "../../certificate.ts";
import { logSettings, requestIdSettings, tracingSettings } from "../../observing.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-config-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function written(text: string): string {
	const path = join(folder, `config-${files++}.yaml`);
	writeFileSync(path, text);
	return path;
}

function load(
	text: string | undefined,
	flags: ConfigSources["flags"] = {},
	environment: ConfigSources["environment"] = {},
) {
	const config = text === undefined ? {} : { config: written(text) };
	return loadConfig({ flags: { ...config, ...flags }, environment, workingDirectory: "/cwd" });
}

function configOf(...args: Parameters<typeof load>) {
	const loaded = load(...args);
	if (!loaded.ok) throw new Error(loaded.error.join("\n"));
	return loaded.value.config;
}

function mistakesOf(...args: Parameters<typeof load>): string {
	const loaded = load(...args);
	return loaded.ok ? "" : loaded.error.join("\n").replaceAll(/\S*config-\d+\.yaml/g, "FILE");
}

describe("defaults", () => {
	it("are those of the contract", () => {
		const config = configOf(undefined);
		expect(config).toMatchObject({
			listen: [{ host: "127.0.0.1", port: 8080, tls: [], proxyProtocol: false }],
			tls: { minVersion: "TLSv1.2", ciphers: expect.stringMatching(/^(ECDHE-[^:]+:?)+$/) },
			management: { host: "127.0.0.1", port: 4040 },
			dataDir: "/cwd/weir-data",
			countersFile: "/cwd/weir-data/counters",
			keysPerRateLimit: 65_536,
			trustedProxies: [],
			underscoresInHeaders: "drop",
			standingRefusals: true,
			allowTrace: false,
			expressionErrors: "reject",
			expressions: { deadlineMs: 100, threads: 2 },
			geoDatabase: null,
			timeouts: {
				requestHeaderMs: 10_000,
				idleMs: 60_000,
				upstreamConnectMs: 5000,
				upstreamResponseMs: 60_000,
				drainMs: 30_000,
			},
			limits: {
				requestHeaderBytes: 65_536,
				policyBytes: 1_048_576,
				rules: 500,
				bodyMemoryBytes: 67_108_864,
			},
			slowClients: {
				graceMs: 60_000,
				minUploadBytesPerSecond: 500,
				minDownloadBytesPerSecond: 500,
				perAddress: 256,
			},
			log: logSettings(),
			requestId: requestIdSettings(),
			tracing: tracingSettings(),
		});
		expect(config.workers).toBeGreaterThan(0);
		expect(Object.isFrozen(config)).toBe(true);
	});
});

describe("sources", () => {
	const text = [
		"listen: 127.0.0.1:1",
		"management: {address: 127.0.0.1:2}",
		"data_dir: here",
		"workers: 3",
	].join("\n");

	it("takes paths of the file relative to the file", () => {
		expect(configOf(text)).toMatchObject({ dataDir: join(folder, "here"), workers: 3 });
	});

	it("lets the environment beat the file, and flags the environment", () => {
		const environment = {
			WEIR_LISTEN: "127.0.0.1:11,[::1]:12",
			WEIR_MANAGEMENT: "127.0.0.1:13",
			WEIR_DATA_DIR: "there",
			WEIR_WORKERS: "4",
		};
		expect(configOf(text, {}, environment)).toMatchObject({
			listen: [
				{ host: "127.0.0.1", port: 11 },
				{ host: "::1", port: 12 },
			],
			management: { port: 13 },
			dataDir: "/cwd/there",
			workers: 4,
		});
		const flags = {
			listen: ["127.0.0.1:21"],
			management: "127.0.0.1:22",
			"data-dir": "/abs",
			workers: "5",
		};
		expect(configOf(text, flags, environment)).toMatchObject({
			listen: [{ port: 21 }],
			management: { port: 22 },
			dataDir: "/abs",
			workers: 5,
		});
	});

	it("takes the management address as text too, as that of a listener", () => {
		expect(configOf("management: localhost:5").management).toEqual(
			configOf("management: {address: localhost:5}").management,
		);
		expect(configOf("management: 127.0.0.1:5").management).toEqual({
			...{ host: "127.0.0.1", port: 5 },
			...{ tls: [], hosts: [], ui: true },
		});
		const flags = { management: "127.0.0.1:6" };
		expect(configOf("management: 127.0.0.1:5", flags).management.port).toBe(6);
		expect(mistakesOf("management: nonsense")).toMatch(
			/^FILE:1:1: \/management: "nonsense" is no address/,
		);
		expect(mistakesOf("a: 1", { management: "nonsense" })).toMatch(/FILE:1:1: \/a: unknown/);
		expect(mistakesOf("workers: 1", { management: "nonsense" })).toMatch(
			/^--management: "nonsense" is no address/,
		);
		expect(mistakesOf("management: 4040")).toMatch(/FILE:1:1: \/management: /);
		expect(mistakesOf("management: {adress: 127.0.0.1:5}")).toMatch(
			/\/management\/adress: .*"address"/,
		);
	});

	it("takes another default of the data folder where nobody names one", () => {
		const dataDir = (text: string | undefined, flags = {}, environment = {}) => {
			const config = text === undefined ? {} : { config: written(text) };
			const loaded = loadConfig({
				flags: { ...config, ...flags },
				environment,
				workingDirectory: "/cwd",
				defaultDataDir: "/tmp/demo",
			});
			return loaded.ok && loaded.value.config.dataDir;
		};
		for (const text of [undefined, "", "workers: 2"]) expect(dataDir(text)).toBe("/tmp/demo");
		expect(dataDir("data_dir: ./weir-data")).toBe(join(folder, "weir-data"));
		expect(dataDir(undefined, { "data-dir": "named" })).toBe("/cwd/named");
		expect(dataDir(undefined, {}, { WEIR_DATA_DIR: "named" })).toBe("/cwd/named");
	});

	it("reads JSON too, and an empty file", () => {
		expect(configOf('{"workers": 7, "log": {"access": true}}')).toMatchObject({
			workers: 7,
			log: { access: true, destination: "stdout" },
		});
		expect(configOf("").workers).toBeGreaterThan(0);
	});

	it("warns of settings that have no effect", () => {
		const warnings = (text: string) => {
			const loaded = load(text);
			return loaded.ok && loaded.value.warnings.map((each) => each.replace(/^\S*config-\d+/, "F"));
		};
		expect(warnings("timeouts: {request_header_ms: 10000}")).toEqual([]);
		expect(warnings("timeouts: {request_header_ms: 3000}")).toEqual([]);
		expect(warnings("front: off\ntimeouts: {request_header_ms: 3000}")).toEqual([
			"F.yaml:2:12: /timeouts/request_header_ms: has no effect with front: off: the server library waits 10000 ms for a header",
		]);
		expect(warnings("limits: {connections: 5, connections_per_address: 2}")).toEqual([]);
		expect(warnings("front: off\nlimits: {connections: 5, connections_per_address: 2}")).toEqual([
			"F.yaml:2:10: /limits/connections: has no effect with front: off: the front counts connections; set front: on",
			"F.yaml:2:26: /limits/connections_per_address: has no effect with front: off: the front counts connections; set front: on",
		]);
		expect(warnings("counters: {file: shared}")).toEqual([]);
		expect(warnings("tls: {min_version: TLSv1.3}")).toEqual([]);
		expect(warnings("tls: {min_version: TLSv1.3, ciphers: ECDHE+AESGCM}")).toEqual([
			"F.yaml:1:29: /tls/ciphers: has no effect: it is for TLS 1.2, and tls.min_version is TLSv1.3",
		]);
	});

	it("takes the API key from the environment and warns of stray variables", () => {
		const loaded = load(undefined, {}, { WEIR_API_KEY: "k", WEIR_LISTN: "x", OTHER: "y" });
		expect(loaded.ok && loaded.value.apiKey).toBe("k");
		expect(loaded.ok && loaded.value.warnings).toEqual([
			"WEIR_LISTN: no variable of weir's, and ignored; did you mean WEIR_LISTEN?",
		]);
	});
});

describe("mistakes", () => {
	it("a data folder without a name is none", () => {
		expect(mistakesOf('data_dir: ""')).toMatch(/data_dir: must have at least 1 character/);
	});

	it("names unknown fields with line, column and the nearest valid name, all at once", () => {
		const said = mistakesOf("worker: 2\ntimeouts:\n  idle_mss: 5\nlog: {levle: info}\n");
		expect(said).toMatch(/FILE:1:\d+: \/worker: .*"worker".*"workers"/);
		expect(said).toMatch(/FILE:3:\d+: \/timeouts\/idle_mss: .*"idle_ms"/);
		expect(said).toMatch(/FILE:4:\d+: \/log\/levle: .*"level"/);
	});

	it.each([
		["workers: two", /FILE:1:\d+: \/workers: /],
		["workers: 0", /\/workers: /],
		["listen: []", /\/listen/],
		["listen: nonsense", /"nonsense" is no address/],
		["listen: [{address: 127.0.0.1:80}, {address: 127.0.0.1:80}]", /127\.0\.0\.1:80 .*twice/],
		["trusted_proxies: [10.0.0.0/33]", /"10\.0\.0\.0\/33" is no address or network/],
		['trusted_proxies: ["010.1"]', /"010\.1" is no address or network/],
		["listen: [{address: '[::1]:80'}, {address: '[0:0::1]:80'}]", /\[::1\]:80 is the same address/],
		["geo: {database: missing.mmdb}", /FILE:1:7: \/geo\/database: cannot read .*mmdb: ENOENT/],
		["tls: {min_version: TLSv1.1}", /FILE:1:7: \/tls\/min_version: .*TLSv1\.2/],
		["tls: {ciphers: nonsense}", /^FILE:1:7: \/tls\/ciphers: "nonsense" names no cipher suite/],
		["tls: {ciphers: ''}", /^FILE:1:7: \/tls\/ciphers: "" names no cipher suite/],
		["tls: {ciphers: TLS_AES_128_GCM_SHA256}", /\/tls\/ciphers: .* no cipher suite of TLS 1\.2/],
		["expression_errors: ignore", /\/expression_errors: .*reject/],
		["expressions: {deadline_ms: 0}", /\/expressions\/deadline_ms: /],
		["expressions: {threads: 17}", /\/expressions\/threads: /],
		["a: 1\na: 2", /FILE:2:1: duplicate key "a"/],
		["listen: !!str 127.0.0.1:80", /FILE:1:15: tags are not allowed/],
		["workers: 1\n---\nworkers: 2", /FILE:2:1: a second document begins here/],
		["a: [", /FILE:1:\d+: /],
	])("refuses %j", (text, pattern) => {
		expect(mistakesOf(text)).toMatch(pattern);
	});

	it("refuses a file that is not there, and workers that are no number", () => {
		const missing = loadConfig({
			flags: { config: "nowhere.yaml" },
			environment: {},
			workingDirectory: folder,
		});
		expect(missing).toMatchObject({ ok: false, error: [expect.stringContaining("ENOENT")] });
		expect(mistakesOf(undefined, { workers: "many" })).toBe(
			'--workers: "many" is no number of workers; 1 to 256',
		);
		expect(mistakesOf(undefined, {}, { WEIR_WORKERS: "0" })).toContain("WEIR_WORKERS");
	});
});

describe("certificates", () => {
	beforeAll(async () => {
		for (const name of ["a", "b"]) {
			await writeCertificate(folder, name, `${name}.example`);
		}
		writeFileSync(join(folder, "junk.crt"), "junk");
	});
	const listener = (cert: string, key: string) =>
		`listen: [{address: 127.0.0.1:443, tls: {cert: ${cert}, key: ${key}}}]`;

	it("accepts a certificate with its key, alone or among several", () => {
		expect(configOf(listener("a.crt", "a.key")).listen[0]?.tls).toEqual([
			{ cert: join(folder, "a.crt"), key: join(folder, "a.key") },
		]);
		const both = configOf(
			"listen: [{address: 127.0.0.1:443, tls: [{cert: a.crt, key: a.key}, {cert: b.crt, key: b.key}]}]",
		);
		expect(both.listen[0]?.tls).toHaveLength(2);
	});

	it("refuses a foreign key, a missing file and junk", () => {
		expect(mistakesOf(listener("a.crt", "b.key"))).toMatch(/b\.key is not the key of .*a\.crt/);
		expect(mistakesOf(listener("c.crt", "a.key"))).toMatch(
			/^FILE:1:41: \/listen\/0\/tls\/cert: cannot read .*c\.crt: ENOENT/,
		);
		expect(mistakesOf(listener("junk.crt", "a.key"))).toMatch(
			/\/listen\/0\/tls\/cert: \S+junk\.crt holds no certificate in PEM$/,
		);
	});

	it.each(["pkcs8", "pkcs1"] as const)("says of an encrypted key of form %s that it is", (type) => {
		const { privateKey } = generateKeyPairSync("rsa", {
			modulusLength: 2048,
			publicKeyEncoding: { type: "spki", format: "pem" },
			privateKeyEncoding: { type, format: "pem", cipher: "aes-256-cbc", passphrase: "secret" },
		});
		writeFileSync(join(folder, "encrypted.key"), privateKey);
		expect(mistakesOf(listener("a.crt", "encrypted.key"))).toMatch(
			/\/listen\/0\/tls\/key: \S+encrypted\.key is encrypted with a passphrase, and weir asks for none; write a copy without one: openssl pkey -in \S+encrypted\.key -out FILE$/,
		);
	});
});

describe("what would only fail later", () => {
	it("aliases that lead nowhere or fill the memory are mistakes, not crashes", () => {
		expect(mistakesOf("workers: *nope\n")).toMatch(/^FILE:1:10: \*nope repeats nothing/);
		const rows = ["a: &a [x,x,x,x,x,x,x,x,x]"];
		for (const [before, name] of ["ab", "bc", "cd", "de"]) {
			rows.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(",")}]`);
		}
		expect(mistakesOf(rows.join("\n"))).toMatch(/^FILE:1:\d+: aliases repeat more than/);
	});

	it("a geo database that is no MMDB file", () => {
		const at = (database: string) => mistakesOf(JSON.stringify({ geo: { database } }));
		const bundled = createRequire(import.meta.url).resolve(
			"@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb",
		);
		expect(at(bundled)).toBe("");
		const table = join(folder, "countries.csv");
		writeFileSync(table, "1.0.0.0,1.0.0.255,AU\n");
		for (const path of [table, folder, "/dev/zero"])
			expect(at(path)).toBe(
				`FILE:1:9: /geo/database: ${path} is no MMDB file; weir reads MaxMind's format (.mmdb), unpacked, no CSV and no archive`,
			);
	});

	it("a log file that can't be written", () => {
		const at = (destination: string) => mistakesOf(JSON.stringify({ log: { destination } }));
		const place = "FILE:1:9: /log/destination:";
		expect(at("/nowhere/weir.log")).toBe(`${place} cannot write /nowhere/weir.log: ENOENT`);
		expect(at("/dev/null/weir.log")).toBe(`${place} cannot write /dev/null/weir.log: ENOTDIR`);
		expect(at(folder)).toBe(`${place} ${folder} is a folder`);
		expect(at(join(folder, "new.log"))).toBe("");
		symlinkSync("nowhere/weir.log", join(folder, "link.log"));
		expect(at(join(folder, "link.log"))).toMatch(/cannot write \S+link\.log: ENOENT$/);
		const audit = mistakesOf(JSON.stringify({ log: { audit: "/nowhere/audit.log" } }));
		expect(audit).toContain("/log/audit: cannot write /nowhere/audit.log: ENOENT");
		expect(at("stderr")).toBe("");
	});

	it("an API key that no client can send", () => {
		const withKey = (WEIR_API_KEY: string) => mistakesOf(undefined, {}, { WEIR_API_KEY });
		for (const key of ["a b", "key\n", "schlüssel"]) expect(withKey(key)).toContain("WEIR_API_KEY");
		expect(withKey("secret-0123_x.~+/=")).toBe("");
	});
});
