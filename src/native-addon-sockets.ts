/**
 * The parts of the addon about descriptors and sockets, and what the server library's sockets don't tell JS. Each names
 * its typed face. Parts of `NativeAddon` (`native-addon.ts`).
 */

/** Ports of the management API's clients (management/http/peer.ts), which the server library doesn't hand out. */
export interface PeerAddon {
	/** @param file of the library @returns false if this library, or this Node, has no way to it */
	openPeerPorts(file: string): boolean;
	/** To be called in a request's handler. @param response the library's @returns 0 where there is none */
	peerPort(response: object): number;
}

/** Descriptors of this process (descriptors.ts), and files that it holds (store/lmdb/held-files.ts). */
export interface DescriptorsAddon {
	/** the soft limit; 2^31 - 1 if there is none */
	descriptorLimit(): number;
	/** what the next file or socket would get; -1 if none is left */
	lowestFreeDescriptor(): number;
	/** Closed in processes that are started from now on, as all are that Node opens. */
	keepFromChildren(descriptor: number): void;
	/** As `fstat` tells it, without making an object of the rest. @returns a negative errno if it can't be told */
	fileBytes(descriptor: number): number;
	/** Whose the path is now. @returns 0: the open file's; -1: another's; or the number of the system's error */
	fileAt(path: string, descriptor: number): number;
	/**
	 * A look at two files at once: `fileBytes` of the first, if it has `oneBytes` at least and the other exactly
	 * `otherBytes`. @returns -1 otherwise, and where it can't be told
	 */
	filesBytes(one: number, oneBytes: number, other: number, otherBytes: number): number;
	/** As `filesBytes`. @returns -1 also where one of the paths is not the open file's */
	filesAt(
		one: number,
		oneBytes: number,
		other: number,
		otherBytes: number,
		onePath: string,
		otherPath: string,
	): number;
	/** @returns how many bytes were read, fewer than there is room for at the end; a negative errno if none could be */
	readAt(descriptor: number, into: Uint8Array, position: number): number;
	/** connections to plain HTTP backends get no descriptor from this one on */
	limitUpstreamDescriptors(end: number): void;
}

/** Listening sockets that processes share (process/supervisor/listening-group.ts, http/inherited-listener.ts). */
export interface ListeningAddon {
	/** Doesn't listen yet. @param address as numbers @returns a descriptor, or a negative errno */
	bindShared(address: string, port: number): number;
	/** @returns a negative errno if there is none */
	boundPort(socket: number): number;
	/** @returns 0 or an errno */
	listenShared(socket: number, backlog: number): number;
	/**
	 * Which sockets of one address new connections go to. @param socket one of them
	 * @param places in the order in which they began to listen; empty: all @returns 0 or an errno
	 */
	steerConnections(socket: number, places: Uint8Array): number;
	/** @param file of the library */
	canAdoptListeners(file: string): boolean;
	/** The listener accepts from `socket` instead of its own. @returns 0 or an errno; -1: no way to the listener */
	adoptListener(file: string, token: object, socket: number): number;
	/** @returns -1 if there is no way to it */
	listenerDescriptor(file: string, token: object): number;
}

/**
 * Datagrams between processes of one machine, with descriptors that go along (process/service/,
 * process/handover/descriptors.ts), and what a descriptor from elsewhere is.
 */
export interface DatagramsAddon {
	/**
	 * Without waiting. @param address a path, or `@` and a name of the kernel's own @param text not empty
	 * @param descriptors the bytes of 32-bit numbers @returns 0 or an errno
	 */
	sendDatagram(address: string, text: string, descriptors: Uint8Array): number;
	/** @returns a descriptor, or a negative errno */
	openInbox(path: string): number;
	/** @returns those of all datagrams that have come, with spaces between them; or a negative errno */
	receiveDescriptors(inbox: number): string;
	/** @returns of a stream socket of IPv4 or IPv6 `ADDRESS PORT`, with ` listening` where it does; else nothing */
	streamSocketAddress(descriptor: number): string;
}

/** PROXY protocol on listeners of the server library (edge/request/proxy-frames.ts). A listener is a number. */
export interface ProxyFramesAddon {
	/**
	 * To be called before the listener's first connection.
	 * @param token what `listen` handed over @param peer of the last `proxiedPeer` (`proxiedPeerLayout`)
	 * @returns -1 if this library has no way to it
	 */
	hookProxyFrames(file: string, token: object, peer: Uint8Array): number;
	/**
	 * Of the connection whose request's handler runs: writes `peer`.
	 * @returns bytes of its address; 0: the peer itself; -1: no handler runs
	 */
	proxiedPeer(): number;
	/** connections closed because of their frame so far */
	refusedFrames(listener: number): number;
	/** @returns address and reason */
	lastRefusal(listener: number): string;
}
