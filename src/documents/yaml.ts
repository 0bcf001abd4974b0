/**
 * YAML as another spelling of the documents that JSON can hold: config files, and policies for `weir check`. YAML 1.2
 * with its core schema, so `no` and `2024-01-01` are texts; and of YAML only what means the same to every reader. Tags,
 * merge keys, several documents in one file, repeated and composite keys and numbers that are not finite are refused,
 * as are `__proto__`, unpaired surrogates and deep nesting (`json.ts`). Used by `read-document.ts`.
 */
import { Composer, type Document, Lexer, Parser, type YAMLError } from "yaml";
import { fail, ok, type Result } from "../errors.ts";
import { LIMITS } from "../limits/limits.ts";
import { positionAt } from "./json-position.ts";
import { decodeText, type FaultAt, located, type ParsedText, type SyntaxFault } from "./text.ts";
import { YamlValues } from "./yaml-values.ts";

/** Never throws. Time and memory are linear in the length of `bytes`, and in what aliases repeat. */
export function parseYaml(bytes: Uint8Array): Result<ParsedText, SyntaxFault> {
	if (bytes.byteLength > LIMITS.yamlBytes) return fail(TOO_LARGE);
	const decoded = decodeText(bytes);
	if (!decoded.ok) return decoded;
	// A byte order mark says nothing of the document, and an editor shows no column for it.
	const text = decoded.value.replace(/^\ufeff/, "");
	const control = CONTROL.exec(text);
	if (control !== null) {
		const message = "a control character; write it as an escape, in double quotes";
		return fail(located(text, { message, offset: control.index }));
	}
	const { documents, tooDeepAt } = compose(text);
	const [document] = documents;
	const tooDeep =
		tooDeepAt === undefined
			? undefined
			: { message: `nested deeper than ${LIMITS.jsonDepth} levels`, offset: tooDeepAt };
	const fault = faultOf(documents, tooDeepAt ?? Number.POSITIVE_INFINITY) ?? tooDeep;
	if (fault !== undefined) return fail(located(text, fault));
	const values = new YamlValues();
	const value = values.valueOf(document?.contents ?? null);
	if (values.fault !== undefined) return fail(located(text, values.fault));
	return ok({
		value,
		positionOf: (pointer) => {
			const offset = values.offsetOf(document?.contents ?? null, pointer);
			return offset === undefined ? undefined : positionAt(text, offset);
		},
	});
}

const TOO_LARGE: SyntaxFault = {
	message: `YAML is read up to ${LIMITS.yamlBytes / 1_048_576} MiB; write a larger document as JSON`,
	line: 1,
	column: 1,
};

/** What YAML does not take as it is, anywhere; line breaks and tabs it takes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f]/;

/** Nesting of the library's tokens; a level of the document takes up to three. The library calls itself for each. */
const TOKEN_DEPTH = 3 * LIMITS.jsonDepth + 3;

interface Composed {
	/** the first two; of more nothing has to be known */
	readonly documents: readonly Document[];
	/** nothing behind it was read */
	readonly tooDeepAt: number | undefined;
}

/**
 * The library's steps one by one: it builds nested tokens without calling itself, so that they can be counted before
 * it calls itself to make nodes of them. Beyond the stack's end it would take the process along.
 */
function compose(text: string): Composed {
	const parser = new Parser();
	const tokens = [];
	let offset = 0;
	let tooDeepAt: number | undefined;
	for (const lexeme of new Lexer().lex(text)) {
		tokens.push(...parser.next(lexeme));
		if (parser.stack.length > TOKEN_DEPTH) {
			tooDeepAt = Math.min(offset, text.length);
			break;
		}
		offset = parser.offset;
	}
	tokens.push(...parser.end());
	const documents: Document[] = [];
	const composer = new Composer(OPTIONS);
	for (const document of composer.compose(tokens, true, text.length)) {
		documents.push(document);
		if (documents.length === 2) break;
	}
	return { documents, tooDeepAt };
}

/** Repeated keys are looked for in `yaml-values.ts`: the library compares each with all before it. */
const OPTIONS = {
	version: "1.2",
	schema: "core",
	uniqueKeys: false,
	prettyErrors: false,
	merge: false,
	logLevel: "silent",
} as const;

/** @param end what is not read from here on has no mistakes of its own */
function faultOf([document, second]: readonly Document[], end: number): FaultAt | undefined {
	const [first] = (document?.errors ?? [])
		.filter(({ pos }) => pos[0] < end)
		.sort((one, other) => one.pos[0] - other.pos[0]);
	if (first !== undefined) return { message: sentenceOf(first), offset: first.pos[0] };
	if (second !== undefined)
		return { message: "a second document begins here; write one", offset: second.range?.[0] ?? 0 };
	const version = document?.directives?.yaml;
	if (version?.explicit === true && version.version !== "1.2")
		return { message: `YAML ${version.version} is asked for, and weir reads 1.2`, offset: 0 };
	return undefined;
}

const IN_QUOTES = "put the whole text in quotes";

/** The library's own sentence where it says what to do. */
function sentenceOf({ code, message }: YAMLError): string {
	switch (code) {
		case "TAB_AS_INDENT":
			return "a tab indents this line; YAML is indented with spaces";
		case "BLOCK_AS_IMPLICIT_KEY":
			return `a second ": " in what should be one text; ${IN_QUOTES}`;
		case "BAD_SCALAR_START":
			return `no text begins like this without quotes; ${IN_QUOTES}`;
		case "MULTILINE_IMPLICIT_KEY":
			return 'a key is on one line with its ":"; is one missing before?';
		case "UNEXPECTED_TOKEN":
			return message.startsWith("Unexpected scalar at node end")
				? `unexpected text behind the value; ${IN_QUOTES}`
				: `this is no YAML: ${message}`;
		case "MISSING_CHAR":
			return message.startsWith("Implicit map keys")
				? 'expected "key: value"; the ": " is missing'
				: `this is no YAML: ${message}`;
		case "RESOURCE_EXHAUSTION":
			return `nested deeper than ${LIMITS.jsonDepth} levels`;
		default:
			return `this is no YAML: ${message}`;
	}
}
