import { afterEach, expect, test, vi } from 'vitest';
import { lasting } from './storage.ts';

afterEach(() => void vi.unstubAllGlobals());

test('keeps what it stores', () => {
  const stored = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  vi.stubGlobal('window', { localStorage });
  lasting.write('theme', 'dark');
  expect(lasting.read('theme')).toBe('dark');
  lasting.drop('theme');
  expect(lasting.read('theme')).toBeNull();
});

test('a browser that refuses storage stores nothing, without an error', () => {
  const window = {
    get localStorage(): never {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    },
  };
  vi.stubGlobal('window', window);
  lasting.write('theme', 'dark');
  lasting.drop('theme');
  expect(lasting.read('theme')).toBeNull();
});
