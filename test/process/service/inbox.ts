/** A socket in the place of the service manager's, for tests of what it is told. */
import { closeSync, readSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { addon } from "../../../src/native-addon.ts";
import { temporaryFolder } from "../../store/folder.ts";

export interface ManagerInbox {
	readonly address: string;
	/** what has been said since the last time, a datagram each */
	take(): string[];
}

export function managerInbox(address = join(temporaryFolder(), "notify")): ManagerInbox {
	const descriptor = addon.openInbox(address);
	if (descriptor < 0) throw new Error(`no inbox: ${descriptor}`);
	onTestFinished(() => closeSync(descriptor));
	const next = (): string | undefined => {
		const bytes = Buffer.alloc(4096);
		try {
			return bytes.toString("utf8", 0, readSync(descriptor, bytes));
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
			throw error;
		}
	};
	const take = (): string[] => {
		const said: string[] = [];
		for (let text = next(); text !== undefined; text = next()) said.push(text);
		return said;
	};
	return { address, take };
}
