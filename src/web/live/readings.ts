import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { keys } from '../queries.ts';

/** Two of our readings of the same are at least that far apart, and three times as far as an answer takes. */
const APART_MS = 1500;
const TIMES_ITS_ANSWER = 3;

interface Reading {
  /** A change has been heard of, and no reading has begun since. */
  isOwed: boolean;
  /** When it is going to begin, and the timer. */
  dueAt: number;
  timer?: ReturnType<typeof setTimeout> | undefined;
  /** The one that is under way, whoever wanted it. */
  beganAt: number | null;
  /** Ours, to make up for a change. */
  isOurs: boolean;
  notBefore: number;
}

export interface Readings {
  /** What has this key has changed. */
  readSoon: (queryKey: QueryKey, afterMs: number) => void;
  /** Anything may have changed: each is read at a moment of its own within that time. */
  readAll: (how: { withinMs?: number | undefined; isFirst?: boolean }) => void;
}

/**
 * Reads again what has changed: soon the first time, then at a pace that the answers can keep. None that is under way
 * is given up; one that began before a change is followed by another.
 * @param isBusy what is better read when it has come to its end, which is asked now and then
 */
export function createReadings(
  client: QueryClient,
  { isBusy }: { isBusy: (queryKey: QueryKey) => boolean },
): Readings {
  const readings = new WeakMap<Query, Reading>();
  const cache = client.getQueryCache();

  const readingOf = (query: Query): Reading => {
    const reading = readings.get(query) ?? {
      isOwed: false,
      dueAt: 0,
      beganAt: null,
      isOurs: false,
      notBefore: 0,
    };
    readings.set(query, reading);
    return reading;
  };

  const owe = (query: Query, afterMs: number): void => {
    const reading = readingOf(query);
    reading.isOwed = true;
    plan(query, reading, afterMs);
  };

  const plan = (query: Query, reading: Reading, afterMs: number): void => {
    // What is under way comes first; its end is heard of below.
    if (query.state.fetchStatus !== 'idle') return;
    const now = performance.now();
    const dueAt = Math.max(now + afterMs, reading.notBefore);
    if (reading.timer !== undefined && reading.dueAt <= dueAt) return;
    clearTimeout(reading.timer);
    reading.dueAt = dueAt;
    reading.timer = setTimeout(() => begin(query, reading), dueAt - now);
  };

  const begin = (query: Query, reading: Reading): void => {
    reading.timer = undefined;
    if (!reading.isOwed || cache.get(query.queryHash) !== query) return;
    if (isBusy(query.queryKey)) {
      plan(query, reading, APART_MS);
      return;
    }
    // What is not shown is read when it is shown again.
    reading.isOurs = query.isActive();
    reading.isOwed = false;
    void client.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false });
  };

  cache.subscribe((event) => {
    if (event.type !== 'updated') return;
    const { action } = event;
    const query = event.query as Query;
    const reading = readingOf(query);
    const now = performance.now();
    if (action.type === 'fetch') {
      reading.isOwed = false;
      clearTimeout(reading.timer);
      reading.timer = undefined;
      reading.beganAt = now;
      return;
    }
    if (query.state.fetchStatus !== 'idle' || reading.beganAt === null) return;
    const { beganAt, isOurs } = reading;
    const isAnswered = action.type === 'success' || action.type === 'error';
    const apartMs = Math.max(isOurs ? APART_MS : 0, TIMES_ITS_ANSWER * (now - beganAt));
    reading.beganAt = null;
    reading.isOurs = false;
    reading.notBefore = beganAt + apartMs;
    reading.isOwed ||= isOurs && !isAnswered;
    if (reading.isOwed) plan(query, reading, 0);
  });

  return {
    readSoon: (queryKey, afterMs) => {
      for (const query of cache.findAll({ queryKey })) owe(query, afterMs);
    },
    readAll: ({ withinMs = 0, isFirst = false }) => {
      for (const query of cache.getAll()) {
        // What asks the payment provider goes on at its own pace.
        if (query.queryKey[0] === keys.activation[0]) continue;
        // A page that has just been opened is asking anyway.
        if (isFirst && query.state.fetchStatus !== 'idle') continue;
        owe(query, Math.random() * withinMs);
      }
    },
  };
}
