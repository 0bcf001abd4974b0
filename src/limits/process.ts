/** Bounds of the supervisor and its workers. A part of `LIMITS` (`limits.ts`). */
export const PROCESS_LIMITS = {
	/** milliseconds between two looks at the files that `weir test --watch` was given */
	watchMs: 200,
	/** milliseconds that commands wait for an answer of the management API; requests that they send at a time */
	apiClientMs: 120_000,
	apiClientRequests: 8,
	/** lines of a document within which differences are looked for line by line; longer ones are told as a whole */
	diffLines: 4000,
	/** lines around a difference */
	diffContextLines: 2,
	/** milliseconds a worker has to take over a published change before it is replaced (docs/design.md, "Processes") */
	publishAckMs: 5000,
	/** milliseconds between a worker's signs of life, and between the supervisor's looks at them */
	heartbeatMs: 1000,
	/**
	 * milliseconds without a sign of life after which weir is not ready, and after which a worker that does
	 * nothing at all is replaced; the last `workerStillMs` of them, each look must have found it doing nothing
	 */
	workerLateMs: 3000,
	workerSilentMs: 5000,
	workerStillMs: 2500,
	/** as `workerSilentMs`, where nobody can tell what a process does (macOS): the longest turn that may be work */
	workerSilentUnknownMs: 60_000,
	/**
	 * milliseconds of processor time that a worker may use without a sign of life before it counts as going round
	 * in circles; a thousand times a slice of compiling. The second while it loads, which is one turn: 100,000
	 * routes take some 2 s
	 */
	workerBusyMs: 30_000,
	workerLoadingMs: 300_000,
	/**
	 * descriptors that neither clients nor connections to backends get (`descriptors.ts`): a worker has some 50
	 * files, and 5 for each thread
	 */
	descriptorReserve: 64,
	/**
	 * megabytes that a worker's young objects fill before they are collected; as much again is kept for those that survive.
	 * V8's own most, where it begins with 1; 10 MB more at rest, up to 30 under traffic
	 */
	workerYoungMegabytes: 16,
	/** worker processes (config, `workers`), and milliseconds of any setting */
	workersMax: 256,
	settingMsMax: 86_400_000,
	/** milliseconds that requests in flight get when weir stops or a worker is replaced (config, `timeouts.drain_ms`) */
	drainMs: 30_000,
	/** milliseconds that workers without a supervisor finish what they have begun, where `timeouts.drain_ms` is 0 */
	orphanMs: 3_600_000,
	/** milliseconds a worker has to take over a configuration before new ones are started instead */
	settleMs: 10_000,
	/** listeners that the workers of a generation make anew before new workers do: what the old ones were is never freed */
	renewedListeners: 32,
	/** connections that the kernel keeps for a worker until it accepts them; the system's own bound is often less */
	listenBacklog: 4096,
	/** generations of workers that finish what they have begun while others serve (`process/supervisor/leaving-workers.ts`) */
	leavingGenerations: 4,
	/**
	 * milliseconds before a crashed worker is started again, doubling from the first to the second; after a life of the
	 * third it is started at once
	 */
	respawnFirstMs: 100,
	respawnLastMs: 10_000,
	respawnStableMs: 10_000,
	/**
	 * milliseconds that another weir has from its first word until it serves, and as much before it from its start; then
	 * the one that runs goes on. A start takes 2 to 3 s
	 */
	takeoverMs: 60_000,
	/** milliseconds that the one which has given up has to end before it is killed, and between looks at it */
	takeoverEndMs: 3000,
	/** milliseconds that the old one has to answer the new one, which serves; then it stands still and is killed */
	takeoverAnswerMs: 30_000,
	takeoverLookMs: 20,
	/** supervisors whose workers finish what they have begun while another one serves */
	leavingSupervisors: 4,
	/** characters of a line that two supervisors say to each other: the counters of all workers, some 200 bytes a series */
	takeoverLineCharacters: 67_108_864,
	/** characters of the reason why another version could not start */
	takeoverReasonCharacters: 4000,
	/**
	 * milliseconds for which one secret seals session tickets; two of them, a day, are the most that a ticket is good
	 * for (TLS 1.2 allows two hours, the library's default for 1.3 is two days)
	 */
	ticketSecretMs: 43_200_000,
	/** milliseconds that every worker has to hear of the next secret before one uses it */
	ticketHandoverMs: 60_000,
} as const;
