/**
 * The level of this build: which documents it understands as all others of the level do (docs/fleet.md, "Levels").
 * Used by `decide.ts`.
 */
export const LEVEL = 1;

/** The level that a document needs. @param value as it is stored */
export function levelOf(_key: string, _value: string): number {
	return 1;
}
