/**
 * What a soak may not show (`scripts/soak.mjs`). Judged are the processes that lived through the second half of the run: its
 * first half is their warm-up. Pure.
 */

/** @typedef {import("./samples.mjs").Sample} Sample */

/**
 * Memory may grow by so much in an hour, by the median of all slopes between two samples (Theil and Sen): a saw-tooth has
 * none, and what V8 gives back late doesn't turn it round. Nothing that leaks for each request would stay below it: at 300
 * requests a second this is 8 bytes of each.
 */
export const MEGABYTES_AN_HOUR = 8;
/** A heap settles for longer than a short run lasts: what is below is no leak yet. */
export const MEGABYTES_FREE = 3;
/** Connections come and go: what leaks raises their least number. */
const DESCRIPTORS_FREE = 4;
/** Of a thread that was begun since, as those for expressions are when they are needed first: its loop, pipes, and its clock. */
const DESCRIPTORS_A_THREAD = 5;
/** fewer say nothing of a slope */
const LEAST_SAMPLES = 12;

/** @param {readonly number[]} numbers */
const median = (numbers) => {
	const sorted = numbers.toSorted((one, other) => one - other);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/** @param {readonly Sample[]} samples @returns {number} kilobytes a second */
export const slope = (samples) =>
	median(
		samples.flatMap((one, index) =>
			samples
				.slice(index + 1)
				.map((other) => (other.anonymous - one.anonymous) / (other.seconds - one.seconds)),
		),
	);

/** @param {readonly Sample[]} samples */
const least = (samples) => Math.min(...samples.map(({ descriptors }) => descriptors));

/**
 * @typedef {{name: string, seconds: number, slope: number, grown: number, first: number, last: number}} Trend megabytes an
 *   hour, megabytes in the judged time, and the least descriptors of its first and its last third
 */

/** Of the processes that lived through the second half. @param {readonly Sample[]} samples @param {number} seconds that the run took @returns {Trend[]} */
export const trends = (samples, seconds) => {
	const half = samples.filter((each) => each.seconds >= seconds / 2);
	const [begin, end] = [half[0]?.seconds ?? 0, half.at(-1)?.seconds ?? 0];
	return [...new Set(half.map(({ name }) => name))].flatMap((name) => {
		const own = half.filter((each) => each.name === name);
		if (own[0]?.seconds !== begin || own.at(-1)?.seconds !== end) return [];
		const third = Math.ceil(own.length / 3);
		const rising = slope(own);
		return [
			{
				...{ name, seconds: end - begin, slope: (rising * 3600) / 1024 },
				grown: (rising * (end - begin)) / 1024,
				...{ first: least(own.slice(0, third)), last: least(own.slice(-third)) },
			},
		];
	});
};

/**
 * @param {readonly Sample[]} samples @param {number} seconds that the run took
 * @returns {string[]} sentences; none: neither memory nor descriptors grow
 */
export const growths = (samples, seconds) => {
	const judged = trends(samples, seconds);
	const enough = samples.filter(
		({ name, seconds: at }) => name === judged[0]?.name && at >= seconds / 2,
	);
	if (judged.length < 2) return ["no worker lived through the second half"];
	if (enough.length < LEAST_SAMPLES) return [`only ${enough.length} samples of the second half`];
	return judged.flatMap(({ name, slope: rising, grown, first, last }) => [
		...(rising > MEGABYTES_AN_HOUR && grown > MEGABYTES_FREE
			? [`${name} grew by ${rising.toFixed(1)} MB an hour, more than ${MEGABYTES_AN_HOUR}`]
			: []),
		...(last > first + DESCRIPTORS_FREE
			? [`${name} had ${first} descriptors at least, and ${last} in the end`]
			: []),
	]);
};

/**
 * Without clients: what is open in the end beside what was open in the beginning.
 * @param {readonly Sample[]} before @param {readonly Sample[]} after @returns {string[]} sentences
 */
export const leftOpen = (before, after) => {
	/** @param {readonly Sample[]} samples @param {boolean} isWorker @param {"descriptors" | "threads"} what */
	const most = (samples, isWorker, what) =>
		Math.max(
			...samples
				.filter(({ name }) => name.startsWith("worker") === isWorker)
				.map((sample) => sample[what]),
		);
	return [true, false].flatMap((isWorker) => {
		const [first, last] = [before, after].map((all) => most(all, isWorker, "descriptors"));
		const [few, many] = [before, after].map((all) => most(all, isWorker, "threads"));
		const threads = Math.max(0, (many ?? 0) - (few ?? 0));
		const free = DESCRIPTORS_FREE + DESCRIPTORS_A_THREAD * threads;
		if ((last ?? 0) <= (first ?? 0) + free) return [];
		const who = isWorker ? "a worker" : "the supervisor";
		return [`without clients ${who} has ${last} descriptors, and had ${first}`];
	});
};
