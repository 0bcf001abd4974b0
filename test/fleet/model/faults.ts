/** What goes wrong in a schedule, and how often: probabilities of a step, a call, a live record. */
export interface Faults {
	/** a live record on its way: lost, doubled */
	readonly drop: number;
	readonly double: number;
	/** a call fails; the answer of an append is lost; an append comes through after its writer has given it up */
	readonly fail: number;
	readonly lostAnswer: number;
	readonly late: number;
	/** a member loses its connection, or has it back */
	readonly cut: number;
	/** a process dies, at any await */
	readonly kill: number;
	/** the engine accepts a record on an old base */
	readonly stale: number;
	/** the engine forgets what it acknowledged last */
	readonly lose: number;
	/** then all members look at the log before anybody writes: so all is given back */
	readonly quietly: boolean;
	/** a record, or a snapshot, is altered where it lies */
	readonly flip: number;
	readonly flipSnapshot: number;
	/** the engine has another record than it had, of the same effect: its history was written anew */
	readonly swap: number;
	/** share of what was acknowledged that may be lost without a word: known limits have it */
	readonly untold: number;
	/** one member understands less than the others, which is noticed late */
	readonly levels: boolean;
}

const NONE: Faults = {
	drop: 0,
	double: 0,
	fail: 0,
	lostAnswer: 0,
	late: 0,
	cut: 0,
	kill: 0,
	stale: 0,
	lose: 0,
	quietly: false,
	flip: 0,
	flipSnapshot: 0,
	swap: 0,
	untold: 0,
	levels: false,
};

const NETWORK: Faults = {
	...NONE,
	drop: 0.3,
	double: 0.2,
	fail: 0.01,
	lostAnswer: 0.1,
	late: 0.03,
	cut: 0.05,
};

/** By name; the engine of the first four keeps its word. */
export const MODES = {
	calm: NONE,
	network: NETWORK,
	deaths: { ...NETWORK, kill: 0.004 },
	levels: { ...NETWORK, levels: true },
	"accepts old bases": { ...NETWORK, stale: 0.3 },
	"loses its end": { ...NETWORK, cut: 0.03, lose: 0.03 },
	"loses its end, and all look": { ...NONE, drop: 0.3, lose: 0.05, quietly: true },
	everything: { ...NETWORK, kill: 0.002, stale: 0.2, lose: 0.03 },
	"voids are lost": { ...NETWORK, cut: 0.02, stale: 0.5, lose: 0.06, untold: 0.002 },
	"altered snapshots": { ...NETWORK, lose: 0.02, flipSnapshot: 0.3 },
	"other records": { ...NETWORK, swap: 0.03 },
	"altered records": { ...NETWORK, flip: 0.01 },
} as const satisfies Readonly<Record<string, Faults>>;

export type Mode = keyof typeof MODES;

/** Its engine does what it promises: then every answer must be true. */
export const isHonest = ({ stale, lose, flip, swap }: Faults): boolean =>
	stale === 0 && lose === 0 && flip === 0 && swap === 0;
