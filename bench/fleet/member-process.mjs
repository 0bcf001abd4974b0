/**
 * A process with a part of the simulated members, asked by `../fleet.mjs`: `open` so many, `pause` and `resume` some,
 * `close`. It tells when the last of its members has a revision.
 */
import { clock, openMember, until } from "./members.mjs";

/** @type {{name: string, state: import("./light-state.mjs").LightState, member: import("../../dist/fleet/member.js").Member | undefined}[]} */
const all = [];
/** @type {Map<number, number>} */
const counts = new Map();
let servers = /** @type {readonly string[]} */ ([]);

const say = (/** @type {object} */ what) => process.send?.(what);

const inForce = (/** @type {number} */ revision) => {
	const count = (counts.get(revision) ?? 0) + 1;
	counts.set(revision, count);
	if (count === all.length) say({ all: revision, at: clock() });
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
				all.push({ name, ...openMember(servers, name, inForce) });
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
				each.member ??= openMember(servers, each.name, inForce, each.state).member;
			return until(() => areAll(asked.revision) && areInSync(), "member that is back");
		case "reach":
			return until(() => areAll(asked.revision), "member with the revision");
		default:
			for (const { member } of all) await member?.close();
	}
};

process.on("message", (/** @type {any} */ asked) => {
	const { does } = /** @type {{does: string}} */ (asked);
	run(asked).then(
		() => say({ done: does, at: clock() }),
		(error) => say({ failed: does, why: String(error) }),
	);
});
