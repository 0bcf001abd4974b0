/** A member's word about itself as it travels: JSON of a bounded size, taken from others only if it is sound. */
import { z } from "zod";
import { LIMITS } from "../../limits/limits.ts";
import type { MemberStatus } from "./log.ts";

const text = z.string().max(256);
const count = z.number().int().nonnegative();

const STATUS = z.object({
	id: z.string().regex(/^m_[A-Za-z0-9_-]{1,64}$/),
	name: text,
	version: text,
	level: count,
	role: z.enum(["manager", "edge"]),
	state: z.enum(["starting", "in_sync", "catching_up", "cut_off", "stuck", "diverged"]),
	revision: count,
	digest: z.string().regex(/^[0-9a-f]{32}$/),
	since: text,
	labels: z.record(text, text),
	limits: text,
	lost: count.exactOptional(),
});

/** Labels are left out where they would not fit. */
export function encodeStatus(status: MemberStatus): string {
	const whole = JSON.stringify(status);
	return Buffer.byteLength(whole) <= LIMITS.fleetStatusBytes
		? whole
		: JSON.stringify({ ...status, labels: {} });
}

/** @returns undefined: it is not sound, and counts as unsaid */
export function decodeStatus(body: Uint8Array): MemberStatus | undefined {
	if (body.length > LIMITS.fleetStatusBytes) return undefined;
	try {
		return STATUS.safeParse(JSON.parse(Buffer.from(body).toString("utf8"))).data;
	} catch {
		return undefined;
	}
}
