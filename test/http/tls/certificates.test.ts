/** Certificates of TLS listeners: the names they answer to, and what is said of bad ones (contract 1). */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "selfsigned";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TlsFiles } from "../../../src/config.ts";
import { certificateMark, certificateNames } from "../../../src/http/tls/certificates.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-certificates-"));
afterAll(() => rmSync(folder, { recursive: true }));

const filesOf = (name: string): TlsFiles => ({
	cert: join(folder, `${name}.crt`),
	key: join(folder, `${name}.key`),
});

type AlternativeName = { type: 2 | 6; value: string } | { type: 7; ip: string };

async function certificate(file: string, altNames: AlternativeName[]): Promise<TlsFiles> {
	const subject = [
		{ name: "organizationName", value: "CN=not.test" },
		{ name: "commonName", value: "Common.test" },
	];
	const made = await generate(subject, {
		extensions: altNames.length === 0 ? [] : [{ name: "subjectAltName", altNames }],
	});
	const files = filesOf(file);
	writeFileSync(files.cert, made.cert);
	writeFileSync(files.key, made.private);
	return files;
}

describe("certificateMark", () => {
	it("changes with what the files hold and with the settings, not with the files' names", async () => {
		const settings = { minVersion: "TLSv1.2", ciphers: "A" } as const;
		const files = await certificate("mark", []);
		const copy = filesOf("copy");
		for (const kind of ["cert", "key"] as const) copyFileSync(files[kind], copy[kind]);
		const mark = certificateMark(files, settings);
		expect(certificateMark(copy, settings)).toBe(mark);
		const others = [
			certificateMark(await certificate("mark", []), settings),
			certificateMark(copy, { ...settings, ciphers: "B" }),
			certificateMark(copy, { ...settings, minVersion: "TLSv1.3" }),
			certificateMark({ cert: copy.key, key: copy.cert }, settings),
		];
		expect(new Set([mark, ...others]).size).toBe(5);
		expect(() => certificateMark({ ...copy, key: join(folder, "none") }, settings)).toThrow(
			/ENOENT.*none/,
		);
	});
});

describe("certificateNames", () => {
	it("has the alternative names in lower case, wildcards too, and not the common name", async () => {
		const files = await certificate("names", [
			{ type: 2, value: "One.test" },
			{ type: 7, ip: "192.0.2.1" },
			{ type: 2, value: "*.wild.test" },
		]);
		expect(certificateNames(files)).toEqual(["one.test", "*.wild.test"]);
	});

	it("has the common name where no alternative name is a host name", async () => {
		const files = await certificate("address", [{ type: 7, ip: "192.0.2.1" }]);
		expect(certificateNames(files)).toEqual(["common.test"]);
	});

	it("takes nothing for a name that only stands within a URI", async () => {
		const files = await certificate("uri", [
			{ type: 6, value: "urn:DNS:inside.test" },
			{ type: 2, value: "outside.test" },
		]);
		expect(certificateNames(files)).toEqual(["outside.test"]);
	});
});

describe("a certificate that can't be used", () => {
	let one: TlsFiles;
	let other: TlsFiles;
	beforeAll(async () => {
		one = await certificate("one", []);
		other = await certificate("other", []);
	});

	it("is named with what is wrong: missing, no certificate, another's key", () => {
		const missing = filesOf("missing");
		expect(() => certificateNames({ ...one, cert: missing.cert })).toThrow(missing.cert);
		expect(() => certificateNames({ ...one, key: missing.key })).toThrow(missing.key);
		expect(() => certificateNames({ ...one, cert: one.key })).toThrow(one.key);
		expect(() => certificateNames({ ...one, key: other.key })).toThrow(other.key);
		expect(() => certificateNames({ ...one, key: one.cert })).toThrow(/with key .*one\.crt/);
	});
});
