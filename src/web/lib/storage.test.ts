import { afterEach, expect, test, vi } from 'vitest';
import { lasting } from './storage.ts';

/** A fake storage that fails as the test demands. */
function storageThat(refuses: { reading?: boolean; writing?: boolean }): Map<string, string> {
  const there = new Map<string, string>();
  const refuse = (does = false): void => {
    if (does) throw new DOMException('refused', 'QuotaExceededError');
  };
  const storage = {
    getItem: (key: string) => (refuse(refuses.reading), there.get(key) ?? null),
    setItem: (key: string, value: string) => (refuse(refuses.writing), there.set(key, value)),
    removeItem: (key: string) => (refuse(refuses.writing), there.delete(key)),
  };
  vi.stubGlobal('window', { localStorage: storage });
  return there;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test("reads values from the browser's storage", () => {
  const there = storageThat({});
  lasting.write('scheme', 'dark');
  expect([lasting.read('scheme'), there.get('scheme')]).toEqual(['dark', 'dark']);
  there.set('scheme', 'light');
  expect(lasting.read('scheme')).toBe('light');
  lasting.drop('scheme');
  expect([lasting.read('scheme'), there.size]).toEqual([null, 0]);
});

test('a browser that stores nothing keeps values while the page is open', () => {
  storageThat({ reading: true, writing: true });
  lasting.write('from', 'mail');
  expect(lasting.read('from')).toBe('mail');
  lasting.drop('from');
  expect(lasting.read('from')).toBeNull();
});

test('a refused write or removal overrides the stored value until a write succeeds', () => {
  const refuses = { writing: true };
  const there = storageThat(refuses);
  there.set('view', 'old');
  lasting.write('view', 'new');
  expect(lasting.read('view')).toBe('new');
  lasting.drop('view');
  expect(lasting.read('view')).toBeNull();
  refuses.writing = false;
  lasting.write('view', 'newest');
  expect([lasting.read('view'), there.get('view')]).toEqual(['newest', 'newest']);
});
