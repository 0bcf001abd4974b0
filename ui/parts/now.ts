/** The time, once a second, for `12 s ago`. Used by pages and by the bar of a lost connection. */
import { useEffect, useState } from "preact/hooks";

export function useNow(): number {
	const [now, set] = useState(Date.now);
	useEffect(() => {
		const timer = setInterval(() => set(Date.now()), 1000);
		return () => clearInterval(timer);
	}, []);
	return now;
}
