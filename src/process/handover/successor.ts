/**
 * Starts another version of weir as a child of the one that runs, which `weir upgrade` asks for: so it has the same
 * environment, rights, limits and, under a service manager, the same group of processes. It takes over by itself
 * (`--takeover`); here is only told why it ended, if it does. Used by `asked-upgrade.ts`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { LIMITS } from "../../limits/limits.ts";
import { OWN_VARIABLES } from "../service/notify.ts";
import { REASON_DESCRIPTOR, REASON_VARIABLE } from "./reason.ts";

export interface Program {
	/** absolute paths of Node and of weir's first file */
	readonly node: string;
	readonly main: string;
}

export interface Successor {
	readonly pid: number | undefined;
	/** a sentence, once it has ended */
	readonly ended: Promise<string>;
	/** @param reason what `ended` gives then, in the place of what it would */
	kill(reason?: string): void;
}

/** @param words of this process's command line, from the command on */
export function startSuccessor(program: Program, words: readonly string[]): Successor {
	const environment: NodeJS.ProcessEnv = {
		...process.env,
		[REASON_VARIABLE]: `${REASON_DESCRIPTOR}`,
	};
	for (const own of OWN_VARIABLES) delete environment[own];
	const own = words.filter((word) => word !== TAKEOVER);
	const child = spawn(program.node, [...process.execArgv, program.main, ...own, TAKEOVER], {
		env: environment,
		stdio: ["ignore", "inherit", "inherit", "pipe"],
	});
	child.unref();
	let why: string | undefined;
	const kill = (reason?: string): void => {
		why = reason;
		child.kill("SIGKILL");
	};
	return { pid: child.pid, ended: endOf(child).then((reason) => why ?? reason), kill };
}

const TAKEOVER = "--takeover";

function endOf(child: ChildProcess): Promise<string> {
	let text = "";
	const reasons = child.stdio[REASON_DESCRIPTOR];
	reasons?.on("data", (chunk) => {
		text = (text + chunk).slice(0, LIMITS.takeoverReasonCharacters);
	});
	reasons?.on("error", () => {});
	// It says nothing more once it serves, and keeps nobody.
	if (reasons !== null && reasons !== undefined && "unref" in reasons)
		(reasons as unknown as { unref(): void }).unref();
	return new Promise((resolve) => {
		child.once("error", ({ message }) => resolve(`it could not be started: ${message}`));
		child.once("close", (code, signal) => {
			const how = signal === null ? `with exit status ${code}` : `by ${signal}`;
			resolve(text === "" ? `it ended ${how}; stderr may say more` : text.trim());
		});
	});
}
