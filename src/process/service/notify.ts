/**
 * What the service manager is told (`sd_notify(3)`, systemd's protocol for `Type=notify` and `Type=notify-reload`):
 * datagrams to the socket that `NOTIFY_SOCKET` names. Without that variable nothing is sent. Never fails and never
 * waits: a service manager that does not listen is no reason to serve less. Used by `supervisor/`.
 */
import { getSystemErrorName } from "node:util";
import { addon } from "../../native-addon.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Of `WATCHDOG_USEC`, how often it is told that all is well: twice as often as it must be. */
const WATCHDOG_SHARE = 2;
const MICROSECONDS = 1000;

/** Variables that are for one process alone, so that nobody who is started by it takes them for his own. */
export const OWN_VARIABLES = [
	"WATCHDOG_PID",
	"LISTEN_PID",
	"LISTEN_FDS",
	"LISTEN_FDNAMES",
] as const;

export class Notifier {
	readonly #address: string | undefined;
	readonly #watchdogMs: number;
	readonly #warn: (reason: string) => void;
	#hasWarned = false;
	#timer: NodeJS.Timeout | undefined;

	/** @param warn told once why the service manager can't be reached */
	constructor(environment: Environment, warn: (reason: string) => void) {
		const address = environment.NOTIFY_SOCKET;
		this.#address = address === undefined || address === "" ? undefined : address;
		this.#watchdogMs = watchdogMsOf(environment);
		this.#warn = warn;
	}

	/** Everything serves. @param status a sentence for `systemctl status` */
	ready(status: string): void {
		this.#tell("READY=1", `STATUS=${status}`);
		if (this.#watchdogMs === 0 || this.#timer !== undefined) return;
		const beat = (): void => this.#tell("WATCHDOG=1");
		this.#timer = setInterval(beat, this.#watchdogMs / WATCHDOG_SHARE).unref();
	}

	/** To be followed by `ready`, whether the reload succeeds or not. */
	reloading(): void {
		// CLOCK_MONOTONIC, by which the manager tells this reload from the one before.
		const now = process.hrtime.bigint() / BigInt(MICROSECONDS);
		this.#tell("RELOADING=1", `MONOTONIC_USEC=${now}`, "STATUS=reading the configuration again");
	}

	/** @param status a sentence for `systemctl status` */
	status(status: string): void {
		this.#tell(`STATUS=${status}`);
	}

	stopping(): void {
		clearInterval(this.#timer);
		this.#tell("STOPPING=1", "STATUS=finishing what is in flight");
	}

	/** Another process is the service from now on; what this one says is not listened to any more. */
	handOver(pid: number, status: string): void {
		clearInterval(this.#timer);
		this.#tell(`MAINPID=${pid}`, `STATUS=${status}`);
	}

	#tell(...lines: readonly string[]): void {
		if (this.#address === undefined) return;
		// A line break would begin another variable.
		const text = lines.map((line) => line.replaceAll(/[\r\n]+/g, " ")).join("\n");
		const error = addon.sendDatagram(this.#address, text, NONE);
		if (error === 0 || this.#hasWarned) return;
		this.#hasWarned = true;
		this.#warn(`${this.#address}: ${getSystemErrorName(-error)}`);
	}
}

const NONE = new Uint8Array();

/** 0: nobody watches this process */
function watchdogMsOf({ WATCHDOG_USEC, WATCHDOG_PID }: Environment): number {
	if (WATCHDOG_PID !== undefined && WATCHDOG_PID !== String(process.pid)) return 0;
	const microseconds = Number(WATCHDOG_USEC ?? "0");
	return Number.isSafeInteger(microseconds) && microseconds >= MICROSECONDS
		? microseconds / MICROSECONDS
		: 0;
}
