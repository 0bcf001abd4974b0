/** A document as the editor shows it: two spaces, and on one line what is short and holds nothing nested. Used by policy.tsx. */

const WIDTH = 92;

export function printed(value: unknown, indent = "", reserved = 0): string {
	if (value === null || typeof value !== "object") return JSON.stringify(value);
	const flat = onOneLine(value);
	if (flat !== undefined && indent.length + reserved + flat.length <= WIDTH) return flat;
	const inner = `${indent}  `;
	if (Array.isArray(value)) {
		const items = value.map((each) => `${inner}${printed(each, inner)}`);
		return `[\n${items.join(",\n")}\n${indent}]`;
	}
	const members = Object.entries(value).map(([name, each]) => {
		const key = `${JSON.stringify(name)}: `;
		return `${inner}${key}${printed(each, inner, key.length)}`;
	});
	return `{\n${members.join(",\n")}\n${indent}}`;
}

/** undefined: it holds what is better read on lines of its own */
function onOneLine(value: object): string | undefined {
	const parts = Object.values(value);
	if (parts.length === 0) return Array.isArray(value) ? "[]" : "{}";
	if (Array.isArray(value)) {
		const isPlain = value.every((each) => each === null || typeof each !== "object");
		return isPlain ? `[${value.map((each) => JSON.stringify(each)).join(", ")}]` : undefined;
	}
	const isShallow = parts.every((each) => !holdsObjects(each));
	if (!isShallow) return undefined;
	const members = Object.entries(value).map(([name, each]) => {
		const text = each !== null && typeof each === "object" ? onOneLine(each) : JSON.stringify(each);
		return `${JSON.stringify(name)}: ${text}`;
	});
	return `{ ${members.join(", ")} }`;
}

/** An empty one and a list of plain values are as good as plain. */
function holdsObjects(value: unknown): boolean {
	if (value === null || typeof value !== "object") return false;
	if (Array.isArray(value)) return value.some((each) => each !== null && typeof each === "object");
	return Object.keys(value).length > 0;
}
