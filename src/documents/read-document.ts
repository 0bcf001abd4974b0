/**
 * Reads a document from a file, whichever of its two formats it is in: config files and policies for `weir check`,
 * config files for every command. Called by process/check/check-files.ts and process/config/config-file.ts.
 */
import { fail, type Result } from "../errors.ts";
import { parseJson } from "./json.ts";
import type { ParsedText, SyntaxFault } from "./text.ts";
import { parseYaml } from "./yaml.ts";

const isNamedYaml = (name: string): boolean => /\.ya?ml$/.test(name);

/** As every object and list of JSON begins, and some of YAML. */
const beginsLikeJson = (bytes: Uint8Array): boolean =>
	/^\s*[{[]/.test(new TextDecoder().decode(bytes.subarray(0, 4096)));

/**
 * JSON if it is JSON, else YAML. Of a text that is neither, the mistake is told of the format that was meant, by the
 * file's name, or else by how the text begins.
 */
export function readDocument(name: string, bytes: Uint8Array): Result<ParsedText, SyntaxFault> {
	const isJson = name.endsWith(".json");
	if (!isJson && !beginsLikeJson(bytes)) return parseYaml(bytes);
	const json = parseJson(bytes);
	if (json.ok || isJson) return json;
	const yaml = parseYaml(bytes);
	return yaml.ok || isNamedYaml(name) ? yaml : fail(json.error);
}
