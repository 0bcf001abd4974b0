/**
 * What listens for the management API: one listener, and those that it has taken over from until they have nothing left
 * to answer. Certificates are taken over when they have changed (contract 1, `SIGHUP`). Used by `server.ts`.
 */
import type { FrontState } from "../../http/front-telemetry.ts";
import { certificateMark } from "../../http/tls/certificates.ts";
import { type Answer, ApiListener, type ListenerOptions } from "./listener.ts";

/** What a reload may change. */
export type Changeable = Pick<ListenerOptions, "tls" | "front">;

export class Listeners {
	readonly #options: ListenerOptions;
	readonly #answer: Answer;
	readonly #leaving = new Set<ApiListener>();
	#current: ApiListener;
	/** of what the current one was made with */
	#mark: string;

	private constructor(
		options: ListenerOptions,
		answer: Answer,
		mark: string,
		current: ApiListener,
	) {
		this.#options = options;
		this.#answer = answer;
		this.#mark = mark;
		this.#current = current;
	}

	/** @throws Error a certificate or the suites can't be used, or the address can't be listened on */
	static async open(options: ListenerOptions, answer: Answer): Promise<Listeners> {
		const mark = markOf(options);
		const current = await ApiListener.open(options, answer);
		return new Listeners({ ...options, port: current.port }, answer, mark, current);
	}

	get port(): number {
		return this.#options.port;
	}

	/** See `ApiListener`. */
	get descriptor(): number | undefined {
		return this.#current.descriptor;
	}

	/** who reads the clients of the current one */
	get front(): FrontState {
		return this.#current.front;
	}

	/**
	 * From plain to TLS or back needs a restart, and so does whatever else of a plain one, whose port nobody can share.
	 * @throws Error then nothing has changed
	 */
	async change(changed: Changeable): Promise<void> {
		if (this.#current.scheme === "http") return;
		const mark = markOf(changed);
		if (mark === this.#mark) return;
		const before = this.#current;
		this.#current = await ApiListener.open({ ...this.#options, ...changed }, this.#answer);
		this.#mark = mark;
		this.#leaving.add(before);
		await before.stopAccepting();
		void before.finish().then(() => this.#leaving.delete(before));
	}

	/** Another process listens. */
	async leave(): Promise<void> {
		const former = Array.from(this.#leaving, (listener) => listener.close());
		await Promise.all([this.#current.leave(), ...former]);
	}

	async close(): Promise<void> {
		await Promise.all([this.#current, ...this.#leaving].map((listener) => listener.close()));
	}
}

const markOf = ({ tls, front }: Changeable): string =>
	tls === undefined ? "" : `${certificateMark(tls.files, tls.settings)} ${JSON.stringify(front)}`;
