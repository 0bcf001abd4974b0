/** What is done to the engines and machines in a round. Each undoes what it did before it resolves. */

import { pause } from "./clients.mjs";
import { leaderOf } from "./engines.mjs";

/**
 * @typedef {{engines: import("./engines.mjs").Engine[], links: {from: number, to: number, link: import("./proxy.mjs").Link}[],
 *   machines: import("./machines.mjs").Machine[], random: () => number, longestMs: number}} World
 */

/** @template T @param {World} world @param {readonly T[]} list @returns {T} */
const oneOf = ({ random }, list) => {
	const found = list[Math.floor(random() * list.length)];
	if (found === undefined) throw new Error("nothing to choose from");
	return found;
};

/** @param {World} world @param {number} fromMs @param {number} toMs */
const spell = ({ random, longestMs }, fromMs, toMs) =>
	Math.round(fromMs + random() * (Math.max(fromMs, Math.min(toMs, longestMs)) - fromMs));

/** The leader half of the time: that is where it hurts. @param {World} world */
const victim = async (world) => {
	const leader = await leaderOf(oneOf(world, world.engines)).catch(() => "");
	const leading = world.engines.find(({ name }) => name === leader);
	return leading !== undefined && world.random() < 0.5 ? leading : oneOf(world, world.engines);
};

/** @type {Record<string, (world: World) => Promise<string>>} */
export const NEMESES = {
	async kill(world) {
		const engine = await victim(world);
		const ms = spell(world, 100, 3000);
		await engine.kill();
		await pause(ms);
		await engine.start();
		return `kill -9 of ${engine.name}, ${ms} ms`;
	},
	async pause(world) {
		const engine = await victim(world);
		const ms = spell(world, 1000, 20_000);
		engine.pause();
		await pause(ms);
		engine.resume();
		return `SIGSTOP of ${engine.name}, ${ms} ms`;
	},
	async all(world) {
		const ms = spell(world, 100, 2000);
		await Promise.all(world.engines.map((engine) => engine.kill()));
		await pause(ms);
		await Promise.all(world.engines.map((engine) => engine.start()));
		return `kill -9 of all engines, ${ms} ms`;
	},
	async partition(world) {
		const mode = oneOf(world, /** @type {const} */ (["cut", "there", "back", "slow"]));
		const ms = spell(world, 1000, 8000);
		const index = Math.floor(world.random() * world.engines.length);
		const machine = oneOf(world, world.machines);
		const ways = [{ who: `${machine.name} from all engines`, links: machine.links }];
		if (world.engines.length > 1) {
			const apart = world.links.filter(({ from, to }) => from === index || to === index);
			ways.push({
				who: `engine ${index + 1} from the others`,
				links: apart.map(({ link }) => link),
			});
			const lone = machine.links[index];
			if (lone !== undefined)
				ways.push({ who: `${machine.name} from engine ${index + 1}`, links: [lone] });
		}
		const { who, links } = oneOf(world, ways);
		for (const link of links) link.set(mode);
		await pause(ms);
		for (const link of links) link.set("open");
		return `${mode}: ${who}, ${ms} ms`;
	},
	async backup(world) {
		for (const engine of world.engines) engine.pause();
		for (const engine of world.engines) engine.save();
		for (const engine of world.engines) engine.resume();
		const ms = spell(world, 500, 4000);
		await pause(ms);
		await Promise.all(world.engines.map((engine) => engine.kill()));
		for (const engine of world.engines) engine.restore();
		await Promise.all(world.engines.map((engine) => engine.start()));
		return `engines restored from a copy ${ms} ms old`;
	},
	/** What they have not synced is gone; before that the system has written what it had, as it does now and then. */
	async powercut(world) {
		const isAll = world.random() < 0.5;
		const engines = isAll ? world.engines : [await victim(world)];
		for (const { disk } of engines) disk?.flush();
		const ms = spell(world, 500, 4000);
		await pause(ms);
		await Promise.all(engines.map((engine) => engine.cutPower()));
		await pause(spell(world, 100, 2000));
		await Promise.all(engines.map((engine) => engine.start()));
		return `power cut at ${isAll ? "all engines" : engines[0]?.name}, ${ms} ms after the system's last write`;
	},
	async weir(world) {
		const machine = oneOf(world, world.machines);
		const ms = spell(world, 0, 2000);
		await machine.kill();
		await pause(ms);
		await machine.start();
		return `kill -9 of ${machine.name}, ${ms} ms`;
	},
	/** It can't hear the engine, nor anybody it. */
	async stand(world) {
		const machine = oneOf(world, world.machines);
		const ms = spell(world, 1000, 10_000);
		machine.isAway = true;
		machine.child?.kill("SIGSTOP");
		await pause(ms);
		machine.child?.kill("SIGCONT");
		machine.isAway = false;
		return `SIGSTOP of ${machine.name}'s supervisor, ${ms} ms`;
	},
};
