/** Whether somebody at the terminal agrees to a change that was shown. Asked by `apply-command.ts` and `rollback-command.ts`. */
import { createInterface } from "node:readline/promises";
import { complain } from "./complain.ts";

/** @param question without what may be answered @returns false also where nobody can be asked */
export async function isAgreed(question: string): Promise<boolean> {
	if (!process.stdin.isTTY) return false;
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	try {
		const answer = await terminal.question(`${question} [y/N] `);
		return /^y(?:es)?$/i.test(answer.trim());
	} finally {
		terminal.close();
	}
}

/** @param flags that say it beforehand @returns the exit status */
export const notAgreed = (flags: string): number =>
	complain(
		process.stdin.isTTY ? "nothing was changed" : `nothing was changed: say ${flags}`,
		process.stdin.isTTY ? 1 : 2,
	);
