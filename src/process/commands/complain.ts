/** How a command that fails says so: sentences on stderr, and the exit status. Used by `main.ts`, the commands and `serve.ts`. */
import { tellReason } from "../handover/reason.ts";

/** @param status 2: the command, its flags or its configuration make no sense; 1: it could not be done @returns the status */
export function complain(sentences: string | readonly string[], status = 2): number {
	for (const sentence of [sentences].flat()) {
		process.stderr.write(`weir: ${sentence}\n`);
		tellReason(sentence);
	}
	return status;
}
