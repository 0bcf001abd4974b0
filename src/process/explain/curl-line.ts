/**
 * A curl command line as the request that it would send, for `weir explain -- curl …`: what a person has in the history of a
 * shell. What is not understood is said, and passed over. Nothing is read and nothing is sent. Called by
 * `commands/explain-command.ts`.
 */
import { asciiLowerCase } from "../../ascii.ts";
import { fail, ok, type Result } from "../../errors.ts";
import { type CurlEffect, curlOption } from "./curl-options.ts";

/** As `POST /explain` takes it. */
export interface CurlRequest {
	readonly method: string;
	readonly url: string;
	readonly headers: Readonly<Record<string, readonly string[]>>;
	readonly body_length: number | "chunked";
}

export interface CurlLine {
	readonly request: CurlRequest;
	/** sentences about what was not understood, or had to be guessed */
	readonly notes: readonly string[];
}

/** @param words behind `curl`, or with it @returns a sentence, if they make no request */
export function curlLine(words: readonly string[]): Result<CurlLine, string> {
	const reader = new CurlReader();
	const mistake = reader.read(words[0] === "curl" ? words.slice(1) : words);
	return mistake === undefined ? reader.request() : fail(mistake);
}

class CurlReader {
	readonly #notes: string[] = [];
	/** in their order; undefined: curl is told to leave the field out */
	readonly #headers: (readonly [name: string, value: string | undefined])[] = [];
	readonly #data: string[] = [];
	#method: string | undefined;
	#url: string | undefined;
	#isGet = false;
	#isHead = false;
	#isJson = false;
	#isAsIs = false;
	#body: "none" | "form" | "upload" = "none";

	/** @returns a mistake */
	read(words: readonly string[]): string | undefined {
		for (let at = 0; at < words.length; at++) {
			const word = words[at] ?? "";
			if (!word.startsWith("-") || word === "-") {
				const twice = this.#takeUrl(word);
				if (twice !== undefined) return twice;
				continue;
			}
			const read = word.startsWith("--") ? this.#long(word) : this.#short(word);
			if (read === undefined) continue;
			const value = read.value ?? words[++at];
			if (value === undefined) return `curl's ${read.name} needs a value`;
			const mistake = this.#take(read.effect, value, read.name);
			if (mistake !== undefined) return mistake;
		}
		return undefined;
	}

