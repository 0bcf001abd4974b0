/** Parts of a request that a line holds in part: header fields, the client's place. Used by `replayed-exchange.ts`. */
import type { GeoRecord } from "../cel/attributes.ts";
import { COUNTRY, type Lacks } from "./lacks.ts";

/** Notes that a field is not there and no line is known to hold it, or that it is not whole. */
export function noteField(
	phase: "request" | "response",
	name: string,
	found: readonly string[],
	lacks: Lacks,
): void {
	const [value] = found;
	if (value === undefined) {
		if (name === "host" || lacks.kept.has(phase, name)) return;
		const setting = phase === "request" ? "log.headers" : "log.response_headers";
		lacks.note(`${phase} header ${name}`, `It was taken as not sent; name it in ${setting}.`);
		return;
	}
	if (value.includes("[redacted]"))
		lacks.note(
			`whole ${phase} header ${name}`,
			"Credentials are redacted; it was taken as it stands there.",
		);
	else if (value.endsWith("…"))
		lacks.note(
			`whole ${phase} header ${name}`,
			"Texts are cut at 1024 characters; it was taken as it stands there.",
		);
}

export class LoggedPlace implements GeoRecord {
	readonly #country: string | undefined;
	readonly #lacks: Lacks;

	constructor(country: string | undefined, lacks: Lacks) {
		this.#country = country;
		this.#lacks = lacks;
	}

	get countryCode(): string {
		if (this.#country === undefined && !this.#lacks.kept.hasCountry)
			this.#lacks.note(
				COUNTRY,
				"It was taken as unknown; lines tell it where geo.database is set.",
			);
		return this.#country ?? "";
	}
	get country(): string {
		return this.#other("country's name");
	}
	get city(): string {
		return this.#other("city");
	}
	get latitude(): string {
		return this.#other("latitude");
	}
	get longitude(): string {
		return this.#other("longitude");
	}
	get subdivision(): string {
		return this.#other("subdivision");
	}

	#other(what: string): string {
		this.#lacks.note(what, "Lines hold the country's code alone; it was taken as unknown.");
		return "";
	}
}
