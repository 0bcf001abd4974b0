/** What `weir keys list` prints: a table for people, JSON for programs; never a hash. Pure. Used by `keys-command.ts`. */
import { hasExpired } from "../../management/api-keys.ts";
import type { StoredKey } from "../../store/store.ts";

const HEADER = ["ID", "ROLE", "CREATED", "LAST USED", "EXPIRES", "NAME"] as const;

/** @param header whether a line above the others says what the columns are */
export function keyTable(keys: readonly StoredKey[], header: boolean, nowMs: number): string {
	const rows = [...(header ? [HEADER] : []), ...keys.map((key) => rowOf(key, nowMs))];
	const widths = HEADER.map((_, column) =>
		Math.max(...rows.map((row) => row[column]?.length ?? 0)),
	);
	return rows
		.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
		.map((line) => `${line.trimEnd()}\n`)
		.join("");
}

function rowOf(key: StoredKey, nowMs: number): readonly string[] {
	const { id, role, createdAt, lastUsedAt, expiresAt, name } = key;
	const expires = expiresAt === undefined ? "never" : minuteOf(expiresAt);
	const end = hasExpired(key, nowMs) ? `${expires} (expired)` : expires;
	const used = lastUsedAt === undefined ? "never" : minuteOf(lastUsedAt);
	const shown =
		key.isLocal === true ? `${printable(name)} (this machine alone)`.trim() : printable(name);
	return [id, role, minuteOf(createdAt), used, end, shown];
}

/** `2026-01-31T12:34Z` */
const minuteOf = (time: string): string => time.replace(/:\d{2}(?:\.\d+)?Z$/, "Z");

/** Names of older builds may hold what would move a terminal's cursor. */
const printable = (name: string): string => name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");

export const keyJson = (keys: readonly StoredKey[]): string =>
	`${JSON.stringify(
		keys.map(({ id, name, role, createdAt, lastUsedAt, expiresAt, isLocal }) => ({
			id,
			name,
			role,
			created_at: createdAt,
			last_used_at: lastUsedAt ?? null,
			expires_at: expiresAt ?? null,
			...(isLocal === true ? { local: true } : {}),
		})),
		null,
		2,
	)}\n`;
