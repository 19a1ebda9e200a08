import type { ComponentType } from 'react';
import { lazy } from 'react';
import { seconds } from '#core/time.ts';
import { isReachable } from '../api/connection.ts';

/** A part of the program could not be fetched. */
export class PartNotLoaded extends Error {}

const loaders: (() => Promise<unknown>)[] = [];

/** A part of the program that is loaded where it is drawn, or before that when there is nothing else to do. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  loaders.push(load);
  return lazy(async () => ({ default: await load().catch(notLoaded) }));
}

/** One without which all else goes on: what cannot be fetched is not drawn. */
export function lazyExtra<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  loaders.push(load);
  return lazy(async (): Promise<{ default: ComponentType<Props> }> => ({
    default: await load().catch(() => Nothing),
  }));
}

function Nothing() {
  return null;
}

/** Whoever loses the connection, or keeps the page open over a release, can go everywhere all the same. */
export function loadPartsWhenIdle(): void {
  const loadAll = async (): Promise<void> => {
    // Those that a part brings with it come after it.
    for (const load of loaders) await load().catch(() => undefined);
  };
  const whenIdle = (): void => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => void loadAll(), { timeout: seconds(10) });
    else void loadAll();
  };
  setTimeout(whenIdle, seconds(5));
}

/** Whoever has only just come would go round in circles. */
const STARTED_LATELY_MS = seconds(10);

async function notLoaded(cause: unknown): Promise<never> {
  if ((await isReachable()) && performance.now() > STARTED_LATELY_MS) {
    // A release has taken the parts of the old one away, and the new one has this page.
    window.location.reload();
    return new Promise(() => undefined);
  }
  throw new PartNotLoaded('a part of the program could not be loaded', { cause });
}
