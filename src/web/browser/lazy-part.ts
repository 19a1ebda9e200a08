import type { ComponentType, ReactElement } from 'react';
import { createElement, lazy, useState } from 'react';
import { seconds } from '#core/time.ts';
import { isReachable } from '../api/connection.ts';

/** A part of the program could not be fetched. */
export class PartNotLoaded extends Error {}

const loaders: (() => Promise<unknown>)[] = [];

export interface LazyPart<Props extends object> {
  (props: Props): ReactElement;
  /** Begins to fetch the part before it is drawn. */
  preload: () => void;
}

/** A part of the program that is loaded where it is drawn, or before that when there is nothing else to do. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  return partOf(load, notLoaded);
}

/** One without which all else goes on: what cannot be fetched is not drawn. */
export function lazyExtra<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  return partOf<Props>(load, () => Nothing);
}

function partOf<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  onFailure: (cause: unknown) => ComponentType<Props> | Promise<never>,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | null = null;
  const fetchPart = async (): Promise<ComponentType<Props>> => (loaded ??= await load());
  loaders.push(fetchPart);
  const Lazy = lazy(async () => ({ default: await fetchPart().catch(onFailure) }));
  function Part(props: Props) {
    // Drawn at once if it is here: what Suspense has held back, React shows 300 ms later.
    const [shown] = useState<ComponentType<Props>>(() => loaded ?? (Lazy as ComponentType<Props>));
    return createElement(shown, props);
  }
  return Object.assign(Part, { preload: () => void fetchPart().catch(() => undefined) });
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
