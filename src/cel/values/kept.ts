/**
 * Values that take parsing, kept with an exchange so that all expressions of a policy share them: maps of headers,
 * cookies and parameters. `derived.ts` fills them in.
 */
import type { HeaderLines } from "./header-lines.ts";
import type { ValueMap } from "./value.ts";

/** Of the headers of one message. */
export class OfHeaders {
	readonly lines: HeaderLines;
	map: ValueMap | undefined;
	cookies: ValueMap | undefined;
	mediaParameters: ValueMap | undefined;

	constructor(lines: HeaderLines) {
		this.lines = lines;
	}
}

/** Room in an exchange for what expressions have made of it. */
export class Derived {
	request: OfHeaders | undefined;
	response: OfHeaders | undefined;
	/** the query that `queryParams` is of; a url-rewrite brings another */
	query: string | undefined;
	queryParams: ValueMap | undefined;
}

/** What actions have left (`results.ts`). */
export interface Left {
	readonly actions: ValueMap;
	readonly vars: ValueMap;
}
