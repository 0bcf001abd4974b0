/** Bounds of the store: its file, its keys, who may ask for them. A part of `LIMITS` (`limits.ts`). */
export const STORE_LIMITS = {
	/** bytes of the store's memory map, so of its file; a write beyond it is refused (address space only) */
	storeBytes: 17_179_869_184,
	/** bytes: a disk that has less than this when a write was cut short is taken to be full */
	storeRoomBytes: 1_048_576,
	/** milliseconds between looks at the store's files, beside those at every write and read (a few stats) */
	storeLookMs: 2000,
	/** writes that share one commit and its sync; more wait for the next, so the event loop turns */
	writesPerCommit: 256,
	/** versions of one policy that are kept */
	versionsKept: 50,
	versionsKeptMax: 1000,
	/** policies whose newest version's number is remembered: some 100 bytes each */
	versionHints: 10_000,
	/** bytes that a backup is read and written in */
	backupChunkBytes: 262_144,
	/** characters of a backup's line; an entry of the store is far below */
	backupLineCharacters: 67_108_864,
	/** API keys stored; each is compared on every management request */
	apiKeys: 1000,
	/** milliseconds: how exactly a key's last use is known, and between commits that write such uses */
	keyUseMs: 60_000,
	/** characters of a key's name; longer ones are cut */
	keyNameCharacters: 255,
	/** bytes of a request over the control socket; a key's record is below 2 KB */
	controlLineBytes: 16_384,
	/** commands that are connected to the control socket at a time; more are turned away */
	controlConnections: 16,
	/** milliseconds that either end of the control socket waits for the other */
	controlPatienceMs: 10_000,
	/** milliseconds between lines in which a command says how far it has got */
	commandProgressMs: 1000,
	/** milliseconds that a command waits for the control socket of a server that is just starting or ending */
	controlSocketMs: 5000,
	/** characters of a file's path in a document (Linux: PATH_MAX); bytes of a certificate's or key's file */
	filePathCharacters: 4096,
	pemBytes: 1_048_576,
} as const;
