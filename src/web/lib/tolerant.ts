import { DEFAULT_DELAY, DEFAULT_RESUME, DEFAULT_THRESHOLD, DELAY_MAX, DELAY_UNITS } from '#core/settings.ts';
import { COMMANDS, LEVELS } from '#core/smartpause/level.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Kept } from './kept-replies.ts';

type Fields = Record<string, unknown>;

/** What a server that follows only the specification may send in a field of this name. */
const FIELDS = {
  id: (sent) => (typeof sent === 'number' ? String(sent) : sent),
  smartPauseSetting: (sent) => (typeof sent === 'string' ? sent.toUpperCase() : sent),
  resumeSettings: readResumeSettings,
  outageThreshold: (sent) => sent ?? DEFAULT_THRESHOLD,
  trueMetaStatus: readLevel,
  effectiveStatus: readLevel,
  adminDirective: readDirective,
  adAccounts: (sent) => (Array.isArray(sent) ? sent.map(readAdAccount) : sent),
} satisfies Record<string, (sent: unknown) => unknown>;

/**
 * Parses a response by the contract, which is that of our own server.
 * The specification defines no response to actions: each one means success, except `success: false`.
 */
export function parseTolerantly({ method, path, reply }: Endpoint, text: string) {
  const sent = readFields(readJson(text));
  if (method === 'GET' || !('success' in reply.shape)) {
    const isBareUser = path === '/api/me' && !('user' in fieldsOf(sent));
    return reply.safeParse(isBareUser ? { user: sent } : sent);
  }
  const success = fieldsOf(sent)['success'] !== false;
  const parsed = reply.safeParse({ ...fieldsOf(sent), success });
  return parsed.success ? parsed : reply.safeParse({ success });
}

/** So many entries are parsed within a frame, also on a slow machine. */
const PART = 500;

/**
 * The same for a reply with one long list: between its parts the page responds. An entry with the same text as one of
 * the last reply is the same object, so that it is neither parsed nor drawn again; so is the list.
 */
export async function parseInParts({ reply }: Endpoint, text: string, kept: Kept | undefined) {
  const sent = fieldsOf(readJson(text));
  const [name, list] = Object.entries(sent).find((field): field is [string, unknown[]] =>
    Array.isArray(field[1]),
  ) ?? ['', []];
  const parse = (some: unknown[]) =>
    reply.safeParse(readFields({ ...sent, ...(name !== '' && { [name]: some }) }));
  const entries = new Map<string, unknown>();
  const parsed = parse([]);
  for (let from = 0; parsed.success && from < list.length; from += PART) {
    await pause();
    const part = list.slice(from, from + PART).map((one) => [JSON.stringify(one), one] as const);
    const added = part.filter(([key]) => kept?.entries.has(key) !== true);
    const next = parse(added.map(([, one]) => one));
    if (!next.success) return { parsed: next, entries };
    added.forEach(([key], at) => entries.set(key, (next.data[name] as unknown[])[at]));
    for (const [key] of part) {
      if (!entries.has(key)) entries.set(key, kept?.entries.get(key));
      (parsed.data[name] as unknown[]).push(entries.get(key));
    }
  }
  const before = fieldsOf(kept?.reply)[name];
  const isSame = (now: unknown[]) =>
    Array.isArray(before) && before.length === now.length && now.every((one, at) => one === before[at]);
  if (parsed.success && isSame(parsed.data[name] as unknown[])) parsed.data[name] = before;
  return { parsed, entries };
}

/** A timer would wait for a second in a tab behind others. */
export function pause(): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  port2.postMessage(null);
  return new Promise((resolve) => (port1.onmessage = resolve)).finally(() => port1.close());
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** In place, the inner objects first: with 5,000 campaigns a reviver would block the page. */
function readFields(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null) return sent;
  const fields = sent as Fields;
  for (const name in fields) {
    const value = fields[name];
    if (typeof value === 'object') readFields(value);
    if (Object.hasOwn(FIELDS, name)) fields[name] = FIELDS[name as keyof typeof FIELDS](value);
  }
  return sent;
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** A delay without a valid value becomes the default (SET-04), but not one in a unit of a newer server. */
function readResumeSettings(sent: unknown): unknown {
  if (sent === null) return DEFAULT_RESUME;
  const { mode, delay } = fieldsOf(sent);
  if (mode === 'next-day') return { ...fieldsOf(sent), mode: 'next_day' };
  const { value, unit } = fieldsOf(delay);
  const known = DELAY_UNITS.find((one) => one === unit);
  const isNewer = known === undefined && typeof unit === 'string';
  const isValid =
    known !== undefined && Number.isInteger(value) && Number(value) >= 1 && Number(value) <= DELAY_MAX[known];
  return mode === 'delay' && !isValid && !isNewer ? { mode, delay: DEFAULT_DELAY } : sent;
}

/** The specification gives each level and command a name and a number. */
function readLevel(sent: unknown): unknown {
  return typeof sent === 'number' ? LEVELS[sent] : sent;
}

function readDirective(sent: unknown): unknown {
  const named = Object.entries(COMMANDS).find(([, number]) => number === sent)?.[0] ?? sent;
  if (typeof named !== 'string') return named;
  const command = named.toUpperCase().replaceAll(/[ -]/g, '_');
  return command === 'CLEAR' ? null : command;
}

/** An account without a name shows its id. */
function readAdAccount(sent: unknown): unknown {
  const { id, name } = fieldsOf(sent);
  return (name ?? '') === '' ? { ...fieldsOf(sent), name: id } : sent;
}
