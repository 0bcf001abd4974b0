/**
 * What log lines are written to, opened so that no write waits for a reader; for `log-writer.ts` only. A
 * thread stuck in a blocking write would keep its process from ending, and an `open` that waits for a
 * FIFO's reader would keep it from starting.
 *
 * - A file never blocks for long and is written to as it is.
 * - A FIFO is opened for both directions: a reader may come later or be started anew, the lines wait in
 *   the pipe, then in `LogWriter`'s queue; beyond that they are dropped and counted.
 * - A pipe or terminal on a descriptor (`stdout`) is opened anew so that it can be non-blocking without changing
 *   it for the processes that share it.
 * - A socket on a descriptor (systemd, a parent process) can't be opened anew; libuv makes it non-blocking.
 */
import { closeSync, constants, fstatSync, openSync, write } from "node:fs";
import { Socket } from "node:net";

export type Written = (error: NodeJS.ErrnoException | null, bytes: number) => void;

/** One asynchronous write at a time; may write less than it was given, `EAGAIN` where there is no room. */
export interface Output {
	write(bytes: Buffer, offset: number, written: Written): void;
	close(): void;
	/** a FIFO that nobody had opened for reading when it was opened here */
	readonly isUnread: boolean;
	/**
	 * bytes of one write that other processes' writes can't come between; undefined: of any number. A pipe
	 * that is shared and nearly full takes a part of what is longer, and then perhaps another's line.
	 */
	readonly wholeBytes?: number;
}

/** `PIPE_BUF`: 4096 on Linux, 512 on macOS. */
const PIPE_BYTES = process.platform === "linux" ? 4096 : 512;

const { O_WRONLY, O_RDWR, O_APPEND, O_CREAT, O_NONBLOCK, O_NOCTTY } = constants;
const HOW = O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY;

const openedOutput = (descriptor: number, isUnread = false): Output => ({
	write: (bytes, offset, written) =>
		write(descriptor, bytes, offset, bytes.length - offset, null, written),
	close: () => closeSync(descriptor),
	isUnread,
	...(fstatSync(descriptor).isFIFO() ? { wholeBytes: PIPE_BYTES } : {}),
});

/** Left open: the process has it for more than its log. */
const sharedOutput = (descriptor: number): Output => ({
	...openedOutput(descriptor),
	close: () => {},
});

const socketOutput = (descriptor: number): Output => {
	const socket = new Socket({ fd: descriptor, readable: false, writable: true });
	socket.on("error", () => {});
	socket.unref();
	return {
		write: (bytes, offset, written) => {
			socket.write(bytes.subarray(offset), (error) =>
				written(error ?? null, bytes.length - offset),
			);
		},
		close: () => {},
		isUnread: false,
	};
};

/** Of a descriptor that this process was started with. */
const inheritedOutput = (descriptor: number): Output => {
	const status = fstatSync(descriptor);
	if (status.isSocket()) return socketOutput(descriptor);
	// Opened anew, a file would have a position of its own: what others print through the descriptor and
	// these lines would overwrite each other.
	if (status.isFile()) return sharedOutput(descriptor);
	try {
		return openedOutput(
			openSync(`/dev/fd/${descriptor}`, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY),
		);
	} catch {
		// Another user's, as in a container that changed its user; or a pipe whose reader has gone.
		return status.isFIFO() ? socketOutput(descriptor) : sharedOutput(descriptor);
	}
};

/** @throws Error it can't be opened */
const namedOutput = (path: string): Output => {
	let file: number | undefined;
	try {
		file = openSync(path, O_WRONLY | HOW, 0o640);
		if (!fstatSync(file).isFIFO()) return openedOutput(file);
	} catch (error) {
		// What a FIFO without a reader says; also a socket, which can't be opened at all.
		if ((error as NodeJS.ErrnoException).code !== "ENXIO") throw error;
	}
	const both = openSync(path, O_RDWR | HOW, 0o640);
	if (file !== undefined) closeSync(file);
	return openedOutput(both, file === undefined);
};

/**
 * What a worker is given as its destination instead of `stdout`: the supervisor's stdout, which it has under another
 * number. Its own goes nowhere, because the server library's compiled code prints there (a line for each name of a TLS
 * listener), and these lines would stand among those of the log.
 */
export const SUPERVISOR_STDOUT = "supervisor's stdout";
export const SUPERVISOR_STDOUT_DESCRIPTOR = 4;

const DESCRIPTORS: ReadonlyMap<string, number> = new Map([
	["stdout", 1],
	["stderr", 2],
	[SUPERVISOR_STDOUT, SUPERVISOR_STDOUT_DESCRIPTOR],
]);

/** The descriptor that a destination means; undefined: it is a path, always absolute. */
export const standardDescriptor = (destination: string): number | undefined =>
	DESCRIPTORS.get(destination);

/** @throws Error it can't be opened */
export function openOutput(destination: string): Output {
	const descriptor = standardDescriptor(destination);
	return descriptor === undefined ? namedOutput(destination) : inheritedOutput(descriptor);
}
