/** The part of `limits.ts` that bounds the store: its file, its keys, who may ask for them. */
export const STORE_LIMITS = {
	/** bytes of the store's memory map, so of its file; a write beyond it is refused (address space only) */
	storeBytes: 17_179_869_184,
	/** milliseconds between looks at the store's files, beside those at every write and read (a few stats) */
	storeLookMs: 2000,
	/** writes that share one commit and its sync; more wait for the next, so the event loop turns */
	writesPerCommit: 256,
	/** API keys stored; each is compared on every management request */
	apiKeys: 1000,
} as const;
