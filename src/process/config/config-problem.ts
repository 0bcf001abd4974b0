/**
 * What is wrong with a configuration, or worth a warning, with the place where somebody wrote it: in the config file, in a
 * flag, in a variable of the environment. Found by the files of this folder; `serve` prints each as one sentence,
 * `weir check` beside the file's other problems.
 */
import type { Position } from "../../documents/json-position.ts";

/** Of a setting, whoever has set it. */
export interface SettingProblem {
	/**
	 * RFC 6901, as if lists were always written as lists and objects as objects: `/listen/0/address` is also that of
	 * `listen: 127.0.0.1:8080`
	 */
	readonly pointer: string;
	/** a sentence, without the place */
	readonly message: string;
}

export interface ConfigProblem {
	/** the flag or the variable; undefined: the file, a default, or nobody */
	readonly source?: string;
	/** in the file as it is written; undefined: the file as a whole */
	readonly pointer?: string;
	/** undefined: not in the file */
	readonly position?: Position;
	readonly message: string;
}

/** @param file the config file's name, if there is one */
export function sentenceOf(
	{ source, pointer, position, message }: ConfigProblem,
	file: string | undefined,
): string {
	if (source !== undefined) return `${source}: ${message}`;
	const at = position === undefined ? "" : `:${position.line}:${position.column}`;
	const inFile = file !== undefined && (position !== undefined || pointer === undefined);
	if (pointer === undefined) return inFile ? `${file}${at}: ${message}` : message;
	return inFile ? `${file}${at}: ${pointer || "/"}: ${message}` : `${pointer.slice(1)}: ${message}`;
}
