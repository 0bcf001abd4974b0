/**
 * Header lines as expressions read them after an action has changed them. Used by `policy-effects.ts` for requests and
 * responses.
 */
import { asciiLowerCase } from "../../ascii.ts";
import type { HeaderLines } from "../../cel/attributes.ts";
import { LookedUpHeaders } from "../request/header-lines.ts";
import type { HeaderChanges } from "./header-changes.ts";

export class ChangedLines extends LookedUpHeaders {
	readonly #lines: HeaderLines;
	readonly #changes: HeaderChanges;
	readonly #host: string | undefined;

	/** @param host in place of the message's own */
	constructor(lines: HeaderLines, changes: HeaderChanges, host?: string) {
		super();
		this.#lines = lines;
		this.#changes = changes;
		this.#host = host;
	}

	protected override find(name: string): string[] | undefined {
		if (name === "host" && this.#host !== undefined) return [this.#host];
		const found = this.#changes.removes(name) ? [] : [...this.#lines.lines(name)];
		for (const [added, value] of this.#changes.added) {
			if (asciiLowerCase(added) === name) found.push(value);
		}
		return found.length > 0 ? found : undefined;
	}

	protected override flat(): readonly string[] {
		const flat: string[] = [];
		const names = new Set(this.#lines.names());
		for (const [name] of this.#changes.added) names.add(asciiLowerCase(name));
		for (const name of names) for (const value of this.find(name) ?? []) flat.push(name, value);
		return flat;
	}
}
