/**
 * Snapshots in NATS: objects of an object store, laid out as the client libraries and `nats object` lay them out, but read
 * and written with the requests that an edge's user has a right to, each bounded, and without their endless consumers.
 */
import { createHash, randomBytes } from "node:crypto";
import { headers } from "@nats-io/transport-node";
import { LIMITS } from "../../../limits/limits.ts";
import { decodeSnapshot, encodeSnapshot } from "../../snapshot-codec.ts";
import type { Snapshot } from "../log.ts";
import type { Api } from "./api.ts";
import { whileBehind } from "./behind.ts";
import { type ApiError, apiProblem } from "./failures.ts";

interface ObjectInfo {
	readonly name: string;
	readonly nuid: string;
	readonly size: number;
	readonly chunks: number;
	/** `SHA-256=` and base64url */
	readonly digest: string;
	readonly deleted?: boolean;
}

const NAME = /^s-(\d{16})$/;
const CONTENT = /\.s(\d{16})x[0-9a-f]+$/;
const SEQUENCE = "Nats-Sequence";

export class Snapshots {
	readonly #api: Api;

	constructor(api: Api) {
		this.#api = api;
	}

	async list(): Promise<readonly { readonly revision: number; readonly name: string }[]> {
		const { snapshots } = this.#api.names;
		const { state } = await this.#api.info(snapshots, this.#subject("M", ">"));
		return Object.keys(state.subjects ?? {})
			.flatMap((subject) => {
				const name = decodeName(subject.slice(this.#subject("M", "").length));
				const revision = NAME.exec(name)?.[1];
				return revision === undefined ? [] : [{ revision: Number(revision), name }];
			})
			.sort((one, other) => other.revision - one.revision);
	}

	async open(name: string): Promise<Snapshot | undefined> {
		const info = await this.#info(name);
		return info === undefined ? undefined : decodeSnapshot(this.#content(info));
	}

	async put(snapshot: Snapshot): Promise<void> {
		const name = `s-${String(snapshot.revision).padStart(16, "0")}`;
		const before = await this.#info(name);
		const nuid = `${name.replace("-", "")}x${randomBytes(12).toString("hex")}`;
		const hash = createHash("sha256");
		const chunk = this.#subject("C", nuid);
		let [size, chunks] = [0, 0];
		try {
			for await (const part of encodeSnapshot(snapshot)) {
				hash.update(part);
				size += part.length;
				chunks++;
				await this.#publish(chunk, part);
			}
			const digest = `SHA-256=${padded(hash.digest("base64url"))}`;
			const options = { max_chunk_size: LIMITS.fleetSnapshotChunkBytes };
			const mtime = new Date().toISOString();
			const info = {
				name,
				bucket: this.#api.names.bucket,
				nuid,
				size,
				chunks,
				digest,
				mtime,
				options,
			};
			await this.#publish(this.#subject("M", encodeName(name)), JSON.stringify(info), true);
		} catch (error) {
			await this.#api.purge(this.#api.names.snapshots, { filter: chunk }).catch(() => {});
			throw error;
		}
		if (before !== undefined) await this.#purgeContent(before.nuid);
	}

	async trim(keep: number): Promise<void> {
		const { snapshots } = this.#api.names;
		const all = await this.list();
		for (const { name } of all.slice(keep)) {
			// The name first: who opens it from now on finds nothing, instead of half of it.
			const filter = this.#subject("M", encodeName(name));
			await this.#api.purge(snapshots, { filter });
		}
		// Contents of older ones, those of uploads too that never came to an end.
		const oldest = all[keep - 1]?.revision ?? Number.POSITIVE_INFINITY;
		if (all.length < keep) return;
		const { state } = await this.#api.info(snapshots, this.#subject("C", ">"));
		for (const subject of Object.keys(state.subjects ?? {})) {
			const revision = Number(CONTENT.exec(subject)?.[1] ?? Number.NaN);
			if (revision < oldest) await this.#api.purge(snapshots, { filter: subject });
		}
	}

	#purgeContent(nuid: string): Promise<void> {
		return this.#api.purge(this.#api.names.snapshots, { filter: this.#subject("C", nuid) });
	}

	/** @param kind M of what is known of objects, C of their contents */
	#subject(kind: "M" | "C", rest: string): string {
		return `$O.${this.#api.names.bucket}.${kind}.${rest}`;
	}

	async #info(name: string): Promise<ObjectInfo | undefined> {
		const { snapshots } = this.#api.names;
		const subject = this.#subject("M", encodeName(name));
		const found = await whileBehind(`the snapshot ${name}`, async () => {
			const message = await this.#api.direct(snapshots, { seq: 1, next_by_subj: subject });
			if (message !== undefined) return message.json<ObjectInfo>();
			const { state } = await this.#api.info(snapshots, subject);
			return state.subjects?.[subject] === undefined ? null : undefined;
		});
		return found === null || found.deleted === true ? undefined : found;
	}

	/** Ends early where parts of it are gone, trimmed meanwhile or lost: then it does not decode. */
	async *#content({ nuid, chunks, name }: ObjectInfo): AsyncIterable<Uint8Array> {
		const { snapshots } = this.#api.names;
		const next_by_subj = this.#subject("C", nuid);
		let seq = 1;
		for (let index = 0; index < chunks; index++) {
			const part = await whileBehind(`part ${index + 1} of the snapshot ${name}`, async () => {
				const message = await this.#api.direct(snapshots, { seq, next_by_subj });
				if (message !== undefined) return message;
				const { state } = await this.#api.info(snapshots, next_by_subj);
				return (state.subjects?.[next_by_subj] ?? 0) < chunks ? null : undefined;
			});
			if (part === null) return;
			seq = Number(part.headers?.last(SEQUENCE)) + 1;
			yield part.data;
		}
	}

	async #publish(subject: string, payload: Uint8Array | string, isLast = false): Promise<void> {
		const { link, names } = this.#api;
		const rollup = headers();
		rollup.set("Nats-Rollup", "sub");
		const answer = await link.request({
			subject,
			payload,
			...(isLast && { headers: rollup }),
			timeoutMs: LIMITS.fleetRequestMs,
			what: "uploading a snapshot",
		});
		const { error } = answer.json<{ readonly error?: ApiError }>();
		if (error !== undefined) throw apiProblem(link.place, names.bucket, names.snapshots, error);
	}
}

const padded = (digest: string): string => digest.padEnd(Math.ceil(digest.length / 4) * 4, "=");
const encodeName = (name: string): string => padded(Buffer.from(name).toString("base64url"));
const decodeName = (token: string): string => Buffer.from(token, "base64url").toString("utf8");
