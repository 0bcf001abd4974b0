/**
 * The origins that a cors action allows: whole ones, all hosts below one (`https://*.example.com`), or all. Used by
 * `cors.ts`.
 */
import { asciiLowerCase } from "../../../ascii.ts";
import { quoted } from "../../../documents/nearest.ts";
import { parseUrl } from "../../../http/target.ts";

const STAR = "*";
const ANY = "any";

/** Why the text is no origin; undefined if it is one. */
export function originMistake(origin: string): string | undefined {
	if (origin === STAR || origin === "null") return undefined;
	const plain = origin.replace("://*.", `://${ANY}.`);
	const url = plain.includes(STAR) ? undefined : parseUrl(plain);
	if (url !== undefined && asciiLowerCase(plain) === `${url.scheme}://${url.authority}`)
		return undefined;
	return `${quoted(origin)} is no origin; write "https://shop.example", "https://*.shop.example" or "*", without a path and without the scheme's own port`;
}

/** what a `*` may stand for */
const HOST_LABELS = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;

export class Origins {
	/** every origin is allowed */
	readonly all: boolean;
	readonly #exact: ReadonlySet<string>;
	/** what stands before and behind the `*` */
	readonly #wildcards: readonly { readonly begin: string; readonly end: string }[];

	/** @param origins of which `originMistake` says nothing */
	constructor(origins: readonly string[]) {
		const lower = origins.map(asciiLowerCase);
		this.all = lower.includes(STAR);
		this.#exact = new Set(lower.filter((origin) => !origin.includes(STAR)));
		this.#wildcards = lower
			.filter((origin) => origin.includes(STAR) && origin !== STAR)
			.map((origin) => {
				const [begin = "", end = ""] = origin.split(STAR);
				return { begin, end };
			});
	}

	allows(origin: string): boolean {
		const given = asciiLowerCase(origin);
		if (this.all || this.#exact.has(given)) return true;
		return this.#wildcards.some(({ begin, end }) => {
			const host = given.slice(begin.length, given.length - end.length);
			return given.startsWith(begin) && given.endsWith(end) && HOST_LABELS.test(host);
		});
	}
}
