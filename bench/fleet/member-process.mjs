/**
 * A process with a part of the simulated members, asked by `../fleet.mjs`: `open` so many, `pause` and `resume` some,
 * `close`. It tells when the last of its members has a revision.
 */
import { clock, openMember, until } from "./members.mjs";

/** @type {{name: string, state: import("../../src/fleet/state.ts").FleetState, member: import("#dist/fleet/member.js").Member | undefined, tell: (revision: number) => void}[]} */
const all = [];
/** @type {Map<number, number>} */
const counts = new Map();
let servers = /** @type {readonly string[]} */ ([]);

const say = (/** @type {object} */ what) => process.send?.(what);

/** Of a member, which may have taken several records at once. @returns {(revision: number) => void} */
const teller = () => {
	let last = 0;
	return (revision) => {
		for (; last < revision; last++) {
			const count = (counts.get(last + 1) ?? 0) + 1;
			counts.set(last + 1, count);
			if (count === all.length) say({ all: last + 1, at: clock() });
		}
	};
};

const areAll = (/** @type {number} */ revision) =>
	all.every(
		({ state, member }) => member !== undefined && (state.position?.applied ?? -1) >= revision,
	);
const areInSync = () =>
	all.every(({ member }) => member === undefined || member.status().state === "in_sync");

/** @param {{does: string, servers: string[], count: number, name: string, revision: number}} asked */
const run = async (asked) => {
	switch (asked.does) {
		case "open": {
			servers = asked.servers;
			for (let index = 0; index < asked.count; index++) {
				const name = `${asked.name}-${index}`;
				const tell = teller();
				all.push({ name, ...openMember(servers, name, tell), tell });
			}
			return until(areInSync, "member in sync");
		}
		case "pause":
			for (const each of all.slice(0, asked.count)) {
				await each.member?.close();
				each.member = undefined;
			}
			return;
		case "resume":
			for (const each of all)
				each.member ??= openMember(servers, each.name, each.tell, each.state).member;
			return until(() => areAll(asked.revision) && areInSync(), "member that is back");
		case "tell": {
			const late = all.filter(({ state }) => (state.position?.applied ?? -1) < asked.revision);
			const status = late[0]?.member?.status();
			process.stderr.write(
				`${late.length} of ${all.length} lack ${asked.revision}: ${JSON.stringify(status)}\n`,
			);
			return;
		}
		case "reach":
			return until(() => areAll(asked.revision), "member with the revision");
		default:
			for (const { member } of all) await member?.close();
	}
};

process.on("disconnect", () => process.exit());
process.on("message", (/** @type {any} */ asked) => {
	const { does } = /** @type {{does: string}} */ (asked);
	run(asked).then(
		() => say({ done: does, at: clock() }),
		(error) => say({ failed: does, why: String(error) }),
	);
});
