import type { ComponentType } from 'react';
import { lazy } from 'react';
import { seconds } from '#core/time.ts';
import { isReachable } from './connection.ts';

/** A page's own part of the program could not be fetched. */
export class PageNotLoaded extends Error {}

const loaders: (() => Promise<unknown>)[] = [];

/** A page that is loaded when somebody goes there, or before that when there is nothing else to do. */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  loaders.push(load);
  return lazy(async () => ({ default: await load().catch(notLoaded) }));
}

/** Makes whoever loses the connection, or keeps the page open over a release, able to go to every page all the same. */
export function loadPagesWhenIdle(): void {
  const loadAll = () => void Promise.allSettled(loaders.map((load) => load()));
  const whenIdle = () =>
    'requestIdleCallback' in window ? requestIdleCallback(loadAll, { timeout: seconds(10) }) : loadAll();
  setTimeout(whenIdle, seconds(3));
}

/** Whoever has only just come would go round in circles. */
const STARTED_LATELY_MS = seconds(10);

async function notLoaded(cause: unknown): Promise<never> {
  if ((await isReachable()) && performance.now() > STARTED_LATELY_MS) {
    // A release has taken the parts of the old one away, and the new one has this page.
    window.location.reload();
    return new Promise(() => undefined);
  }
  throw new PageNotLoaded('a page could not be loaded', { cause });
}
