import type { ComponentType, ReactElement, ReactNode } from 'react';
import { createElement, lazy, Suspense, useState } from 'react';
import { seconds } from '#core/time.ts';
import { isReachable } from '../api/connection.ts';

/** A code chunk could not be loaded. */
export class PartNotLoaded extends Error {}

const loaders: (() => Promise<unknown>)[] = [];

export interface LazyPart<Props extends object> {
  (props: Props): ReactElement;
  /** Starts the load before the component renders. */
  preload: () => void;
}

/** A component in its own chunk, loaded when it renders or earlier when the browser is idle. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  return partOf(load, notLoaded);
}

/** An optional component: never hides what is around it, and renders nothing if its chunk cannot be loaded. */
export function lazyExtra<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): LazyPart<Props> {
  const Part = partOf<Props>(load, () => Nothing);
  const Extra = (props: Props) => createElement(Suspense, { fallback }, createElement(Part, props));
  return Object.assign(Extra, { preload: Part.preload });
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
    // Renders at once if it is loaded: React shows suspended content up to 300 ms later.
    const [shown] = useState<ComponentType<Props>>(() => loaded ?? (Lazy as ComponentType<Props>));
    return createElement(shown, props);
  }
  return Object.assign(Part, { preload: () => void fetchPart().catch(() => undefined) });
}

function Nothing() {
  return null;
}

/** Preloads all chunks, so that every page works after a lost connection or a release. */
export function loadPartsWhenIdle(): void {
  const loadAll = async (): Promise<void> => {
    // A loaded chunk may append its own loaders, which this loop reaches, too.
    for (const load of loaders) await load().catch(() => undefined);
  };
  const whenIdle = (): void => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => void loadAll(), { timeout: seconds(10) });
    else void loadAll();
  };
  setTimeout(whenIdle, seconds(5));
}

/** A page that has just loaded must not reload again in a loop. */
const STARTED_LATELY_MS = seconds(10);

async function notLoaded(cause: unknown): Promise<never> {
  if ((await isReachable()) && performance.now() > STARTED_LATELY_MS) {
    // A release has deleted the chunks of the old version; a reload gets the new one.
    window.location.reload();
    return new Promise(() => undefined);
  }
  throw new PartNotLoaded('a part of the program could not be loaded', { cause });
}
