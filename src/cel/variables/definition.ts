/**
 * The shape of the table of variables: a variable is one row, which says all that weir knows of it. The files
 * of this folder hold the rows; `table.ts` joins them. The checker takes names and types from the rows
 * (`check/variables.ts`), lowering how a variable is read (`lower/reads.ts`), the estimate of costs how large it
 * can be (`cost/input-sizes.ts`), copies for other threads what they have to hold (`attributes-copy.ts`), and
 * docs/expressions.md its text.
 */
import type { Attributes, GeoRecord, UrlParts } from "../attributes.ts";
import type { Guard } from "../expression.ts";
import type { Example } from "../library/definition.ts";
import type { Value } from "../values/value.ts";
import type { SizeOf } from "./sizes.ts";

/** Members of `T` that are texts or numbers. */
type Single<T> = {
	[Key in keyof T]-?: T[Key] extends string | number ? Key : never;
}[keyof T] &
	string;

/** Where `Attributes` holds a single text or number. */
export type AttributePath =
	| Single<Attributes>
	| `url.${Single<UrlParts>}`
	| `geo.${Single<GeoRecord>}`;

/** Where `Attributes` holds the header lines of a message. */
export type LinesPath = "requestHeaders" | "responseHeaders";

/**
 * What reading a variable takes: single attributes, all header lines, those of one name (lower case), or
 * what actions have left. */
export type ReadPath = AttributePath | LinesPath | `${LinesPath}:${string}` | "results";

/** Hot: called by lowered code. What takes parsing is kept with the exchange (`values/derived.ts`). */
export type Derive = (attributes: Attributes) => Value;

export interface AttributeRead {
	readonly attribute: AttributePath;
	/** of an int, which then travels as a number: no value lies outside */
	readonly range?: { readonly min: number; readonly max: number };
}

export interface DerivedRead {
	readonly derive: Derive;
	readonly paths: readonly ReadPath[];
	/** of a map of headers: the lines that it shows */
	readonly lines?: LinesPath;
}

export interface VariableDefinition {
	/** as expressions name it */
	readonly name: string;
	/** as signatures write types; `cookie` and `set_cookie` are those of `records.ts` */
	readonly type: string;
	/** one sentence for docs/expressions.md */
	readonly doc: string;
	/** its value in the exchange that docs/expressions.md shows, as an expression */
	readonly example: string;
	/** how it is used, and what comes of it, where that tells more than the value */
	readonly use?: Example;
	/** what it is, and when, where there is nothing to tell; undefined: there always is */
	readonly absent?: string;
	/** does it exist in outbound rules only? */
	readonly outboundOnly?: true;
	readonly read: AttributeRead | DerivedRead;
	/** how large it can be; undefined for numbers and times */
	readonly size?: SizeOf;
	/**
	 * Nanoseconds a character of its message's header, at worst, to make the variable when it is read first. What
	 * is kept with the exchange charges less than that.
	 */
	readonly parsingNanoseconds?: number;
	/** the attribute by which rules are passed over that compare this variable with literals (`guard/`) */
	readonly guard?: Guard["attribute"];
	/** may it differ between two readings within a phase? Then two expressions that read it are never the same. */
	readonly changes?: true;
	/** is the text an IP address whatever the request? Then looking for it in ranges cannot fail. */
	readonly isAddress?: true;
}

export const attribute = (path: AttributePath): AttributeRead => ({ attribute: path });

/** An int between `min` and `max`. */
export const integer = (path: AttributePath, min: number, max: number): AttributeRead => ({
	attribute: path,
	range: { min, max },
});

export const derived = (derive: Derive, ...paths: readonly ReadPath[]): DerivedRead => ({
	derive,
	paths,
});

/** the largest count of bytes */
export const BYTES_MAX = Number.MAX_SAFE_INTEGER;
export const PORT_MAX = 65_535;

/** The type of headers and of query parameters: a map that has a list for every name. */
export const LISTS_BY_NAME = "map<string, list<string>>";
