/** Bounds of JSON and YAML documents, and of what is said about their mistakes. A part of `LIMITS` (`limits.ts`). */
export const DOCUMENTS_LIMITS = {
	/** characters of a compiler's message or a warning's line, of an expression around a problem's caret */
	problemMessageCharacters: 300,
	excerptCharacters: 120,
	/** nesting depth of a document; the deepest valid policy needs far less */
	jsonDepth: 64,
	/** bytes of a YAML document: its reader takes up to half a gigabyte and 2 s for each MiB; JSON has no such bound */
	yamlBytes: 2_097_152,
	/** values of a YAML document that stand there by an alias; nine aliases of nine of nine … would fill the memory */
	yamlRepeatedValues: 10_000,
	/** members of one list, and values below one member, of a document that is taken in one walk (`documents/acceptor.ts`) */
	usualMembers: 512,
	/** problems reported for one document; the rest are counted in the last entry */
	problemsPerDocument: 100,
} as const;
