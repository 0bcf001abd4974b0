/** The management API's settings (contract 1): TLS and names, what is wrong with them, and what is warned of. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/process/config/load-config.ts";
import { writeCertificate } from "../../certificate.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-management-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
	await writeCertificate(folder, "a", "a.test");
	await writeCertificate(folder, "b", "b.test");
});

function load(management: string, environment: Record<string, string> = {}) {
	const config = join(folder, "weir.yaml");
	writeFileSync(config, `management: ${management}\n`);
	return loadConfig({ flags: { config }, environment, workingDirectory: "/cwd" });
}

const settingsOf = (...args: Parameters<typeof load>) => {
	const loaded = load(...args);
	if (!loaded.ok) throw new Error(loaded.error.join("\n"));
	return loaded.value;
};
const mistakesOf = (management: string): string => {
	const loaded = load(management);
	return loaded.ok ? "" : loaded.error.join("\n");
};

const A = { cert: join(folder, "a.crt"), key: join(folder, "a.key") };

describe("tls", () => {
	it("is one certificate, by paths from the file's folder; a flag changes the address alone", () => {
		const one = "{address: 127.0.0.1:1, tls: {cert: a.crt, key: a.key}, hosts: [weir.test]}";
		expect(settingsOf(one).config.management).toEqual({
			...{ host: "127.0.0.1", port: 1, tls: [A], hosts: ["weir.test"], ui: true },
		});
		expect(settingsOf(one, { WEIR_MANAGEMENT: "[::1]:2" }).config.management).toEqual({
			...{ host: "::1", port: 2, tls: [A], hosts: ["weir.test"], ui: true },
		});
	});

	it.each([
		[
			"{tls: {cert: a.crt, key: b.key}}",
			/:1:\d+: \/management\/tls\/key: \S+b\.key is not the key of \S+a\.crt$/,
		],
		[
			"{tls: {cert: none.crt, key: a.key}}",
			/:1:\d+: \/management\/tls\/cert: cannot read \S+none\.crt: ENOENT$/,
		],
		["{tls: {cert: a.crt}}", /\/management/],
		["{tls: [{cert: a.crt, key: a.key}]}", /\/management/],
	])("%s is a mistake", (management, sentence) => {
		expect(mistakesOf(management)).toMatch(sentence);
	});
});

describe("hosts", () => {
	it.each([
		["weir.test:4040", '/management/hosts/0: "weir.test:4040": write the name without a port'],
		["*", '/management/hosts/0: "*": it would let every web page in'],
		["http://weir.test", "without scheme or path"],
		["", "can't be empty"],
		["wéir.test", "xn-- form"],
	])("%j is a mistake", (name, sentence) => {
		expect(mistakesOf(JSON.stringify({ hosts: [name] }))).toContain(sentence);
	});

	it.each(["weir.test", "Weir.Test.", "weir", "my_weir", "*.weir.test", "192.0.2.1", "[::1]"])(
		"%j is none",
		(name) => {
			expect(mistakesOf(JSON.stringify({ hosts: [name] }))).toBe("");
		},
	);
});

describe("an API that others can reach without TLS", () => {
	it.each(["0.0.0.0:4040", "*:4040", "[::]:4040", "192.0.2.1:4040", "weir.test:4040"])(
		"%s is warned of",
		(address) => {
			const { warnings } = settingsOf(JSON.stringify(address));
			expect(warnings).toEqual([
				expect.stringMatching(
					/\/management(?:\/address)?: WARNING: the management API listens on \S+ without TLS: .*set management\.tls/,
				),
			]);
			const secure = { address, tls: { cert: "a.crt", key: "a.key" } };
			expect(settingsOf(JSON.stringify(secure)).warnings).toEqual([]);
		},
	);

	it.each(["127.0.0.1:4040", "127.1.2.3:4040", "[::1]:4040", "localhost:4040"])(
		"%s is not",
		(address) => {
			expect(settingsOf(JSON.stringify(address)).warnings).toEqual([]);
		},
	);
});
