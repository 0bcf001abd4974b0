/** Warnings of certificates that clients will refuse for their dates, and the gauge of when that will be. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Listener, TlsFiles } from "../../../src/config.ts";
import {
	dateWarnings,
	expiryMetrics,
	readDates,
	warnOfDates,
} from "../../../src/process/config/certificate-dates.ts";
import { writeCertificate } from "../../certificate.ts";
import { listenerWith } from "../../listener.ts";
import { recordedLog } from "../recorded-log.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-dates-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FROM = new Date("2030-01-01T00:00:00Z");
const TO = new Date("2031-01-01T00:00:00Z");

const listener = (...tls: TlsFiles[]): Listener => listenerWith({ tls });
const datesOf = (listen: readonly Listener[], ...tls: TlsFiles[]) =>
	readDates({
		listen,
		management: { host: "127.0.0.1", port: 3, hosts: [], ui: true, tls },
		fleet: null,
	});

it("names file, names and date of what has expired or is not valid yet, each file once", async () => {
	const files = await writeCertificate(folder, "dated", "a.test", ["a.test", "*.b.test"], {
		notBeforeDate: FROM,
		notAfterDate: TO,
	});
	const dates = datesOf([listener(), listener(files, files), listener(files)]);
	const linesAt = (nowMs: number) => {
		const { log, lines } = recordedLog();
		warnOfDates(dates, log, nowMs);
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
	const said = (nowMs: number) => dateWarnings(dates, nowMs);
	expect(said(TO.getTime())).toEqual([]);
	expect(said(TO.getTime() + 1)).toHaveLength(3);
	expect(said(TO.getTime() + 1)[2]).toEqual({
		pointer: "/listen/2/tls/0/cert",
		message: `the certificate ${files.cert} (a.test, *.b.test) expired on ${TO.toISOString()}; renew it`,
	});
	expect(said(FROM.getTime() - 1)[0]?.message).toMatch(/is not valid before 2030-01-01T00:00:00/);
});

it("is a point in time for each address and file", async () => {
	const files = await writeCertificate(folder, "counted", "c.test", [], { notAfterDate: TO });
	const on = (port: number, ...tls: TlsFiles[]) => listenerWith({ port, tls });
	const metrics = expiryMetrics(datesOf([on(1, files, files), on(2, files), on(3)]));
	const seconds = TO.getTime() / 1000;
	expect(metrics).toEqual({
		[`weir_certificate_expiry_seconds{listener="127.0.0.1:1",certificate="${files.cert}"}`]:
			seconds,
		[`weir_certificate_expiry_seconds{listener="127.0.0.1:2",certificate="${files.cert}"}`]:
			seconds,
	});
});

it("looks at the management API's certificates, too", async () => {
	const files = await writeCertificate(folder, "api", "api.test", ["api.test"], {
		notBeforeDate: FROM,
		notAfterDate: TO,
	});
	const { log, lines } = recordedLog();
	const dates = datesOf([listener()], files);
	warnOfDates(dates, log, TO.getTime() + 1);
	expect(lines).toMatchObject([{ fields: { file: files.cert, names: ["api.test"] } }]);
	expect(dates).toMatchObject([{ pointer: "/management/tls/cert", listener: "127.0.0.1:3" }]);
});

it("leaves files that can't be read to others", () => {
	const { log, lines } = recordedLog();
	const junk = { cert: join(folder, "junk"), key: join(folder, "junk") };
	writeFileSync(junk.cert, "junk");
	const dates = datesOf([listener(junk, { ...junk, cert: join(folder, "missing") })]);
	warnOfDates(dates, log);
	expect([lines, dateWarnings(dates), expiryMetrics(dates)]).toEqual([[], [], {}]);
});
