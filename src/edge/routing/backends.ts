/**
 * The upstreams in use, one for each distinct backend document. Routes with the same backend share an upstream, and
 * a change that leaves the backend as it is keeps it, with its connections and what it knows of dead addresses. An
 * upstream is closed gracefully when its last route is gone. Used by `route-table.ts`.
 */
import { fileMark } from "../../file-mark.ts";
import type { BackendTls } from "../../store/backend-tls.ts";
import type { BackendDocument } from "../../store/resources.ts";
import type {
	Upstream,
	UpstreamFactory,
	UpstreamOptions,
	UpstreamStates,
} from "../../upstream/upstream.ts";
import { BodyMemory, type BodyShare } from "../slow/body-memory.ts";

export interface Backend {
	readonly document: BackendDocument;
	readonly upstream: Upstream;
	/** memory of its requests' bodies */
	readonly bodies: BodyShare;
	/** canonical text of the document */
	readonly key: string;
}

/** Stands in for a backend that can't be made, so that one bad document costs one route. */
const unusable = (reason: string): Upstream => ({
	send(_request, sink) {
		queueMicrotask(() => sink.onError("connect", reason));
		return { heldBytes: 0, holdsPlace: false, resume() {}, abort() {} };
	},
	close: () => Promise.resolve(),
	bodyBytes: 0,
	pressed: 0,
	occupancy: 0,
	takeStates: () => ({ waiting: 0, addresses: [] }),
});

const keyOf = (document: BackendDocument): string =>
	JSON.stringify([
		document.urls,
		document.host_header ?? null,
		document.connect_timeout_ms ?? null,
		document.response_timeout_ms ?? null,
		document.max_connections ?? null,
		document.pipelining ?? null,
		document.tls === undefined ? null : tlsKey(document.tls),
	]);

const tlsKey = ({ ca, server_name, verify, client_cert, client_key }: BackendTls): unknown => [
	ca ?? null,
	server_name ?? null,
	verify ?? null,
	client_cert ?? null,
	client_key ?? null,
];

interface Entry {
	readonly backend: Backend;
	/** of its `tls` files, as they were read */
	readonly marks: string;
	routes: number;
}

const filesOf = ({ tls }: BackendDocument): readonly string[] =>
	[tls?.ca, tls?.client_cert, tls?.client_key].filter((file) => file !== undefined);

const marksOf = (document: BackendDocument): string => filesOf(document).map(fileMark).join();

export class Backends {
	readonly #factory: UpstreamFactory;
	readonly #options: UpstreamOptions;
	readonly #memory: BodyMemory;
	readonly #onClose: (last: UpstreamStates) => void;
	readonly #inUse = new Map<string, Entry>();
	readonly #closing = new Set<Promise<void>>();

	/** @param onClose told of each upstream that is closed */
	constructor(
		factory: UpstreamFactory,
		options: UpstreamOptions,
		memory = new BodyMemory(),
		onClose: (last: UpstreamStates) => void = () => {},
	) {
		this.#onClose = onClose;
		this.#factory = factory;
		this.#memory = memory;
		this.#options = options;
	}

	/** Every `acquire` needs a `release`. */
	acquire(document: BackendDocument): Backend {
		const key = keyOf(document);
		let entry = this.#inUse.get(key);
		if (entry === undefined) {
			const marks = marksOf(document);
			const upstream = this.#make(document);
			const bodies = this.#memory.share(upstream);
			entry = { backend: { key, document, upstream, bodies }, marks, routes: 0 };
			this.#inUse.set(key, entry);
		}
		entry.routes++;
		return entry.backend;
	}

	release(backend: Backend): void {
		const entry = this.#inUse.get(backend.key);
		if (entry === undefined || --entry.routes > 0) return;
		this.#inUse.delete(backend.key);
		this.#close(backend.upstream);
	}

	/** Of all that are in use. */
	*takeStates(): Generator<UpstreamStates> {
		for (const { backend } of this.#inUse.values()) yield backend.upstream.takeStates();
	}

	/** Whether all `tls` files are those that were read. */
	get areFresh(): boolean {
		return [...this.#inUse.values()].every(
			({ backend: { document }, marks }) =>
				document.tls === undefined || marksOf(document) === marks,
		);
	}

	/** Closes all; resolves when busy connections are done, too. */
	async close(): Promise<void> {
		for (const { backend } of this.#inUse.values()) this.#close(backend.upstream);
		this.#inUse.clear();
		await Promise.all(this.#closing);
	}

	#make(document: BackendDocument): Upstream {
		try {
			return this.#factory(document, this.#options);
		} catch (error) {
			return unusable(error instanceof Error ? error.message : String(error));
		}
	}

	#close(upstream: Upstream): void {
		this.#onClose(upstream.takeStates());
		const closing: Promise<void> = upstream
			.close()
			.catch(() => {})
			.finally(() => this.#closing.delete(closing));
		this.#closing.add(closing);
	}
}
