/** What is wrong with the outcome of an attack, if anything. */

/**
 * @param {{proxy: string, served: number, before: number, after: number}[]} results megabytes
 * @param {number} honest requests that were sent to each @param {number} memoryMegabytes by which weir may grow
 * @returns {string[]} sentences
 */
export const verdicts = (results, honest, memoryMegabytes) => {
	const weir = results.find(({ proxy }) => proxy === "weir");
	if (weir === undefined) return ["weir took no part"];
	const others = results.filter((each) => each !== weir);
	const best = others.length === 0 ? honest : Math.max(...others.map(({ served }) => served));
	/** @type {string[]} */
	const found = [];
	if (weir.served < best)
		found.push(`weir served ${weir.served} of ${honest}, the best of the others ${best}`);
	if (weir.after - weir.before > memoryMegabytes)
		found.push(`weir grew by ${weir.after - weir.before} MB, more than ${memoryMegabytes}`);
	return found;
};
