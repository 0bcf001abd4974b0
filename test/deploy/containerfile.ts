/** `scripts/container/containerfile.mjs` with its types, and the stages of weir's own Containerfile. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export interface Stage {
	readonly from: string;
	readonly name: string;
	readonly steps: readonly { readonly keyword: string; readonly value: string }[];
}

interface Reader {
	stagesOf(text: string): readonly Stage[];
	lastOf(stage: Stage, keyword: string): string;
	wordsOf(value: string): readonly string[];
	healthCommandOf(stage: Stage): readonly string[];
	ignores(ignoreFile: string): (path: string) => boolean;
}

const root = join(import.meta.dirname, "..", "..");
const script = join(root, "scripts", "container", "containerfile.mjs");
export const containerfile: Reader = await import(pathToFileURL(script).href);

const text = readFileSync(join(root, "deploy", "container", "Containerfile"), "utf8");
export const stages = containerfile.stagesOf(text);

/** The last one, which is the image. */
export const image: Stage = stages.at(-1) ?? { from: "", name: "", steps: [] };
