/**
 * Copies the part of an exchange that a suspended evaluation reads into plain data, which can be sent to
 * another thread, and makes `Attributes` of the copy there. The edge makes the copy, `settle.ts` reads it.
 * Reading an attribute that was not copied throws, because a wrong value would decide about a request.
 */
import type { Attributes, HeaderLines } from "./attributes.ts";
import { fromPortable, portable } from "./values/portable.ts";
import { Results } from "./values/results.ts";
import { type Portable, ValueMap } from "./values/value.ts";
import { pathsOf, VARIABLE_TABLE } from "./variables/table.ts";

interface HeaderCopy {
	/** are these all there are? */
	readonly complete: boolean;
	/** names in lower case, in order of first appearance if complete */
	readonly lines: readonly (readonly [name: string, values: readonly string[]])[];
}

/** Can be cloned. Read it through `attributesFrom` only. */
export interface AttributesCopy {
	/** by path, such as `url.path` */
	readonly values: Readonly<Record<string, string | number>>;
	readonly requestHeaders: HeaderCopy;
	readonly responseHeaders: HeaderCopy;
	/** what actions have left; undefined if it is not read */
	readonly results?: ResultsCopy | undefined;
}

interface ResultsCopy {
	readonly actions: readonly (readonly [name: string, fields: Portable])[];
	readonly vars: readonly (readonly [name: string, value: Portable])[];
}

const RESULTS_PATH = "results";

const HEADER_PATH = /^(?:request|response)Headers(?:$|:)/;

/** Where variables read single values: paths of one name or two, such as `url.path`, taken apart. */
const SINGLE: ReadonlyMap<string, readonly [outer: string, inner: string | undefined]> = new Map(
	VARIABLE_TABLE.flatMap(pathsOf)
		.filter((path) => !HEADER_PATH.test(path) && path !== RESULTS_PATH)
		.map((path) => {
			const [outer = "", inner] = path.split(".");
			return [path, [outer, inner]];
		}),
);

export const SINGLE_PATHS: readonly string[] = [...SINGLE.keys()];

/** @throws Error for a path that no variable reads */
function valueAt(attributes: Attributes, path: string): string | number {
	const [outer, inner] = SINGLE.get(path) ?? [];
	const whole: unknown = outer === undefined ? undefined : Reflect.get(attributes, outer);
	const isObject = typeof whole === "object" && whole !== null;
	const value: unknown = inner !== undefined && isObject ? Reflect.get(whole, inner) : whole;
	if (typeof value === "string" || typeof value === "number") return value;
	throw new Error(`no attribute: ${path}`);
}

/** @param reads paths as variables have them (`variables/definition.ts`) @throws Error for one that there is not */
export function copyAttributes(attributes: Attributes, reads: readonly string[]): AttributesCopy {
	const values: Record<string, string | number> = {};
	for (const path of reads) {
		if (HEADER_PATH.test(path) || path === RESULTS_PATH) continue;
		values[path] = valueAt(attributes, path);
	}
	return {
		values,
		requestHeaders: copyHeaders(attributes, "requestHeaders", reads),
		responseHeaders: copyHeaders(attributes, "responseHeaders", reads),
		results: reads.includes(RESULTS_PATH) ? copyResults(attributes.results) : undefined,
	};
}

function copyResults(results: Attributes["results"]): ResultsCopy {
	return { actions: entriesOf(results?.actions), vars: entriesOf(results?.vars) };
}

const entriesOf = (map: ValueMap | undefined): (readonly [string, Portable])[] =>
	(map?.keys() ?? []).map((key) => [String(key), portable(map?.get(key) ?? null)] as const);

function resultsFrom({ actions, vars }: ResultsCopy): Results {
	const results = new Results();
	for (const [name, fields] of actions) {
		const map = fromPortable(fields);
		if (!(map instanceof ValueMap)) continue;
		const entries = map.keys().map((key) => [String(key), map.get(key) ?? null] as const);
		results.ran(name, new Map(entries));
	}
	// in a thread nothing is added
	for (const [name, value] of vars) results.assign(name, fromPortable(value), 0);
	return results;
}

const NOTHING: HeaderCopy = { complete: false, lines: [] };

function copyHeaders(
	attributes: Attributes,
	side: "requestHeaders" | "responseHeaders",
	reads: readonly string[],
): HeaderCopy {
	const complete = reads.includes(side);
	const prefix = `${side}:`;
	const named = reads.filter((path) => path.startsWith(prefix));
	if (!complete && named.length === 0) return NOTHING;
	const headers = attributes[side];
	const names = complete ? headers.names() : named.map((path) => path.slice(prefix.length));
	return { complete, lines: names.map((name) => [name, headers.lines(name)]) };
}

type Values = AttributesCopy["values"];

/** Getters for the single values below `prefix`, made once; each finds its value in the copy that it is given. */
function gettersBelow(prefix: string): object {
	const getters: object = Object.create(null);
	for (const path of SINGLE_PATHS) {
		const name = path.slice(prefix.length);
		if (!path.startsWith(prefix) || name.includes(".")) continue;
		Object.defineProperty(getters, name, {
			get(this: { readonly values: Values }): string | number {
				const value = this.values[path];
				if (value === undefined) throw new Error(`not copied: ${path}`);
				return value;
			},
		});
	}
	return getters;
}
const ATTRIBUTES = gettersBelow("");
const URL_PARTS = gettersBelow("url.");
const GEO_RECORD = gettersBelow("geo.");

/** Reads what was copied; reading anything else throws an Error. */
export function attributesFrom({
	values,
	requestHeaders,
	responseHeaders,
	results,
}: AttributesCopy): Attributes {
	return Object.assign(Object.create(ATTRIBUTES), {
		values,
		url: Object.assign(Object.create(URL_PARTS), { values }),
		geo: Object.assign(Object.create(GEO_RECORD), { values }),
		requestHeaders: new CopiedHeaders(requestHeaders),
		responseHeaders: new CopiedHeaders(responseHeaders),
		results: results === undefined ? undefined : resultsFrom(results),
	});
}

const NO_LINES: readonly string[] = Object.freeze([]);

class CopiedHeaders implements HeaderLines {
	readonly #complete: boolean;
	readonly #lines: ReadonlyMap<string, readonly string[]>;

	constructor({ complete, lines }: HeaderCopy) {
		this.#complete = complete;
		this.#lines = new Map(lines);
	}

	lines(name: string): readonly string[] {
		const lines = this.#lines.get(name);
		if (lines !== undefined) return lines;
		if (!this.#complete) throw new Error(`not copied: header ${name}`);
		return NO_LINES;
	}

	names(): readonly string[] {
		if (!this.#complete) throw new Error("not copied: names of headers");
		return [...this.#lines.keys()];
	}
}