	/** @returns an option that needs a value, and that value if it is in the same word */
	#long(word: string): { name: string; effect: CurlEffect; value?: string } | undefined {
		const option = curlOption(word);
		if (option?.takesValue === true) return { name: word, effect: option.effect };
		if (option === undefined) this.#passedOver(word);
		else this.#take(option.effect, "", word);
		return undefined;
	}

	/** Letters may stand together, and a value directly behind its letter. */
	#short(word: string): { name: string; effect: CurlEffect; value?: string } | undefined {
		for (let at = 1; at < word.length; at++) {
			const name = `-${word[at]}`;
			const option = curlOption(name);
			if (option?.takesValue === true) {
				const rest = word.slice(at + 1);
				return { name, effect: option.effect, ...(rest === "" ? {} : { value: rest }) };
			}
			if (option === undefined) this.#passedOver(name);
			else this.#take(option.effect, "", name);
		}
		return undefined;
	}

	#passedOver(name: string): void {
		this.#notes.push(`curl's ${name} is not understood here; it was passed over.`);
	}

	#takeUrl(url: string): string | undefined {
		if (this.#url !== undefined) return `two URLs: ${this.#url} and ${url}; explain one at a time`;
		this.#url = url;
		return undefined;
	}

	#take(effect: CurlEffect, value: string, name: string): string | undefined {
		switch (effect) {
			case "method":
				this.#method = value;
				return undefined;
			case "header":
				return this.#takeHeader(value);
			case "data":
				this.#takeData(value, name);
				return undefined;
			case "json":
				this.#isJson = true;
				this.#takeData(value, name);
				return undefined;
			case "agent":
				this.#headers.push(["user-agent", value === "" ? undefined : value]);
				return undefined;
			case "cookie":
				if (value.includes("=")) this.#headers.push(["cookie", value]);
				else
					this.#notes.push(
						`curl would read cookies from the file ${value}; give them as name=value.`,
					);
				return undefined;
			case "user":
				this.#headers.push(["authorization", `Basic ${Buffer.from(value).toString("base64")}`]);
				return undefined;
			case "referer":
				this.#headers.push(["referer", value]);
				return undefined;
			case "range":
				this.#headers.push(["range", `bytes=${value}`]);
				return undefined;
			case "compressed":
				this.#headers.push(["accept-encoding", "deflate, gzip, br, zstd"]);
				return undefined;
			case "url":
				return this.#takeUrl(value);
			case "get":
				this.#isGet = true;
				return undefined;
			case "head":
				this.#isHead = true;
				return undefined;
			case "form":
				this.#body = "form";
				return undefined;
			case "upload":
				this.#body = "upload";
				return undefined;
			case "as-is":
				this.#isAsIs = true;
				return undefined;
			case "unknown-value":
				this.#passedOver(name);
				return undefined;
			case "ignored":
				return undefined;
		}
	}

	/** `name: value`, `name;` for an empty one, `name:` for none at all */
	#takeHeader(text: string): string | undefined {
		const parts = /^([^:;\s]+)\s*(?::\s*(.*)|;)\s*$/s.exec(text);
		if (parts === null)
			return `curl's -H ${JSON.stringify(text)} is no header field: write "name: value"`;
		const [, name = "", value] = parts;
		this.#headers.push([asciiLowerCase(name), value === undefined ? "" : value || undefined]);
		return undefined;
	}

	#takeData(value: string, name: string): void {
		if (value.startsWith("@") && name !== "--data-raw")
			this.#notes.push(`curl would send the file ${value.slice(1)}; its length is taken to be 0.`);
		else this.#data.push(value);
		if (value.startsWith("@") && name !== "--data-raw") this.#data.push("");
	}

	request(): Result<CurlLine, string> {
		if (this.#url === undefined) return fail("there is no URL in the curl line");
		const data = this.#data.join(this.#isJson ? "" : "&");
		const hasData = this.#data.length > 0;
		const sendsData = hasData && !this.#isGet;
		const url = withPath(this.#url, this.#isGet ? data : "", this.#isAsIs);
		if (this.#body === "form")
			this.#notes.push(
				"The length of a form's parts is not known here: the body is taken to be chunked.",
			);
		const given = this.#given(sendsData);
		return ok({
			request: {
				method: this.#method ?? this.#usualMethod(sendsData),
				url,
				headers: given,
				body_length: this.#body === "none" ? (sendsData ? Buffer.byteLength(data) : 0) : "chunked",
			},
			notes: this.#notes,
		});
	}

	#usualMethod(sendsData: boolean): string {
		if (this.#isHead) return "HEAD";
		if (this.#body === "upload") return "PUT";
		return sendsData || this.#body === "form" ? "POST" : "GET";
	}

	/** With those that curl sends of itself, unless it is told otherwise. */
	#given(sendsData: boolean): CurlRequest["headers"] {
		const own: [string, string][] = [
			["user-agent", "curl"],
			["accept", this.#isJson ? "application/json" : "*/*"],
		];
		if (this.#body === "form") own.push(["content-type", "multipart/form-data; boundary=curl"]);
		else if (this.#isJson) own.push(["content-type", "application/json"]);
		else if (sendsData) own.push(["content-type", "application/x-www-form-urlencoded"]);
		const named = new Set(this.#headers.map(([name]) => name));
		const lines = [...own.filter(([name]) => !named.has(name)), ...this.#headers];
		const headers: Record<string, string[]> = {};
		for (const [name, value] of lines) {
			if (value !== undefined) headers[name] = [...(headers[name] ?? []), value];
		}
		return headers;
	}
}

/** As curl completes a URL: a scheme, a path, no dot segments; data of `-G` behind it. */
function withPath(text: string, query: string, isAsIs: boolean): string {
	const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
	const [, begin = "", path = "", rest = ""] =
		/^([^/]*\/\/[^/?#]*)([^?#]*)(.*)$/s.exec(whole) ?? [];
	const target = `${begin}${isAsIs ? path || "/" : withoutDots(path || "/")}${rest}`;
	if (query === "") return target;
	return `${target}${rest.includes("?") ? "&" : "?"}${query}`;
}

/** RFC 3986 5.2.4, as curl does before it sends. */
function withoutDots(path: string): string {
	const kept: string[] = [];
	const segments = path.split("/").slice(1);
	for (const [at, segment] of segments.entries()) {
		const isLast = at === segments.length - 1;
		if (segment === "..") kept.pop();
		if (segment !== "." && segment !== "..") kept.push(segment);
		else if (isLast) kept.push("");
	}
	return `/${kept.join("/")}`;
}
