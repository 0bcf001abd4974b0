/**
 * Talks to a management API over HTTP, as anybody's program would: for the commands `apply`, `export`, `diff`, `explain` and
 * `why`. A request that gets no answer, or is refused for reasons that all requests would be, ends the command with a
 * sentence.
 */
import { LIMITS } from "../../limits/limits.ts";

/** Ends the command: the sentence is for people. */
export class ApiFailure extends Error {}

export interface ApiAnswer {
	readonly status: number;
	readonly etag: string | undefined;
	/** undefined: there is no body */
	readonly body: unknown;
}

/** What of an error's body is told. */
export interface ApiRefusal {
	readonly code: string;
	readonly message: string;
	readonly problems: readonly { readonly pointer: string; readonly message: string }[];
}

export class ApiClient {
	readonly url: string;
	readonly #key: string;

	/** @param url scheme and authority */
	constructor(url: string, key: string) {
		this.url = url.replace(/\/+$/, "");
		this.#key = key;
	}

	/** @throws ApiFailure nobody answers, or the key may not */
	async send(
		method: string,
		path: string,
		body?: unknown,
		conditions: Readonly<Record<string, string>> = {},
	): Promise<ApiAnswer> {
		const response = await fetch(this.url + path, {
			method,
			headers: {
				authorization: `Bearer ${this.#key}`,
				...(body === undefined ? {} : { "content-type": "application/json" }),
				...conditions,
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
			redirect: "error",
			signal: AbortSignal.timeout(LIMITS.apiClientMs),
		}).catch((error: unknown) => {
			throw new ApiFailure(unreachable(this.url, error));
		});
		const text = await response.text().catch((error: unknown) => {
			throw new ApiFailure(unreachable(this.url, error));
		});
		const answer = {
			status: response.status,
			etag: response.headers.get("etag") ?? undefined,
			body: parsed(text),
		};
		if (response.status === 401 || response.status === 403 || response.status === 421) {
			const refusal = refusalOf(answer);
			throw new ApiFailure(`${this.url} refuses the request: ${refusal.message} (${refusal.code})`);
		}
		return answer;
	}

	/** @returns undefined: there is no such thing @throws ApiFailure */
	async get(path: string): Promise<ApiAnswer | undefined> {
		const answer = await this.send("GET", path);
		if (answer.status === 200) return answer;
		if (answer.status === 404) return undefined;
		throw new ApiFailure(`GET ${path} at ${this.url}: ${inWords(answer)}`);
	}
}

function parsed(text: string): unknown {
	if (text === "") return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function unreachable(url: string, error: unknown): string {
	const { cause, message, name } = error as Error & { readonly cause?: NodeJS.ErrnoException };
	const why =
		name === "TimeoutError" ? "no answer in time" : (cause?.code ?? cause?.message ?? message);
	return `cannot reach the management API at ${url}: ${why}; name the right one with --url`;
}

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** Of whoever answers: a proxy in front has other bodies. */
export function refusalOf({ status, body }: ApiAnswer): ApiRefusal {
	const { error_code, msg, problems } = isMembers(body)
		? body
		: { error_code: undefined, msg: undefined, problems: undefined };
	return {
		code: typeof error_code === "string" ? error_code : `status ${status}`,
		message: typeof msg === "string" ? msg : `it answers ${status} and nothing that weir would`,
		problems: (Array.isArray(problems) ? problems : []).flatMap((each: unknown) => {
			if (!isMembers(each)) return [];
			const { pointer, message } = each;
			return typeof pointer === "string" && typeof message === "string"
				? [{ pointer, message }]
				: [];
		}),
	};
}

/** With a line for each problem. */
export function inWords(answer: ApiAnswer): string {
	const { code, message, problems } = refusalOf(answer);
	const lines = problems.map((each) => `\n    ${each.pointer || "/"}: ${each.message}`);
	return `${message} (${code})${lines.join("")}`;
}
