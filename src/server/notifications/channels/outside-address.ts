import ipaddr from 'ipaddr.js';

/** Azure's own services have this address in every machine there, although it is a public one. */
const AZURE_SERVICES = '168.63.129.16';
/** Of RFC 6052, with 96 bits: all that a host without IPv4 gets of a name without IPv6. */
const NAT64 = ipaddr.IPv6.parse('64:ff9b::');
const URL_MAX = 2_000;
/** Names that lead inside whatever they resolve to (RFC 6761, 6762, 8375, and `.internal`). */
const INSIDE_NAME = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i;

/** Why an address is not called, as the user reads it. */
export const REFUSALS = {
  text: 'Enter a whole address that begins with https://.',
  scheme: 'The address must begin with https://.',
  credentials: 'The address must not contain a user name or password.',
  port: 'SmartPause calls only port 443. Remove the port from the address.',
  inside: 'SmartPause doesn’t call addresses inside a network. Enter one that is public on the internet.',
} as const;
export type Refusal = keyof typeof REFUSALS;

export type CheckedAddress = { ok: true; url: URL } | { ok: false; refusal: Refusal };

/**
 * Whether an IP address is public. Spellings of IPv4 inside IPv6 (mapped, compatible, 6to4, Teredo) never are: where they
 * lead is not known here. NAT64's own prefix leads to the IPv4 address at its end.
 */
export function isOutside(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = withoutNat64(ipaddr.parse(address));
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv4) return parsed.toString() !== AZURE_SERVICES;
  // 2000::/3 has all public addresses; the library also takes what is unassigned for public.
  return ((parsed.parts[0] ?? 0) & 0xe000) === 0x2000;
}

function withoutNat64(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  const isNat64 = address instanceof ipaddr.IPv6 && address.match(NAT64, 96);
  return isNat64 ? new ipaddr.IPv4(address.toByteArray().slice(-4)) : address;
}

/** Null: it is a name. */
export function literalOf(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : null;
}

/** 'host:port', with the port of the scheme; IPv6 in brackets, which sockets leave out. */
export function hostAndPort({
  hostname,
  port,
  protocol,
}: Pick<URL, 'hostname' | 'port' | 'protocol'>): string {
  const host = /^[^[].*:/.test(hostname) ? `[${hostname}]` : hostname;
  return `${host}:${port || (protocol === 'http:' ? '80' : '443')}`;
}

/**
 * Checks all of an address but what its name resolves to.
 * @param allowed the operator's exceptions as 'host:port': also http, any port, and inside
 */
export function checkAddress(text: string, allowed: readonly string[]): CheckedAddress {
  const url = text.length > URL_MAX ? null : URL.parse(text);
  const refused = (refusal: Refusal): CheckedAddress => ({ ok: false, refusal });
  if (url === null) return refused('text');
  if (!/^https?:$/.test(url.protocol)) return refused('scheme');
  if (url.username !== '' || url.password !== '') return refused('credentials');
  if (allowed.includes(hostAndPort(url))) return { ok: true, url };
  // First what no other spelling of the address mends.
  const literal = literalOf(url.hostname);
  if (literal === null ? INSIDE_NAME.test(url.hostname) : !isOutside(literal)) return refused('inside');
  if (url.protocol !== 'https:') return refused('scheme');
  return url.port === '' ? { ok: true, url } : refused('port');
}
