/** The content type of a custom-response whose config has none (contract 5). Used by `custom-response.ts`. */

const HTML = /^\s*<(?:!doctype html|html)/i;

export function contentTypeOf(content: string): string {
	if (isJsonContainer(content)) return "application/json";
	return HTML.test(content) ? "text/html; charset=utf-8" : "text/plain; charset=utf-8";
}

/** Is it the JSON text of an object or a list? A number or a string alone is more likely meant as plain text. */
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
