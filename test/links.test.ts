/** Links in all Markdown files lead to files and headings that exist. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const NOT_OURS = new Set(["node_modules", "dist", "build", "coverage", "weir-data", ".git"]);

const markdownBelow = (folder: string): string[] =>
	readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : markdownBelow(path);
		return entry.name.endsWith(".md") ? [path] : [];
	});

/** Code shows links that are none. */
const prose = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "");

/** Of each heading, as GitHub makes them. */
function anchorsIn(text: string): ReadonlySet<string> {
	const seen = new Map<string, number>();
	const anchors = [...prose(text).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = ""]) => {
		const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
		const slug = plain.replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "").replaceAll(" ", "-");
		const times = seen.get(slug) ?? 0;
		seen.set(slug, times + 1);
		return times === 0 ? slug : `${slug}-${times}`;
	});
	return new Set(anchors);
}

/** @returns what is wrong with the links of one file */
function brokenLinks(path: string, read: (path: string) => string | undefined): string[] {
	const text = read(path) ?? "";
	const links = prose(text).matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g);
	return [...links].flatMap(([, link = ""]) => {
		if (/^[a-z]+:/.test(link)) return [];
		const [file = "", anchor] = link.split("#");
		const target = file === "" ? path : normalize(join(dirname(path), file));
		const found = read(target);
		if (found === undefined) return [`${path}: ${link} is not there`];
		const hasAnchor = anchor === undefined || anchorsIn(found).has(anchor);
		return hasAnchor ? [] : [`${path}: ${link} names no heading`];
	});
}

describe("links", () => {
	const paths = markdownBelow(".");

	it("lead to what exists", () => {
		expect(paths).toContain("README.md");
		const read = (path: string) =>
			existsSync(join(root, path))
				? path.endsWith(".md")
					? readFileSync(join(root, path), "utf8")
					: ""
				: undefined;
		expect(paths.flatMap((path) => brokenLinks(path, read))).toEqual([]);
	});

	it("are seen when they are broken", () => {
		const files: Readonly<Record<string, string>> = {
			"a.md":
				"# One `two`, three\n[good](#one-two-three) [b](docs/b.md#x) [c](docs/b.md#y) [d](d.md)",
			"docs/b.md":
				"## X\n```sh\n[shown](nowhere.md)\n```\n[up](../a.md) [web](https://example.com)",
		};
		const broken = Object.keys(files).flatMap((path) => brokenLinks(path, (name) => files[name]));
		expect(broken).toEqual(["a.md: docs/b.md#y names no heading", "a.md: d.md is not there"]);
	});
});
