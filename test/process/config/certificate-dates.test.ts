/** Warnings of certificates that clients will refuse for their dates. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Listener, TlsFiles } from "../../../src/config.ts";
import { warnOfDates } from "../../../src/process/config/certificate-dates.ts";
import { writeCertificate } from "../../certificate.ts";
import { listenerWith } from "../../listener.ts";
import { recordedLog } from "../recorded-log.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-dates-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FROM = new Date("2030-01-01T00:00:00Z");
const TO = new Date("2031-01-01T00:00:00Z");

const listener = (...tls: TlsFiles[]): Listener => listenerWith({ tls });

it("names file, names and date of what has expired or is not valid yet, each file once", async () => {
	const files = await writeCertificate(folder, "dated", "a.test", ["a.test", "*.b.test"], {
		notBeforeDate: FROM,
		notAfterDate: TO,
	});
	const management = { host: "127.0.0.1", port: 0, hosts: [], tls: [files] };
	const linesAt = (nowMs: number) => {
		const { log, lines } = recordedLog();
		warnOfDates(
			{ listen: [listener(), listener(files, files), listener(files)], management },
			log,
			nowMs,
		);
		return lines;
	};
	const facts = { file: files.cert, names: ["a.test", "*.b.test"] };
	expect(linesAt(FROM.getTime())).toEqual([]);
	expect(linesAt(TO.getTime())).toEqual([]);
	expect(linesAt(TO.getTime() + 1)).toEqual([
		{
			level: "warn",
			fields: { ...facts, valid_to: TO.toISOString() },
			message: "a certificate has expired",
		},
	]);
	expect(linesAt(FROM.getTime() - 1)).toEqual([
		{
			level: "warn",
			fields: { ...facts, valid_from: FROM.toISOString() },
			message: "a certificate is not valid yet",
		},
	]);
});

it("looks at the management API's certificates, too", async () => {
	const files = await writeCertificate(folder, "api", "api.test", ["api.test"], {
		notBeforeDate: FROM,
		notAfterDate: TO,
	});
	const { log, lines } = recordedLog();
	const management = { host: "127.0.0.1", port: 0, hosts: [], tls: [files] };
	warnOfDates({ listen: [listener()], management }, log, TO.getTime() + 1);
	expect(lines).toMatchObject([{ fields: { file: files.cert, names: ["api.test"] } }]);
});

it("leaves files that can't be read to others", () => {
	const { log, lines } = recordedLog();
	const junk = { cert: join(folder, "junk"), key: join(folder, "junk") };
	writeFileSync(junk.cert, "junk");
	const listen = [listener(junk, { ...junk, cert: join(folder, "missing") })];
	warnOfDates({ listen, management: { host: "", port: 0, hosts: [], tls: [junk] } }, log);
	expect(lines).toEqual([]);
});
