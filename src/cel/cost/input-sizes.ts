/**
 * How large each variable can be (contract 4, "Variables"), from what the edge admits of a request and a
 * response. For `cost.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import { SCALAR, type Size, sized, text, texts } from "./size.ts";

/** What the bounds of variables follow from; the defaults are those of `limits.ts`. */
export interface InputBounds {
	/** bytes of the request line and all request headers */
	readonly requestHeaderBytes: number;
	readonly requestHeaderLines: number;
	/** bytes of all response headers, the edge's own answers among them */
	readonly responseHeaderBytes: number;
}

export const INPUT_BOUNDS: InputBounds = {
	requestHeaderBytes: Math.max(LIMITS.requestHeaderBytes, LIMITS.rewrittenUrlCharacters),
	requestHeaderLines: LIMITS.requestHeaderLines,
	responseHeaderBytes:
		LIMITS.responseHeaderBytes + LIMITS.headersPerAction * LIMITS.headerValueBytes,
};

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

/** A map of lists of texts: so many texts in all, with so many characters together with their names. */
const listsOfTexts = (entries: number, characters: number): Size =>
	sized(
		entries,
		{ each: entries, all: entries, element: texts(characters, characters) },
		texts(characters, characters),
	);

/** A map of lists of cookies with so many fields each. */
const cookies = (entries: number, characters: number, fields: number): Size => {
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
};

const pairs = (characters: number): number => Math.ceil(characters / PAIR_CHARACTERS_MIN) + 1;

/** A list of texts out of one header. */
const listOf = (characters: number): Size =>
	sized(pairs(characters), texts(characters, characters));

const textMap = (characters: number): Size =>
	sized(pairs(characters), texts(characters, characters), texts(characters, characters));

/** By name, as in `variables.ts`; variables that are not named are numbers and times. */
function sizesOf(bounds: InputBounds): ReadonlyMap<string, Size> {
	const { requestHeaderBytes: request, responseHeaderBytes: response } = bounds;
	const url = request + LIMITS.hostCharacters + NAME_CHARACTERS;
	const responseLines = Math.ceil(response / LINE_BYTES_MIN);
	const sizes: Readonly<Record<string, Size>> = {
		"req.method": text(request),
		"req.host": text(LIMITS.hostCharacters),
		"req.version": text(NAME_CHARACTERS),
		"req.location": text(request),
		"req.content_encoding": listOf(request),
		"req.url": text(ENCODED_CHARACTERS * url),
		"req.url.scheme": text(NAME_CHARACTERS),
		"req.url.host": text(LIMITS.hostCharacters),
		"req.url.authority": text(LIMITS.hostCharacters + NAME_CHARACTERS),
		"req.url.path": text(ENCODED_CHARACTERS * url),
		"req.url.raw_path": text(url),
		"req.url.query": text(request),
		"req.url.uri": text(ENCODED_CHARACTERS * url),
		"req.url.raw": text(url),
		"req.url.query_params": listsOfTexts(pairs(request), request),
		"req.content_type": text(request),
		"req.content_type.raw": text(request),
		"req.content_type.parameters": textMap(request),
		"req.user_agent": text(request),
		"req.user_agent.raw": text(request),
		"req.headers": listsOfTexts(bounds.requestHeaderLines, request),
		"req.trailers": listsOfTexts(0, 0),
		"req.cookies": cookies(pairs(request), request, 2),
		"conn.client_ip": text(ADDRESS_CHARACTERS),
		"conn.server_ip": text(ADDRESS_CHARACTERS),
		"conn.tls.version": text(NAME_CHARACTERS),
		"conn.tls.sni": text(NAME_CHARACTERS),
		"conn.tls.cipher_suite": text(NAME_CHARACTERS),
		"conn.tls.negotiated_alpn": text(NAME_CHARACTERS),
		"conn.geo.country_code": text(NAME_CHARACTERS),
		"conn.geo.country": text(NAME_CHARACTERS),
		"conn.geo.city": text(NAME_CHARACTERS),
		"conn.geo.latitude": text(NAME_CHARACTERS),
		"conn.geo.longitude": text(NAME_CHARACTERS),
		"conn.geo.subdivision": text(NAME_CHARACTERS),
		"res.content_type": text(response),
		"res.content_type.raw": text(response),
		"res.content_type.parameters": textMap(response),
		"res.location": text(response),
		"res.content_encoding": listOf(response),
		"res.headers": listsOfTexts(responseLines, response),
		"res.trailers": listsOfTexts(0, 0),
		"res.cookies": cookies(responseLines, response, 9),
		"edge.id": text(LIMITS.idCharacters),
		"route.id": text(LIMITS.idCharacters),
		"endpoint.id": text(LIMITS.idCharacters),
		"endpoint.host": text(LIMITS.hostCharacters),
		"endpoint.protocol": text(NAME_CHARACTERS),
		"endpoint.url": text(LIMITS.hostCharacters + NAME_CHARACTERS),
	};
	return new Map(Object.entries(sizes));
}

/**
 * Nanoseconds a character, at worst, to make a variable when it is read first. What is kept with the exchange
 * charges less than that.
 */
const PARSED: Readonly<Record<string, number>> = {
	"req.url.query_params": 80,
	"req.cookies": 50,
	"req.content_type": 21,
	"req.content_type.parameters": 50,
	"req.content_encoding": 140,
	"res.cookies": 50,
	"res.content_type": 21,
	"res.content_type.parameters": 50,
	"res.content_encoding": 140,
};

/** Variables by their names in `variables.ts`. */
export class Inputs {
	readonly #bounds: InputBounds;
	readonly #sizes: ReadonlyMap<string, Size>;

	constructor(bounds: InputBounds) {
		this.#bounds = bounds;
		this.#sizes = sizesOf(bounds);
	}

	sizeOf(variable: string): Size {
		return this.#sizes.get(variable) ?? SCALAR;
	}

	/** Nanoseconds to make it once. */
	readingCost(variable: string): number {
		const { requestHeaderBytes, responseHeaderBytes } = this.#bounds;
		const isResponse = variable.startsWith("res.");
		return (isResponse ? responseHeaderBytes : requestHeaderBytes) * (PARSED[variable] ?? 0);
	}
}

export const INPUTS = new Inputs(INPUT_BOUNDS);
