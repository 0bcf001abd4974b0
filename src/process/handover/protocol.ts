/**
 * What two supervisors say to each other while one takes over from the other (docs/design.md, "Upgrades"). The first
 * line is a request of the control socket. Another version of weir may be at the other end: whoever changes the meaning
 * of a line takes the next `HANDOVER` number. Used by `giver.ts`, `taker.ts` and `control/server.ts`.
 */
import { z } from "zod";
import { LIMITS } from "../../limits/limits.ts";
import { handedCounts } from "./handed-counts.ts";

/** Versions of weir with the same number can take over from each other. */
export const HANDOVER = 1;

const text = z.string().max(LIMITS.filePathCharacters);
const processId = z.int().min(1);
const port = z.int().min(0).max(65_535);
const places = z.array(z.int().min(0));

/** The new one's first line. */
export const takeoverRequest = z.object({
	do: z.literal("takeover"),
	handover: z.int(),
	pid: processId,
	version: text,
});
export type TakeoverRequest = z.infer<typeof takeoverRequest>;

const address = z.object({ host: text, port });

/** Behind the datagrams with the descriptors, which are counted here. */
export const offer = z.object({
	pid: processId,
	version: text,
	/** supervisors before this one that have not ended yet */
	leaving: z.array(processId),
	groups: z.array(
		z.object({
			address: text,
			port,
			count: z.int().min(0),
			order: places,
			led: z.string(),
			canLead: z.boolean(),
			isFixed: z.boolean(),
		}),
	),
	/** of all groups, then the management API's, if it has one */
	hasManagement: z.boolean(),
	listen: z.array(address),
	managementAddress: address,
	tickets: z.object({
		secrets: z.object({ seal: text, open: text }),
		ageMs: z.number().min(0),
	}),
	/** which file the counters are in; null: each worker counts for itself */
	counters: text.nullable(),
});
export type Offer = z.infer<typeof offer>;

export const toGiver = z.discriminatedUnion("say", [
	/** all workers and the management API listen */
	z.object({ say: z.literal("ready") }),
	z.object({ say: z.literal("failed"), reason: text }),
	/** a change was stored: workers that still finish what they have begun are to know it */
	z.object({ say: z.literal("apply"), id: z.int(), changes: z.array(z.unknown()) }),
]);

export const toTaker = z.discriminatedUnion("say", [
	/** the store and the control socket are the new one's; counters as they are now */
	handedCounts.extend({ say: z.literal("yours") }),
	z.object({ say: z.literal("gave up"), reason: text }),
	z.object({ say: z.literal("applied"), id: z.int() }),
	/** all workers have ended; what they have counted since */
	handedCounts.extend({ say: z.literal("ended") }),
]);
