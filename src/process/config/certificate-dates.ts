/**
 * Until when the certificates that weir shows are valid, as they were read at the start or at the last reload: a gauge of
 * `/metrics`, and warnings of those that clients will refuse. A warning and no mistake: they are served until somebody
 * renews them, since the other names of the listener must not suffer. Used by supervisor/serve.ts and
 * `start-obstacles.ts`.
 */
import { X509Certificate } from "node:crypto";
import { namesOf } from "../../http/tls/certificates.ts";
import { readPemFile } from "../../http/tls/pem-file.ts";
import type { Log } from "../../telemetry/log.ts";
import { type MetricsSnapshot, series } from "../../telemetry/metrics.ts";
import type { SettingProblem } from "./config-problem.ts";
import { type CertifiedConfig, servedCertificates } from "./served-certificates.ts";

export interface CertificateDates {
	readonly pointer: string;
	readonly listener: string;
	readonly file: string;
	readonly names: readonly string[];
	readonly from: Date;
	readonly to: Date;
}

/**
 * Of the first certificate of each file, the one for which the key is. Files were readable a moment ago
 * (`config-mistakes.ts`); who takes one away now hears of it elsewhere.
 */
export function readDates(config: CertifiedConfig): readonly CertificateDates[] {
	return servedCertificates(config).flatMap(({ pointer, listener, files }) => {
		try {
			const certificate = new X509Certificate(readPemFile(files.cert));
			const [from, to] = [new Date(certificate.validFrom), new Date(certificate.validTo)];
			const names = namesOf(certificate);
			return [{ pointer: `${pointer}/cert`, listener, file: files.cert, names, from, to }];
		} catch {
			return [];
		}
	});
}

interface Badness {
	readonly logged: string;
	readonly fields: object;
	readonly sentence: string;
}

function badnessOf({ from, to }: CertificateDates, nowMs: number): Badness | undefined {
	if (to.getTime() < nowMs)
		return {
			logged: "a certificate has expired",
			fields: { valid_to: to.toISOString() },
			sentence: `expired on ${to.toISOString()}; renew it`,
		};
	if (from.getTime() > nowMs)
		return {
			logged: "a certificate is not valid yet",
			fields: { valid_from: from.toISOString() },
			sentence: `is not valid before ${from.toISOString()}; is the clock right?`,
		};
	return undefined;
}

/** Each file once, however many listeners have it. */
export function warnOfDates(
	certificates: readonly CertificateDates[],
	log: Pick<Log, "warn">,
	nowMs = Date.now(),
): void {
	const files = new Map(certificates.map((certificate) => [certificate.file, certificate]));
	for (const certificate of files.values()) {
		const badness = badnessOf(certificate, nowMs);
		const { file, names } = certificate;
		if (badness !== undefined) log.warn({ file, names, ...badness.fields }, badness.logged);
	}
}

/** The same for people who read the config file. */
export const dateWarnings = (
	certificates: readonly CertificateDates[],
	nowMs = Date.now(),
): SettingProblem[] =>
	certificates.flatMap((certificate) => {
		const badness = badnessOf(certificate, nowMs);
		if (badness === undefined) return [];
		const { pointer, file, names } = certificate;
		const of = names.length === 0 ? "" : ` (${names.join(", ")})`;
		return [{ pointer, message: `the certificate ${file}${of} ${badness.sentence}` }];
	});

/** Seconds of Unix time, as Prometheus has points in time: `… - time()` are the seconds that are left. */
export const expiryMetrics = (certificates: readonly CertificateDates[]): MetricsSnapshot =>
	Object.fromEntries(
		certificates.map(({ listener, file, to }) => [
			series("weir_certificate_expiry_seconds", { listener, certificate: file }),
			to.getTime() / 1000,
		]),
	);
