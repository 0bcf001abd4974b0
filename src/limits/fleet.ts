/** Bounds of a fleet: its members, its log, how long anybody waits (docs/fleet.md). A part of `LIMITS` (`limits.ts`). */
export const FLEET_LIMITS = {
	fleetMembers: 10_000,
	/** records that a member keeps to give back to an engine that has lost them, and their bytes */
	fleetRingRecords: 1000,
	fleetRingBytes: 67_108_864,
	/** bytes of a record as it travels, and inflated */
	fleetRecordBytes: 8_388_608,
	fleetRecordInflatedBytes: 33_554_432,
	/** a body of more bytes is deflated */
	fleetDeflateBytes: 4096,
	/** writes that share one record */
	fleetWritesPerRecord: 256,
	/** records, and bytes of them, that are applied in one transaction */
	fleetApplyRecords: 256,
	fleetApplyBytes: 16_777_216,
	/** live records that wait while older ones are fetched; more are dropped and fetched */
	fleetLiveBuffer: 64,
	/** milliseconds that who writes waits for live records that came first, before it reads them from the log */
	fleetLiveMs: 100,
	/** milliseconds that one append may take; that a write may take in all; and how often it is tried */
	fleetAppendMs: 2000,
	fleetWriteMs: 5000,
	fleetWriteTries: 100,
	/** milliseconds that the winner of a conflict waits at most before its next append, so that others win too */
	fleetFairnessMs: 20,
	/** milliseconds that `?wait=fleet` and `fleet-revision` may wait, and how many may at a time */
	fleetWaitMs: 60_000,
	fleetRevisionWaitMs: 5000,
	fleetWaiters: 1000,
	/** records in `fleet-lost-….jsonl` that are looked for in what comes from the log */
	fleetLostTracked: 10_000,
	/** names of machines in `fleet-missing` */
	fleetMissingNamed: 20,
	/** operations of one record that `GET /fleet/log` tells */
	fleetOperationsTold: 100,
	/** bytes of what a member says of itself */
	fleetStatusBytes: 1024,
	/** milliseconds between what a member says of itself (± 2 s), and until it does not count as alive */
	fleetHeartbeatMs: 10_000,
	fleetAliveMs: 30_000,
	/** milliseconds between acknowledgements that nobody waits for */
	fleetAckMs: 1000,
	/** milliseconds between looks at the log's last record (± half); every so many looks its leader is asked for its end */
	fleetTailCheckMs: 5000,
	fleetTailChecksOfLeader: 6,
	/** milliseconds between comparisons of one's digest with others' (± half) */
	fleetAuditMs: 60_000,
	/** others that a member looks at for that; what all cost the engine must not grow with the square of their number */
	fleetAuditSample: 8,
	/** milliseconds before a new try to reach the engine: from, to; with full jitter */
	fleetReconnectMs: 200,
	fleetReconnectMsMax: 5000,
	/** milliseconds, at most, before an engine that is connected to and does not answer is asked again */
	fleetAskAgainMsMax: 2000,
	fleetPingMs: 10_000,
	/** milliseconds that connecting to one server may take, and one request to the engine, and one answer in many parts */
	fleetConnectMs: 5000,
	fleetRequestMs: 5000,
	/** milliseconds that a command waits for the first connection */
	fleetSetupMs: 15_000,
	fleetReadMs: 20_000,
	/** records, and bytes of them, in one answer; requests at a time where the engine has one answer for each */
	fleetReadRecords: 500,
	fleetReadBytes: 8_388_608,
	fleetReadsAtATime: 32,
	/** milliseconds that a server that is behind others may take to come to what they have acknowledged */
	fleetBehindMs: 3000,
	/** bytes that the log may have, unless the operator says otherwise to the engine */
	fleetLogBytes: 4_294_967_296,
	/** records, or bytes of records, beyond the newest snapshot that call for another; how many snapshots stay */
	fleetSnapshotRecords: 1000,
	fleetSnapshotBytes: 33_554_432,
	fleetSnapshotsKept: 3,
	/** milliseconds that a member waits at most before it uploads one, in case another does */
	fleetSnapshotPauseMs: 60_000,
	fleetSnapshotChunkBytes: 524_288,
	/** milliseconds until a snapshot that was asked for and is not read is dropped */
	fleetSnapshotWaitMs: 60_000,
	/** records and milliseconds that trimming leaves in the log at least */
	fleetLogRecordsKept: 10_000,
	fleetLogMsKept: 604_800_000,
	/** milliseconds: members seen within decide whether the fleet's level may rise */
	fleetLevelMs: 604_800_000,
	/** milliseconds between looks whether the data path may answer; between notes that this machine was in sync */
	fleetRefusalLookMs: 1000,
	fleetSyncMarkMs: 10_000,
	/** milliseconds that a start waits for the first connection, or for its failure */
	fleetFirstTryMs: 1000,
	/** milliseconds that `weir fleet join` waits for the engine */
	fleetJoinMs: 10_000,
	/** milliseconds that `weir fleet` waits for the supervisor's answer */
	fleetAskMs: 30_000,
	/** records that `weir fleet log` shows at most */
	fleetLogShown: 1000,
} as const;
