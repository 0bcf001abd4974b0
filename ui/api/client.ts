/**
 * Requests to the management API with the key of whoever has logged in. The key lives in this object, so in the page's
 * memory, and nowhere else. Used by all pages; the stream of events is live-connection.ts.
 */

export interface ApiProblem {
	readonly pointer: string;
	readonly code: string;
	readonly message: string;
}

/** Why a request brought nothing: a sentence for people, and what programs ask about. */
export class ApiFailure extends Error {
	/** 0: no answer came at all */
	readonly status: number;
	/** `ERR_…`; empty where the answer was not the API's */
	readonly code: string;
	readonly problems: readonly ApiProblem[];

	constructor(message: string, status: number, code = "", problems: readonly ApiProblem[] = []) {
		super(message);
		this.status = status;
		this.code = code;
		this.problems = problems;
	}
}

export interface Answered<T> {
	readonly value: T;
	readonly etag: string;
	readonly headers: Headers;
}

export interface Asking {
	readonly method?: string;
	readonly body?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly signal?: AbortSignal;
}

const UNREACHABLE =
	"The management API does not answer. Look whether weir runs, and whether this machine still reaches it.";

export class Client {
	readonly #key: string;
	readonly #origin: string;

	/** @param origin where the API is; the page is served by it */
	constructor(key: string, origin = "") {
		this.#key = key;
		this.#origin = origin;
	}

	/** The answer as it is, whatever its status. @throws ApiFailure no answer came, unless it was aborted */
	async fetch(
		path: string,
		{ method = "GET", body, headers, signal }: Asking = {},
	): Promise<Response> {
		const fields = { authorization: `Bearer ${this.#key}`, ...headers };
		const contents = body === undefined ? {} : { "content-type": "application/json" };
		const asked = new Request(this.#origin + path, {
			method,
			headers: { ...contents, ...fields },
			cache: "no-store",
			credentials: "omit",
			...(body === undefined ? {} : { body }),
			...(signal === undefined ? {} : { signal }),
		});
		try {
			return await fetch(asked);
		} catch (error) {
			if (signal?.aborted) throw error;
			throw new ApiFailure(UNREACHABLE, 0);
		}
	}

	/** @throws ApiFailure for anything but success */
	async ask<T>(path: string, asking: Asking = {}): Promise<Answered<T>> {
		const response = await this.fetch(path, asking);
		const text = await response.text().catch((error: unknown) => {
			if (asking.signal?.aborted) throw error;
			throw new ApiFailure(UNREACHABLE, 0);
		});
		if (!response.ok) throw failureOf(response.status, text);
		const value = (text === "" ? undefined : JSON.parse(text)) as T;
		return { value, etag: response.headers.get("etag") ?? "", headers: response.headers };
	}

	async get<T>(path: string, signal?: AbortSignal): Promise<T> {
		return (await this.ask<T>(path, signal === undefined ? {} : { signal })).value;
	}
}

/** What an answer that is no success says of itself. */
export function failureOf(status: number, text: string): ApiFailure {
	const told = asError(text);
	if (told === undefined) {
		return new ApiFailure(
			`Something between this page and weir answered with status ${status}. Open the page from weir itself.`,
			status,
		);
	}
	return new ApiFailure(told.msg, status, told.error_code, told.problems ?? []);
}

interface ErrorDocument {
	readonly error_code: string;
	readonly msg: string;
	readonly problems?: readonly ApiProblem[];
}

function asError(text: string): ErrorDocument | undefined {
	try {
		const value = JSON.parse(text) as Partial<ErrorDocument> | null;
		if (typeof value?.error_code !== "string" || typeof value.msg !== "string") return undefined;
		return value as ErrorDocument;
	} catch {
		return undefined;
	}
}

/** Path of a route's parts in the API. */
export const routePath = (edgeId: string, routeId: string): string =>
	`/edges/https/${encodeURIComponent(edgeId)}/routes/${encodeURIComponent(routeId)}`;
