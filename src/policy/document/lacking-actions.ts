/**
 * Actions that published policies of this kind use and weir does not have, each with what to do about it. Asked by
 * `validate.ts` for its sentence about an unknown type of action, in place of the nearest name, which would be a guess.
 */
const SIGN_IN =
	"let the backend ask who it is, or use basic-auth, or deny what has no credentials in req.headers";
const FILTER =
	"write rules of deny or close-connection for what it would refuse, or run such a filter before or behind weir";
const FORWARD = "routes choose backends: give the host or the path a route of its own";

const REMEDIES: ReadonlyMap<string, string> = new Map([
	["jwt-validation", SIGN_IN],
	["oauth", SIGN_IN],
	["openid-connect", SIGN_IN],
	["oidc", SIGN_IN],
	["saml", SIGN_IN],
	["verify-webhook", "let the backend check signatures; restrict-ips says who may call"],
	["forward-internal", FORWARD],
	["compress-response", "let the backend compress; bodies pass as they are"],
	["circuit-breaker", "addresses of a backend that refuse are set aside without a rule"],
	["owasp-crs-request", FILTER],
	["owasp-crs-response", FILTER],
	["http-request", "rules ask nobody else: let the backend do it"],
	["terminate-tls", "listeners have their certificates in the configuration, under listen"],
]);

/** What to do where the action is missed; undefined of names that no published policy has. */
export const remedyFor = (type: string): string | undefined => REMEDIES.get(type);
