/** The form "Try it" as a question to `POST …/policy/explain`. Used by try-it.tsx. */

export interface AskedForm {
	readonly method: string;
	readonly url: string;
	/** lines, each `name: value` */
	readonly headers: string;
	readonly clientIp: string;
}

export const NOTHING_ASKED: AskedForm = {
	method: "GET",
	url: "http://example.com/",
	headers: "",
	clientIp: "127.0.0.1",
};

/** What a link brings along, for the rest of the form as it is at first. */
export const formOf = (given: Readonly<Record<string, string>>): AskedForm => ({
	...NOTHING_ASKED,
	...(given.method ? { method: given.method } : {}),
	...(given.url ? { url: given.url } : {}),
	...(given.ip ? { clientIp: given.ip } : {}),
});

/** @param policy the document in the editor @returns the body, or a sentence that says what is wrong */
export function questionOf(
	form: AskedForm,
	policy: string,
): { readonly body: string } | { readonly mistake: string } {
	const headers: Record<string, string[]> = {};
	for (const line of form.headers.split("\n")) {
		if (line.trim() === "") continue;
		const colon = line.indexOf(":");
		if (colon < 1) return { mistake: `“${line}” is no header field. Write “name: value”.` };
		const name = line.slice(0, colon).trim();
		headers[name] = [...(headers[name] ?? []), line.slice(colon + 1).trim()];
	}
	let document: unknown;
	try {
		document = JSON.parse(policy);
	} catch {
		return { mistake: "The document is not valid JSON yet; what is wrong stands below it." };
	}
	const { method, url, clientIp } = form;
	const request = { method, url, headers, client_ip: clientIp };
	return { body: JSON.stringify({ request, policy: document }) };
}
