/**
 * Whether what a command prints arrives: a full disk behind stdout is a failure, a reader that has seen enough (`| head`)
 * is none. Used by `main.ts`.
 */
import { whyUnreadable } from "../config/bounded-file.ts";
import { complain } from "./complain.ts";

export class Printed {
	readonly #stream: NodeJS.WritableStream;
	#fault: NodeJS.ErrnoException | undefined;

	/** Of what is printed from now on. */
	constructor(stream: NodeJS.WritableStream) {
		this.#stream = stream;
		stream.on("error", (fault: NodeJS.ErrnoException) => {
			this.#fault ??= fault;
		});
	}

	/** Once all is written, or can't be. @param status of the command @returns the exit status */
	async status(status: number): Promise<number> {
		await new Promise<void>((resolve) => this.#stream.write("", () => resolve()));
		const fault = this.#fault;
		if (fault === undefined || fault.code === "EPIPE") return status;
		const failed = complain(`stdout did not take what was printed: ${whyUnreadable(fault)}`, 1);
		return status === 0 ? failed : status;
	}
}
