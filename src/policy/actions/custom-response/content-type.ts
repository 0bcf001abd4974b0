/** The content type of a custom-response that gives none (contract 5). */

const HTML = /^\s*<(?:!doctype html|html)/i;

export function contentTypeOf(content: string): string {
	if (isJsonContainer(content)) return "application/json";
	return HTML.test(content) ? "text/html; charset=utf-8" : "text/plain; charset=utf-8";
}

/** JSON text of an object or a list; a bare number or string is more likely meant as text. */
function isJsonContainer(content: string): boolean {
	const start = content.trimStart()[0];
	if (start !== "{" && start !== "[") return false;
	try {
		JSON.parse(content);
		return true;
	} catch {
		return false;
	}
}
