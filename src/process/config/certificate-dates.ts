/**
 * Says which certificates clients will refuse for their dates. A warning and no mistake: they are served
 * until somebody renews them, since the other names of the listener must not suffer. Called by `serve.ts`
 * at start and at every reload.
 */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Config } from "../../config.ts";
import { namesOf } from "../../http/tls/certificates.ts";
import type { Log } from "../../telemetry/log.ts";

export function warnOfDates(
	{ listen, management }: Pick<Config, "listen" | "management">,
	log: Pick<Log, "warn">,
	nowMs = Date.now(),
): void {
	const files = [...listen, management].flatMap(({ tls }) => tls.map(({ cert }) => cert));
	for (const file of new Set(files)) {
		const certificate = parse(file);
		if (certificate === undefined) continue;
		const [from, to] = [certificate.validFrom, certificate.validTo].map((date) => new Date(date));
		const facts = { file, names: namesOf(certificate) };
		if (to !== undefined && to.getTime() < nowMs)
			log.warn({ ...facts, valid_to: to.toISOString() }, "a certificate has expired");
		if (from !== undefined && from.getTime() > nowMs)
			log.warn({ ...facts, valid_from: from.toISOString() }, "a certificate is not valid yet");
	}
}

/** Files were readable a moment ago (`config-mistakes.ts`); who takes one away now hears of it elsewhere. */
function parse(file: string): X509Certificate | undefined {
	try {
		return new X509Certificate(readFileSync(file));
	} catch {
		return undefined;
	}
}
