import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isIPv6 } from 'node:net';
import { buildConnector } from 'undici';
import { seconds } from '#core/time.ts';
import { CONNECT, createHttp } from '#server/platforms/http.ts';
import { REFUSALS, checkAddress, hostAndPort, isOutside, literalOf } from './outside-address.ts';

/** Of one attempt in all: name, connection, request and answer. Standard Webhooks asks for 15 to 30 s. */
export const OUTSIDE_TIMEOUT_MS = seconds(15);
const REPLY_MAX_BYTES = 64 * 1024;
const INSIDE = 'ERR_INSIDE_ADDRESS';

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<string[]>;

export interface OutsideRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface OutsideResponse {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** Its first 64 kB. */
  body: string;
}

export type OutsideResult =
  | ({ ok: true } & OutsideResponse)
  | {
      ok: false;
      /** For the log: without any part of the address. */
      error: string;
      /** For the user. */
      copy: string;
      /** The address itself is refused: the next attempt would fail, too. */
      isRefused: boolean;
    };

/** Posts to addresses that users have entered, and to nothing inside a network. */
export interface OutsideHttp {
  /** Follows no redirect: a status of 3xx is an answer like others. */
  post(request: OutsideRequest): Promise<OutsideResult>;
  close(): Promise<void>;
}

/**
 * Every attempt checks the address, resolves the name once, refuses it if any of its addresses is not public, connects to
 * these addresses only, and looks at the address of the connected socket before it sends a byte of the request.
 * @param options.allowed the operator's exceptions, as 'host:port'
 */
export function createOutsideHttp(options: { allowed: readonly string[]; resolve?: Resolve }): OutsideHttp {
  const { allowed, resolve = resolverOf() } = options;
  const limits = { maxBodyBytes: REPLY_MAX_BYTES, cutsBody: true };
  const http = createHttp({ ...limits, connect: guardedConnector(allowed, resolve) });
  return {
    async post({ url: text, headers, body }) {
      const checked = checkAddress(text, allowed);
      if (!checked.ok)
        return {
          ok: false,
          error: `refused: ${checked.refusal}`,
          copy: REFUSALS[checked.refusal],
          isRefused: true,
        };
      const { url } = checked;
      const result = await http.send({ method: 'POST', url, headers, body, timeoutMs: OUTSIDE_TIMEOUT_MS });
      if (result.ok) return result;
      // A name server's answer may be another one later: nothing was sent, and the next attempt asks it again.
      const { code = '', isTimeout = false, message } = result;
      if (code === INSIDE)
        return { ok: false, error: 'refused: inside', copy: REFUSALS.inside, isRefused: false };
      return { ok: false, error: message, copy: isTimeout ? LATE : copyOf(code), isRefused: false };
    },
    close: () => http.close(),
  };
}

const LATE = `It didn’t answer within ${OUTSIDE_TIMEOUT_MS / 1000} seconds.`;
const FAILURES: readonly (readonly [code: RegExp, copy: string])[] = [
  [
    /^(ENOTFOUND|ENODATA|ESERVFAIL|EBADNAME|ETIMEOUT|EAI_\w+|EREFUSED|EFORMERR|ENONAME)$/,
    'There is no server of this name.',
  ],
  [
    /CERT|SIGNATURE|SELF_SIGNED|ISSUER|TLS|SSL|EPROTO/,
    'Its certificate isn’t valid, so the connection isn’t safe.',
  ],
  [/CONNECT_TIMEOUT|ETIMEDOUT/, 'It can’t be reached.'],
];

function copyOf(code: string): string {
  return FAILURES.find(([pattern]) => pattern.test(code))?.[1] ?? 'The connection failed.';
}

/** Asks the name servers themselves: no file of hosts, no search domain, and no thread that a slow server occupies. */
function resolverOf(): Resolve {
  const resolver = new Resolver({ timeout: seconds(2), tries: 2 });
  return async (name) => {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const failed = found.find((one) => one.status === 'rejected');
    if (addresses.length === 0 && failed !== undefined) throw failed.reason;
    return addresses;
  };
}

class InsideError extends Error {
  readonly code = INSIDE;
}

/** Looks at what is connected to: before the connection, since literals are not looked up, and after it. */
export function guardedConnector(allowed: readonly string[], resolve: Resolve): buildConnector.connector {
  // HTTP/2 would share a connection between names.
  const guarded = buildConnector({ ...CONNECT, allowH2: false, lookup: lookupOutside(resolve) });
  const free = buildConnector({ ...CONNECT, allowH2: false });
  return (target, callback) => {
    const literal = literalOf(target.hostname);
    if (allowed.includes(hostAndPort(target))) free(target, callback);
    else if (literal !== null && !isOutside(literal)) callback(new InsideError(), null);
    else
      guarded(target, (...[error, socket]) => {
        if (error !== null) callback(error, null);
        else if (isOutside(socket.remoteAddress ?? '')) callback(null, socket);
        else {
          socket.destroy();
          callback(new InsideError(), null);
        }
      });
  };
}

/** Node connects to these addresses and asks no more. */
function lookupOutside(resolve: Resolve): LookupFunction {
  return (name, { all }, callback) => {
    const found = (addresses: readonly string[]): void => {
      const [first = ''] = addresses;
      if (!addresses.every(isOutside) || first === '') callback(new InsideError(), '');
      else if (all === true)
        callback(
          null,
          addresses.map((address) => ({ address, family: familyOf(address) })),
        );
      else callback(null, first, familyOf(first));
    };
    resolve(name).then(found, (error: unknown) => callback(error as NodeJS.ErrnoException, ''));
  };
}

function familyOf(address: string): 4 | 6 {
  return isIPv6(address) ? 6 : 4;
}
