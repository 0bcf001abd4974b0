/**
 * What the supervisor itself knows to be wrong, in the live page's sentences; what workers tell is judged by
 * management/live/problems.ts. Pure. Called by `live-page.ts`.
 */
import type { FrontState } from "../../http/front-telemetry.ts";
import type { Condition } from "../../management/live/source.ts";
import type { CertificateDates } from "../config/certificate-dates.ts";

const DAY_MS = 86_400_000;
/** whoever renews certificates by a program does so a month before */
const SOON_DAYS = 14;

interface Known {
	/** of the store; undefined: all is well */
	readonly loss: string | undefined;
	readonly front: FrontState;
	/** the workers count rate-limits together */
	readonly countsTogether: boolean;
	readonly certificates: readonly Pick<CertificateDates, "file" | "names" | "to">[];
}

export function conditionsOf(known: Known, nowMs: number): readonly Condition[] {
	const found: Condition[] = [];
	if (known.loss !== undefined)
		found.push({
			...{ id: "store-lost", severity: "critical" },
			sentence: `Nothing can be stored: ${known.loss}. Restore the data folder and start weir again; traffic goes on meanwhile.`,
		});
	if (!known.countsTogether)
		found.push({
			...{ id: "counts-alone", severity: "warning" },
			sentence:
				"Each worker counts rate-limits for itself, so limits are wider than they say. The log names the file that can't be shared.",
		});
	if (known.front === "unavailable")
		found.push({
			...{ id: "front-unavailable", severity: "warning" },
			sentence:
				"weir's own front can't read clients on this machine; the server library does it alone, with its limits. See known-limits.md.",
		});
	const files = new Map(known.certificates.map((each) => [each.file, each]));
	return [...found, ...[...files.values()].flatMap((each) => expiryOf(each, nowMs))];
}

function expiryOf(
	{ file, names, to }: Known["certificates"][number],
	nowMs: number,
): readonly Condition[] {
	const days = (to.getTime() - nowMs) / DAY_MS;
	if (days > SOON_DAYS) return [];
	const whose = names.length === 0 ? file : `${file} (${names.join(", ")})`;
	const id = `certificate-${file}`;
	const remedy = "Renew it, then reload weir (SIGHUP).";
	if (days <= 0)
		return [
			{ id, severity: "critical", sentence: `The certificate ${whose} has expired. ${remedy}` },
		];
	const left = days < 1 ? "within a day" : `in ${Math.floor(days)} days`;
	return [
		{ id, severity: "warning", sentence: `The certificate ${whose} expires ${left}. ${remedy}` },
	];
}
