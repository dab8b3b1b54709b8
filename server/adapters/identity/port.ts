/** Who somebody proved to be: an address of the identity service, member or not. */
export type Proof = {
  uid: string;
  email: string;
  name: string;
  /** Whether the service knows the address to be theirs. */
  emailVerified: boolean;
};

/** The same as a request proves it: in a session that can be ended. */
export type ProofInSession = Proof & { sessionId: string };

/** How an OpenID provider knows us, and where it says what it offers. */
export type OpenIdClient = { clientId: string; clientSecret: string; discoveryUrl: string };

/** Somebody's password, as they wrote it again, and the network address they wrote from. */
export type PasswordCheck = { email: string; password: string; address: string };

/** The identity service. */
export type Identity = {
  /** Whether it lets people in with their Google account. */
  google: boolean;
  /** Who the headers of a request prove, if anybody. */
  prove(headers: Headers): Promise<ProofInSession | undefined>;
  /** Whether a session goes on: not signed out of, not ended by a new password, not run out. */
  isLive(sessionId: string): Promise<boolean>;
  /** Whether whoever signed in to a session has shown a second factor for it: a code or a passkey. */
  hasShownSecondFactor(sessionId: string): Promise<boolean>;
  /** Answers the service's own routes below `/api/auth`, where it is embedded. */
  answer?: (request: Request) => Promise<Response>;
  /** Whether this is somebody's password, where it is embedded. Refuses `UNAVAILABLE` where too many ask. */
  isPassword?: (check: PasswordCheck) => Promise<boolean>;
  /** Signs somebody up without a browser, where it is embedded; answers who they are, also if they were there. */
  enrol?: (person: { name: string; email: string; password: string }) => Promise<Proof>;
};

/** The header our server writes a client's real address into for the service; what a client sends in it is dropped. */
export const clientAddressHeader = "x-secondlap-client";
