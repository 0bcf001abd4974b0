/**
 * The explanation of a real request without the credentials that it brought, since others than who sent it may read it: what
 * the log redacts (`edge/access/logged-headers.ts`) is redacted in lists of fields, and wherever else it stands, as in the
 * values of expressions. Called by `explain-task.ts`, in a thread.
 */
import { asciiLowerCase } from "../../ascii.ts";
import { isSecretField, redactedValue } from "../../edge/access/logged-headers.ts";
import type { SeenRequest } from "../../edge/seen/seen-request.ts";
import { presentedIn } from "../../http/credentials.ts";
import type { Explanation } from "../shapes.ts";

type Line = readonly [name: string, value: string];

const HIDDEN = "[redacted]";
/** What is shorter would be found everywhere. */
const LEAST_CHARACTERS = 6;

export function redacted(told: Explanation, seen: SeenRequest): Explanation {
	const lines = [...seen.lines, ...pairsIn(seen.response?.lines ?? [])];
	const own = [...(told.upstream?.headers ?? []), ...(told.answer?.headers ?? [])];
	const secrets = new Set([...lines, ...own].flatMap(secretsOf));
	// Longer ones first: one may hold another.
	const ordered = [...secrets]
		.filter(({ length }) => length >= LEAST_CHARACTERS)
		.sort((one, other) => other.length - one.length);
	return hiddenIn(told, ordered) as Explanation;
}

const pairsIn = (flat: readonly string[]): Line[] =>
	flat.flatMap((name, at): Line[] => (at % 2 === 0 ? [[name, flat[at + 1] ?? ""]] : []));

const valueIn = (pair: string): string => pair.slice(pair.indexOf("=") + 1).trim();

/** Texts that must not be told. */
function secretsOf([name, value]: Line): readonly string[] {
	const lower = asciiLowerCase(name);
	if (!isSecretField(lower)) return [];
	switch (lower) {
		case "cookie":
		case "cookie2":
			return value.split(";").map(valueIn);
		case "set-cookie":
		case "set-cookie2":
			return [valueIn(value.split(";")[0] ?? "")];
		case "authorization":
		case "proxy-authorization": {
			const { password } = presentedIn(value) ?? {};
			const credentials = value.slice(value.indexOf(" ") + 1).trim();
			return [credentials, ...(password === undefined ? [] : [password])];
		}
		default:
			return [value];
	}
}

/** A header line's name and value stand in a pair. */
const isLine = (value: readonly unknown[]): value is Line =>
	value.length === 2 && typeof value[0] === "string" && typeof value[1] === "string";

function hiddenIn(value: unknown, secrets: readonly string[]): unknown {
	if (typeof value === "string") return withoutSecrets(value, secrets);
	if (Array.isArray(value)) {
		if (isLine(value) && isSecretField(asciiLowerCase(value[0])))
			return [value[0], redactedValue(asciiLowerCase(value[0]), value[1])];
		return value.map((each) => hiddenIn(each, secrets));
	}
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, each]) => [name, hiddenIn(each, secrets)]),
	);
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
	let told = text;
	for (const secret of secrets) if (told.includes(secret)) told = told.replaceAll(secret, HIDDEN);
	return told;
}
