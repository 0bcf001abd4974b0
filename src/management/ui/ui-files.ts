/**
 * The files of the live page as they lie in the package (`dist/ui/`, made by the build): read once, at the first request,
 * and found by their names, so that no path leads anywhere else. A file may lie there compressed as well, as `NAME.br`
 * and `NAME.gz`. Used by `ui-pages.ts`.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "../../limits/limits.ts";

export const CODINGS = ["br", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

const ENDS: Readonly<Record<Coding, string>> = { br: ".br", gzip: ".gz" };

/** What the page may consist of. Another type is not served. */
const TYPES: Readonly<Record<string, string>> = {
	html: "text/html; charset=utf-8",
	js: "text/javascript; charset=utf-8",
	css: "text/css; charset=utf-8",
	svg: "image/svg+xml",
	png: "image/png",
	ico: "image/x-icon",
	woff2: "font/woff2",
	webmanifest: "application/manifest+json",
	txt: "text/plain; charset=utf-8",
};

/** A part of a name that the build has made of the file's content, e.g. `app-4F2K9QXZ.js`. */
const HASHED = /[-.][A-Za-z0-9_]{8,}\.[a-z0-9]+$/;

export interface UiFile {
	readonly contentType: string;
	/** of the uncompressed content, without quotes */
	readonly digest: string;
	/** its name changes with its content, so that it may be kept for ever */
	readonly isHashed: boolean;
	readonly plain: Uint8Array;
	readonly coded: Partial<Readonly<Record<Coding, Uint8Array>>>;
}

/** By path below the folder, with `/`. @returns nothing where there is no such folder: this build has no page */
export function readUiFiles(folder: string): ReadonlyMap<string, UiFile> {
	const names = new Set(filesBelow(folder));
	const files = new Map<string, UiFile>();
	for (const name of names) {
		const contentType = TYPES[name.slice(name.lastIndexOf(".") + 1)];
		if (contentType === undefined) continue;
		const plain = readFileSync(join(folder, name));
		const coded = Object.fromEntries(
			CODINGS.filter((coding) => names.has(name + ENDS[coding])).map((coding) => [
				coding,
				readFileSync(join(folder, name + ENDS[coding])),
			]),
		);
		const digest = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
		files.set(name, { contentType, digest, isHashed: HASHED.test(name), plain, coded });
		if (files.size === LIMITS.uiFiles) break;
	}
	return files;
}

function filesBelow(folder: string): string[] {
	try {
		return readdirSync(folder, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
			.map((name) => name.replaceAll("\\", "/"));
	} catch {
		return [];
	}
}
