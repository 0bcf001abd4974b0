/**
 * A tree of tests that comparing texts and addresses of a request decides: what `tests.ts` makes of expressions, and
 * `edge/standing/guard-code.ts` instructions of.
 */
import type { AddressRange } from "../../http/address-range.ts";

export type Comparison = "equals" | "starts" | "ends" | "contains" | "present";

/** A text of the request. */
export interface Subject {
	readonly kind: "method" | "host" | "path" | "query" | "field";
	/** of a field, in lower case; its one line is meant, and of several nobody knows */
	readonly name: string;
	/** what the test of a field that is not there is; `empty`: that of the empty text */
	readonly absent: "false" | "true" | "empty" | "unknown";
	/** the text in lower case */
	readonly folds: boolean;
}

export interface TextTest {
	readonly kind: "text";
	readonly subject: Subject;
	readonly comparison: Comparison;
	/** one of them has to match; none for `present` */
	readonly texts: readonly string[];
}

export type Test =
	| { readonly kind: "constant"; readonly value: boolean }
	| { readonly kind: "unknown" }
	| { readonly kind: "not"; readonly of: Test }
	/** in this order: what stands behind one that decides is not asked */
	| { readonly kind: "all" | "any"; readonly of: readonly Test[] }
	| TextTest
	/** the client's address is in one of them */
	| { readonly kind: "address"; readonly ranges: readonly AddressRange[] };
