import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IDLE_MS, idleWatch } from './use-idle.ts';

const page = { body: {}, activeElement: {} as object };
let isHovered = false;
const event = {
  currentTarget: { matches: () => isHovered } as unknown as Element,
  target: new EventTarget(),
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
  isHovered = false;
  page.activeElement = page.body;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function watched() {
  let isIdle = false;
  const watch = idleWatch((is) => (isIdle = is));
  watch.restart();
  return { ...watch.handlers, isIdle: () => isIdle };
}

test('[UX-04] the list is idle 10 s after it was loaded, and no longer when the pointer enters', () => {
  const list = watched();
  vi.advanceTimersByTime(IDLE_MS - 1);
  expect(list.isIdle()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(list.isIdle()).toBe(true);
  isHovered = true;
  list.onPointerEnter(event);
  vi.advanceTimersByTime(5 * IDLE_MS);
  expect(list.isIdle()).toBe(false);
  isHovered = false;
  list.onPointerLeave(event);
  vi.advanceTimersByTime(IDLE_MS - 1);
  expect(list.isIdle()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(list.isIdle()).toBe(true);
});

test('[UX-04] the list is not idle while it has the focus', () => {
  const list = watched();
  page.activeElement = event.target;
  list.onFocus(event);
  vi.advanceTimersByTime(5 * IDLE_MS);
  expect(list.isIdle()).toBe(false);
  page.activeElement = page.body;
  list.onBlur(event);
  vi.advanceTimersByTime(IDLE_MS);
  expect(list.isIdle()).toBe(true);
});

test.each([
  ['nothing', () => page.body],
  ['an element outside', () => new EventTarget()],
])('[UX-04] the list is idle after its focused row was removed, with the focus on %s', (_, next) => {
  const list = watched();
  page.activeElement = event.target;
  list.onFocus(event);
  page.activeElement = next();
  vi.advanceTimersByTime(IDLE_MS);
  expect(list.isIdle()).toBe(true);
});
