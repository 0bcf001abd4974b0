/**
 * What `weir` commands ask a running supervisor over the control socket in its data folder: one line of JSON
 * there, one back, then the connection ends; only a supervisor that takes over goes on (`handover/protocol.ts`). So a command writes nothing itself while a server runs: one
 * that is stopped in the middle of a commit would hold LMDB's lock, and with it the supervisor.
 *
 * Who may connect is decided by the rights of socket (0600) and folder; there is no other credential.
 */
import { z } from "zod";
import { LIMITS } from "../../limits/limits.ts";
import { KEY_ROLES } from "../../store/key-roles.ts";
import { fleetRequests } from "./fleet-protocol.ts";

export const CONTROL_SOCKET = "control.sock";

const text = (most: number) => z.string().max(most);

const storedKey = z.strictObject({
	id: text(LIMITS.idCharacters),
	name: text(LIMITS.keyNameCharacters),
	role: z.enum(KEY_ROLES),
	hash: z.string().regex(/^[0-9a-f]{64}$/),
	createdAt: text(LIMITS.idCharacters),
	expiresAt: text(LIMITS.idCharacters).exactOptional(),
	isLocal: z.literal(true).exactOptional(),
});

/** What `list-keys` is answered with. */
export const listedKeys = z.array(
	storedKey.extend({ lastUsedAt: text(LIMITS.idCharacters).exactOptional() }),
);

export const controlRequest = z.discriminatedUnion("do", [
	z.strictObject({ do: z.literal("add-key"), key: storedKey }),
	z.strictObject({ do: z.literal("revoke-key"), id: text(LIMITS.controlLineBytes) }),
	z.strictObject({ do: z.literal("list-keys") }),
	/** start this version, which takes over; answered when it has, or has failed */
	z.strictObject({
		do: z.literal("upgrade"),
		node: text(LIMITS.filePathCharacters),
		main: text(LIMITS.filePathCharacters),
	}),
	...fleetRequests,
]);

/** What `upgrade` is answered with. */
export const upgraded = z.object({ pid: z.number(), version: z.string() });

export type ControlRequest = z.infer<typeof controlRequest>;

/** `error` is a sentence for the one who ran the command. */
export type ControlAnswer = { readonly value: unknown } | { readonly error: string };
