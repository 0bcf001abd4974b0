/**
 * Backends as readers of paths: a model of each, and the spellings of paths that they are tried with. Shared by
 * the tests of the models (`path.test.ts`) and of real servers (`e2e/paths.test.ts`).
 */
import { posix } from "node:path";
import fc from "fast-check";

/** What docs/contract.md advises to deny in front of backends that merge or decode separators, */
export const ADVISED = "req.url.path.matches('//|%2F|%5C')";
/** and of those that cut off `;…`. */
export const ADVISED_FOR_SERVLETS = "req.url.path.matches('//|%2F|%5C|;')";

/** Bytes as latin1 characters, so that what is no UTF-8 survives. */
export const decoded = (path: string): string =>
	path.replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) =>
		String.fromCharCode(Number.parseInt(digits, 16)),
	);

/** Decoded, with one slash for each run of separators; dots are left alone. */
export const merged = (path: string, separators: RegExp): string =>
	decoded(path).replace(separators, "/");

const SLASHES = /\/+/g;
const ANY_SLASHES = /[/\\]+/g;
const BASE = "http://backend.test";

/** Without dot segments; undefined if they climb above the root. */
function resolved(path: string): string | undefined {
	const kept: string[] = [];
	for (const segment of path.split("/").slice(1)) {
		if (segment === "..") {
			if (kept.pop() === undefined) return undefined;
		} else if (segment !== ".") kept.push(segment);
	}
	return `/${kept.join("/")}`;
}

const latin1 = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

/** Once decoded as UTF-8, which fails for what is none. */
const decodedStrictly = (path: string): string | undefined => {
	try {
		return decodeURIComponent(path);
	} catch {
		return undefined;
	}
};

export interface Backend {
	/** @param path as it was sent @returns of the file that is served, latin1 bytes; undefined: refused */
	serves(path: string): string | undefined;
	/** What it makes of a path without dot segments. */
	reads(path: string): string;
	/** paths that docs/contract.md advises to deny in front of it */
	readonly advised: RegExp;
}

const mergesSlashes = (path: string): string => merged(path, SLASHES);
const SEPARATORS = /\/\/|%2F|%5C/;

const nodeServes = (path: string): string | undefined => {
	const text = decodedStrictly(path);
	return text === undefined ? undefined : latin1(posix.normalize(text));
};
const withoutParameters = (path: string): string => path.replace(/;[^/]*/g, "");

export const BACKENDS = {
	/** decodes, merges slashes, then removes dot segments */
	nginx: {
		serves: (path) => resolved(mergesSlashes(latin1(path))),
		reads: mergesSlashes,
		advised: SEPARATORS,
	},
	/** as `http.server`: decodes, normalises, drops what would climb */
	python: {
		serves: (path) => posix.normalize(`/${decoded(latin1(path))}`),
		reads: mergesSlashes,
		advised: SEPARATORS,
	},
	/** `path.normalize(decodeURIComponent(…))` */
	node: { serves: nodeServes, reads: mergesSlashes, advised: SEPARATORS },
	/** `new URL(request.url, base).pathname`, decoded then: what stands behind `//` is a host to it */
	url: {
		serves: (path) =>
			URL.canParse(path, BASE) ? nodeServes(new URL(path, BASE).pathname) : undefined,
		reads: (path) => mergesSlashes(path.replace(/^\/\/+[^/]*/, "") || "/"),
		advised: SEPARATORS,
	},
	/** takes `\` for a separator, too */
	windows: {
		serves: (path) => resolved(merged(latin1(path), ANY_SLASHES)),
		reads: (path) => merged(path, ANY_SLASHES),
		advised: SEPARATORS,
	},
	/** cuts parameters off each segment, then decodes */
	servlets: {
		serves: (path) => resolved(mergesSlashes(withoutParameters(latin1(path)))),
		reads: (path) => mergesSlashes(withoutParameters(path)),
		advised: /\/\/|%2F|%5C|;/,
	},
} as const satisfies Record<string, Backend>;

const piece = fc.constantFrom(
	..."/ / / // . .. .. ... .%2e %2e%2E %2f %2F / %5c ; ..; %3b %3F %23 %25 %252e %20 + = é %c3%a9 ~".split(
		" ",
	),
	..."a b %61 admin admin %61dmin secret.txt secret.txt secret%2Etxt s".split(" "),
);

/** Paths as somebody would spell them who looks for a way round a policy. */
export const spelling = fc.oneof(
	fc.array(piece, { maxLength: 14 }).map((parts) => `/${parts.join("")}`),
	fc
		.array(
			fc.constantFrom(
				"",
				"",
				"x",
				"a",
				"..",
				"..",
				".",
				"%2F",
				"%2e%2e",
				"admin%2Fx",
				"%5c",
				"admin",
			),
			{
				maxLength: 7,
			},
		)
		.map((segments) => ["", ...segments, "admin", "secret.txt"].join("/")),
);
