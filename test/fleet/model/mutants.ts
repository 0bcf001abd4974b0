/**
 * The protocol with a rule left out, one at a time: each must be caught by the model, or the model is no proof. They are
 * made by replacing methods; nothing in the protocol knows of them.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { vi } from "vitest";
import { Agreement } from "../../../src/fleet/agreement.ts";
import { Audit } from "../../../src/fleet/audit.ts";
import { BatchWrite } from "../../../src/fleet/batch-write.ts";
import { Healer } from "../../../src/fleet/heal.ts";
import { InForce } from "../../../src/fleet/in-force.ts";
import { Snapshots } from "../../../src/fleet/snapshots.ts";
import type { Mode } from "./faults.ts";
import type { Mutant } from "./world.ts";

interface Rule {
	/** where its absence shows */
	readonly mode: Mode;
	readonly world?: Mutant;
	readonly leaveOut?: () => void;
}

const { inSync, at, wholeRing } = Agreement.prototype;
const { confirms, needsRecord } = BatchWrite.prototype;
const { mayUpload } = Snapshots.prototype;

const within = new AsyncLocalStorage<{ calls: number }>();

export const MUTANTS: Readonly<Record<string, Rule>> = {
	"no comparison with the log": {
		mode: "voids are lost",
		leaveOut: () => {
			vi.spyOn(Agreement.prototype, "inSync").mockResolvedValue(true);
		},
	},
	"only the head is compared": {
		mode: "voids are lost",
		leaveOut: () => {
			vi.spyOn(Agreement.prototype, "inSync").mockImplementation(function (this: Agreement) {
				return within.run({ calls: 0 }, () => inSync.call(this));
			});
			vi.spyOn(Agreement.prototype, "at").mockImplementation(function (
				this: Agreement,
				revision: number,
			) {
				const store = within.getStore();
				if (store === undefined || store.calls++ === 0) return at.call(this, revision);
				return Promise.resolve({ revision, record: undefined });
			});
		},
	},
	"no audit": {
		mode: "altered records",
		leaveOut: () => {
			vi.spyOn(Audit.prototype, "run").mockResolvedValue("same");
		},
	},
	"the ring is not compared before a snapshot": {
		mode: "other records",
		leaveOut: () => {
			vi.spyOn(Snapshots.prototype, "mayUpload").mockImplementation(function (this: Snapshots) {
				return within.run({ calls: 0 }, () => mayUpload.call(this));
			});
			vi.spyOn(Agreement.prototype, "wholeRing").mockImplementation(function (this: Agreement) {
				return within.getStore() === undefined
					? wholeRing.call(this)
					: Promise.resolve("agrees" as const);
			});
		},
	},
	"nothing is given back": {
		mode: "loses its end, and all look",
		leaveOut: () => {
			vi.spyOn(Healer.prototype, "heal").mockResolvedValue("differs");
		},
	},
	"acknowledged before it is on the disk": { mode: "deaths", world: { syncsLater: true } },
	"answered before it is in force": {
		mode: "calm",
		leaveOut: () => {
			vi.spyOn(InForce.prototype, "settled").mockResolvedValue(undefined);
		},
	},
	"settled before it is taken": {
		mode: "network",
		leaveOut: () => {
			vi.spyOn(BatchWrite.prototype, "appended").mockImplementation(
				async (revision, record, { outcomes }) => ({
					outcomes,
					at: { revision, digest: record.after },
				}),
			);
		},
	},
	"refusals are not confirmed": {
		mode: "network",
		leaveOut: () => {
			vi.spyOn(BatchWrite.prototype, "confirms").mockResolvedValue(true);
		},
	},
	"what changes nothing has no record": {
		mode: "network",
		leaveOut: () => {
			const unchanged = new WeakSet<BatchWrite>();
			vi.spyOn(BatchWrite.prototype, "needsRecord").mockImplementation(function (
				this: BatchWrite,
				decision,
			) {
				unchanged.delete(this);
				if (needsRecord.call(this, decision) && decision.operations.length === 0)
					unchanged.add(this);
				return decision.operations.length > 0;
			});
			vi.spyOn(BatchWrite.prototype, "confirms").mockImplementation(function (
				this: BatchWrite,
				position,
			) {
				return unchanged.has(this) ? Promise.resolve(true) : confirms.call(this, position);
			});
		},
	},
	"what follows from documents is not replayed": { mode: "calm", world: { derives: false } },
	"snapshots of any history are taken": {
		mode: "everything",
		leaveOut: () => {
			vi.spyOn(Agreement.prototype, "isOfThisLog").mockResolvedValue(true);
		},
	},
};
