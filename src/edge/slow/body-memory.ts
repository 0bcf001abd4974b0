/**
 * One bound for all request bodies that a worker holds in memory (contract 6, bodies). The edge holds a body until
 * the upstream begins with it, and the upstream holds what its socket does not take. Used by
 * `request/client-body.ts` and `routing/backends.ts`.
 *
 * The memory is shared by "dynamic thresholds" (Choudhury and Hahne, "Dynamic queue length thresholds for
 * shared-memory packet switches", 1998): the uploads to one backend may hold as much as is left free. One backend
 * that does not read gets half of the memory, two get a third each, and k of them k/(k+1) together. So there is
 * always room for the uploads to others, without a quota in the configuration, and only the bytes of one read can
 * exceed the bound. From half of its share on, a backend's uploads are held back: their sockets are paused, and they
 * continue one by one as there is room. At the whole share new uploads get a 503.
 *
 * An upload that the upstream has begun with counts with the bytes that the upstream holds, not with the bytes of
 * the uploads that wait behind it. It has to make room for them, so holding it back for their sake would stop
 * everybody, and a client that drips while others wait for its place could not be told from a paused one.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Upstream } from "../../upstream/upstream.ts";

/** An upload whose end is not there yet. */
export interface HeldUpload {
	/** the upstream takes its bytes */
	readonly hasBegun: boolean;
	/** Stops reading from its client, or continues because there is room for another read. */
	holdBack(isHeldBack: boolean): void;
}

type Gauge = Pick<Upstream, "bodyBytes">;

export class BodyMemory {
	readonly limitBytes: number;
	readonly #inUse = new Set<BodyShare>();
	#bytes = 0;
	#countedAtMs = Number.NEGATIVE_INFINITY;

	constructor(limitBytes: number = LIMITS.bodyMemoryBytes) {
		this.limitBytes = limitBytes;
	}

	share(upstream: Gauge): BodyShare {
		return new BodyShare(this, this.#inUse, upstream);
	}

	/** Bytes held, counted at most a few milliseconds ago. */
	bytes(nowMs: number): number {
		if (nowMs - this.#countedAtMs < LIMITS.bodyMemoryStaleMs) return this.#bytes;
		this.#countedAtMs = nowMs;
		this.#bytes = 0;
		for (const share of this.#inUse) this.#bytes += share.bytes;
		return this.#bytes;
	}

	/** Uploads that were held back continue as far as there is room. */
	relax(nowMs: number): void {
		for (const share of this.#inUse) share.relax(nowMs);
	}
}

/** What the uploads to one backend hold. */
export class BodyShare {
	/** held by the edge, before the upstream has begun */
	#earlyBytes = 0;
	readonly #memory: BodyMemory;
	readonly #inUse: Set<BodyShare>;
	readonly #upstream: Gauge;
	/** requests with a body that are not over */
	#requests = 0;
	readonly #uploads = new Set<HeldUpload>();
	readonly #heldBack = new Set<HeldUpload>();

	constructor(memory: BodyMemory, inUse: Set<BodyShare>, upstream: Gauge) {
		this.#memory = memory;
		this.#inUse = inUse;
		this.#upstream = upstream;
	}

	get bytes(): number {
		return this.#earlyBytes + this.#upstream.bodyBytes;
	}

	/** @param bytes more that the edge holds */
	keep(bytes: number): void {
		this.#earlyBytes += bytes;
	}

	/** A request with a body begins. Hot. */
	enter(): void {
		if (this.#requests++ === 0) this.#inUse.add(this);
	}

	/** It is over; nothing of its body is held. */
	leave(upload: HeldUpload): void {
		this.finish(upload);
		if (--this.#requests === 0) this.#inUse.delete(this);
	}

	/** Bytes of an upload have arrived, but not its last byte. */
	grew(upload: HeldUpload, nowMs: number): void {
		this.#uploads.add(upload);
		if (!this.#exceeds(this.bytes, 0.5, nowMs)) return;
		const isSlow = this.#exceeds(this.#upstream.bodyBytes, 0.5, nowMs);
		for (const each of this.#uploads) {
			if (each.hasBegun && !isSlow) continue;
			this.#uploads.delete(each);
			this.#heldBack.add(each);
			each.holdBack(true);
		}
	}

	/** Its last byte has come. */
	finish(upload: HeldUpload): void {
		this.#uploads.delete(upload);
		this.#heldBack.delete(upload);
	}

	/** Another request's body would be too much. */
	isFull(nowMs: number): boolean {
		return this.#exceeds(this.bytes, 1, nowMs);
	}

	/** The upstream has taken what it held of this upload: it goes on, unless there is no room at all. */
	drained(upload: HeldUpload, nowMs: number): void {
		if (!this.#heldBack.has(upload) || this.#exceeds(this.#upstream.bodyBytes, 1, nowMs)) return;
		this.#goOn(upload);
	}

	/** Uploads that the upstream has begun with come first, because they make room. */
	relax(nowMs: number): void {
		if (this.#heldBack.size === 0) return;
		const free = this.#memory.limitBytes - this.#memory.bytes(nowMs);
		const left = this.#relax(true, free / 2 - this.#upstream.bodyBytes);
		this.#relax(false, Math.min(left, free / 2 - this.bytes));
	}

	/** @returns what is left of `room`, in bytes */
	#relax(hasBegun: boolean, room: number): number {
		let left = room;
		for (const upload of this.#heldBack) {
			if (left <= 0) break;
			if (upload.hasBegun !== hasBegun) continue;
			left -= LIMITS.bodyReadBytes;
			this.#goOn(upload);
		}
		return left;
	}

	#goOn(upload: HeldUpload): void {
		this.#heldBack.delete(upload);
		upload.holdBack(false);
	}

	#exceeds(bytes: number, part: number, nowMs: number): boolean {
		const held = this.#memory.bytes(nowMs);
		const { limitBytes } = this.#memory;
		// As long as all together hold less than a third, nobody holds half of what is free.
		if (held + this.#earlyBytes < limitBytes / 3) return false;
		return bytes >= (limitBytes - held) * part;
	}
}
