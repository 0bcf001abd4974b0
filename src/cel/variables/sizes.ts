/**
 * How large variables can be, from what the edge admits of a request and a response: the sizes that the rows of
 * this folder name. `cost/input-sizes.ts` gives the bounds.
 */

import { LIMITS } from "../../limits/limits.ts";
import { type Size, sized, text, texts, tree } from "../cost/size.ts";
import { COOKIE, SET_COOKIE } from "./records.ts";

/** What the sizes of variables follow from. */
export interface InputBounds {
	/** bytes of the request line and all request headers */
	readonly requestHeaderBytes: number;
	readonly requestHeaderLines: number;
	/** bytes of all response headers, the edge's own answers among them */
	readonly responseHeaderBytes: number;
}

export type SizeOf = (bounds: InputBounds) => Size;

/** `a: b` and a line break: the shortest header line has four bytes */
const LINE_BYTES_MIN = 4;
/** `a&`: the shortest parameter, and `a;`, the shortest cookie */
const PAIR_CHARACTERS_MIN = 2;
/** a path may grow where it is brought into normal form: each byte becomes `%XX` */
const ENCODED_CHARACTERS = 3;
/** of names and codes that come from tables, such as countries and cipher suites */
const NAME_CHARACTERS = 256;
const ADDRESS_CHARACTERS = 64;
/** of the name of a cookie's field */
const FIELD_CHARACTERS = 16;
/** kinds of actions */
const ACTIONS_MAX = 32;

const pairs = (characters: number): number => Math.ceil(characters / PAIR_CHARACTERS_MIN) + 1;

const urlCharacters = ({ requestHeaderBytes }: InputBounds): number =>
	requestHeaderBytes + LIMITS.hostCharacters + NAME_CHARACTERS;

/** A text that stands in a message's header: all of the header may be that text. */
export const requestText: SizeOf = ({ requestHeaderBytes }) => text(requestHeaderBytes);
export const responseText: SizeOf = ({ responseHeaderBytes }) => text(responseHeaderBytes);

/** A name or code out of a table. */
export const nameText: SizeOf = () => text(NAME_CHARACTERS);
export const addressText: SizeOf = () => text(ADDRESS_CHARACTERS);
export const hostText: SizeOf = () => text(LIMITS.hostCharacters);
/** A host with a scheme or a port. */
export const originText: SizeOf = () => text(LIMITS.hostCharacters + NAME_CHARACTERS);
export const idText: SizeOf = () => text(LIMITS.idCharacters);

/** A URL as it came, and a URL or path in normal form. */
export const urlText: SizeOf = (bounds) => text(urlCharacters(bounds));
export const normalUrlText: SizeOf = (bounds) => text(ENCODED_CHARACTERS * urlCharacters(bounds));

/** A list of texts out of one header. */
const listOf = (characters: number): Size =>
	sized(pairs(characters), texts(characters, characters));
export const requestList: SizeOf = ({ requestHeaderBytes }) => listOf(requestHeaderBytes);
export const responseList: SizeOf = ({ responseHeaderBytes }) => listOf(responseHeaderBytes);

/** A map of texts out of one header. */
const textMap = (characters: number): Size =>
	sized(pairs(characters), texts(characters, characters), texts(characters, characters));
export const requestTextMap: SizeOf = ({ requestHeaderBytes }) => textMap(requestHeaderBytes);
export const responseTextMap: SizeOf = ({ responseHeaderBytes }) => textMap(responseHeaderBytes);

/** A map of lists of texts: so many texts in all, with so many characters together with their names. */
const listsOfTexts = (entries: number, characters: number): Size =>
	sized(
		entries,
		{ each: entries, all: entries, element: texts(characters, characters) },
		texts(characters, characters),
	);
export const noLists: SizeOf = () => listsOfTexts(0, 0);
export const requestHeaderLists: SizeOf = ({ requestHeaderLines, requestHeaderBytes }) =>
	listsOfTexts(requestHeaderLines, requestHeaderBytes);
export const responseHeaderLists: SizeOf = ({ responseHeaderBytes }) =>
	listsOfTexts(Math.ceil(responseHeaderBytes / LINE_BYTES_MIN), responseHeaderBytes);
export const queryLists: SizeOf = ({ requestHeaderBytes }) =>
	listsOfTexts(pairs(requestHeaderBytes), requestHeaderBytes);

/** A map of lists of cookies with so many fields each. */
function cookieLists(entries: number, characters: number, fields: number): Size {
	const record: Size = {
		each: fields,
		all: fields * entries,
		// a field that is no text counts as one character
		element: texts(characters + fields, characters + fields * entries),
		key: texts(FIELD_CHARACTERS, FIELD_CHARACTERS * fields * entries),
	};
	return sized(
		entries,
		{ each: entries, all: entries, element: record },
		texts(characters, characters),
	);
}
export const requestCookieLists: SizeOf = ({ requestHeaderBytes }) =>
	cookieLists(pairs(requestHeaderBytes), requestHeaderBytes, COOKIE.fields.length);
export const responseCookieLists: SizeOf = ({ responseHeaderBytes }) =>
	cookieLists(
		Math.ceil(responseHeaderBytes / LINE_BYTES_MIN),
		responseHeaderBytes,
		SET_COOKIE.fields.length,
	);

/** Of so many texts, lists and maps of any depth, each with so many characters at most. */
const trees = (entries: number, each: number, all: number): Size =>
	sized(entries, tree(each, all), texts(LIMITS.nameCharacters, all));

/** `vars`: set-vars bounds each value and all together. */
export const variableMap: SizeOf = () =>
	trees(LIMITS.varsBytes / PAIR_CHARACTERS_MIN, LIMITS.varBytes, LIMITS.varsBytes);
/** `actions`: what one leaves is no larger than the request's header, and there are few actions. */
export const resultMaps: SizeOf = ({ requestHeaderBytes }) =>
	trees(ACTIONS_MAX, 2 * requestHeaderBytes, ACTIONS_MAX * 2 * requestHeaderBytes);
