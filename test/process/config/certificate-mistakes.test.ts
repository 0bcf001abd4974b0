/** Each mistake in a certificate's files is told of the file that has it, with what it holds instead. */
import { execFileSync } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { certificateMistakes } from "../../../src/process/config/certificate-mistakes.ts";
import { writeCertificate } from "../../certificate.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-mistakes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
	const { pem, key } = await writeCertificate(folder, "a", "a.test");
	await writeCertificate(folder, "b", "b.test");
	const der = createPrivateKey(readFileSync(key)).export({ type: "pkcs8", format: "der" });
	for (const [name, content] of [
		["der.crt", new X509Certificate(pem).raw],
		["der.key", der],
		["both.pem", `${readFileSync(key)}${pem}`],
		["empty", ""],
		["junk", "junk"],
		["torn.crt", pem.replace("MI", "!!")],
		["torn.key", readFileSync(key, "latin1").replace("MI", "!!")],
	] as const)
		writeFileSync(at(name), content);
	execFileSync("mkfifo", [at("fifo")]);
});

const mistakes = (cert: string, key: string): string =>
	certificateMistakes({
		pointer: "/listen/0/tls/0",
		listener: "",
		files: { cert: at(cert), key: at(key) },
	})
		.map(({ pointer, message }) => `${pointer}: ${message}`.replaceAll(`${folder}/`, ""))
		.join("\n");

it.each([
	["a.crt", "a.key"],
	["both.pem", "both.pem"],
])("%s and %s fit", (cert, key) => {
	expect(mistakes(cert, key)).toBe("");
});

const CERT = "/listen/0/tls/0/cert: ";
const KEY = "/listen/0/tls/0/key: ";
it.each([
	["a.crt", "b.key", `${KEY}b.key is not the key of a.crt`],
	["none", "a.key", `${CERT}cannot read none: ENOENT`],
	["none", "empty", `${KEY}empty holds no private key in PEM, it is empty`],
	["junk", "a.key", `${CERT}junk holds no certificate in PEM`],
	["a.key", "a.crt", `${CERT}a.key holds no certificate in PEM, but a private key; are cert and`],
	["a.key", "a.crt", `${KEY}a.crt holds no private key in PEM, but a certificate; are cert and`],
	["der.crt", "a.key", `${CERT}der.crt holds no certificate in PEM; from DER: openssl x509`],
	["a.crt", "der.key", `${KEY}der.key holds no private key in PEM; from DER: openssl pkey -inform`],
	["torn.crt", "a.key", `${CERT}torn.crt holds a certificate that can't be read: `],
	["a.crt", "torn.key", `${KEY}torn.key holds a private key that can't be read: `],
	["fifo", "a.key", `${CERT}fifo is no regular file`],
	["a.crt", "fifo", `${KEY}fifo is no regular file`],
	["a.crt", ".", `${KEY}${folder} is a folder`],
])("%s and %s", (cert, key, sentence) => {
	expect(mistakes(cert, key)).toContain(sentence);
});
