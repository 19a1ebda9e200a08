import { isIP } from 'node:net';
import { z } from 'zod';

const http = z.url({ protocol: /^https?$/ });

/** Without a slash at the end. */
export const url = http.transform((value) => value.replace(/\/+$/, ''));

/** Other addresses are made by putting a path behind it, so it has nothing there itself. */
export const origin = http
  // What is no address at all has been refused before.
  .refine((value) => !URL.canParse(value) || isOriginOnly(new URL(value)), {
    message: "such as 'https://smartpause.example', and no more",
  })
  .transform((value) => new URL(value).origin);

function isOriginOnly({ username, password, pathname, search, hash }: URL): boolean {
  return username + password + search + hash === '' && pathname === '/';
}

/** Whoever is on the way there could read along, and answer in its place. */
export function isOpenToOthers(address: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === 'http:' && !isThisMachine(address);
}

export function isThisMachine(address: string): boolean {
  if (!URL.canParse(address)) return false;
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname);
}

/** '2', or '10.0.0.1, 192.168.0.0/16' */
export const proxies = z.union(
  [
    z.coerce.number().int().min(0).max(9),
    z
      .string()
      .transform((text) => text.split(',').map((address) => address.trim()))
      .refine((list) => list.every(isProxy)),
  ],
  { error: "a number of proxies, or addresses such as '10.0.0.1, 192.168.0.0/16'" },
);

/** Not '/0': everybody would be a proxy, and whatever they say of themselves would be believed. */
function isProxy(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}
