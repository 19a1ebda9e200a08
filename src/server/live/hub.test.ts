import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Sink } from './hub.ts';
import { Hub } from './hub.ts';

interface Page extends Sink {
  heard: string[];
  retries: number[];
  state: 'open' | 'ended' | 'destroyed';
  writableLength: number;
}

function newPage(): Page {
  const page: Page = {
    heard: [],
    retries: [],
    state: 'open',
    writableLength: 0,
    write: (text) => {
      page.heard.push(...[...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data));
      page.retries.push(...[...text.matchAll(/^retry: (.*)$/gm)].map(([, ms = '']) => Number(ms)));
    },
    end: () => (page.state = 'ended'),
    destroy: () => (page.state = 'destroyed'),
  };
  return page;
}

describe('who hears of what', () => {
  let hub: Hub;
  let lastSession: number;

  beforeEach(() => {
    vi.useFakeTimers();
    hub = new Hub();
    lastSession = 0;
  });
  afterEach(() => void vi.useRealTimers());

  function open(personId: string, roles: string[] = []): Page & { sessionId: string; first: string[] } {
    lastSession += 1;
    const page = Object.assign(newPage(), { sessionId: String(lastSession), first: [''] });
    hub.open({ personId, sessionId: page.sessionId, roles }, page);
    page.first = page.heard.splice(0);
    return page;
  }

  test('the status is everybody’s, acts are told to administrators, all else to whom it is about', () => {
    const [ann, bob, admin] = [open('1'), open('2'), open('3', ['administrators'])];
    hub.tell({ kind: 'status' });
    hub.tell({ kind: 'activity' });
    hub.tell({ kind: 'subscription', personIds: ['1', '9'] });
    hub.tell({ kind: 'campaigns', of: [{ personId: '2', adAccountId: 'act_7' }] });
    expect(ann.heard).toEqual(['{"what":"status"}', '{"what":"subscription"}']);
    expect(bob.heard).toEqual(['{"what":"status"}', '{"what":"campaigns","adAccountId":"act_7"}']);
    expect(admin.heard).toEqual(['{"what":"status"}', '{"what":"activity"}']);
  });

  test('so many streams are there in all, whosesoever they are', () => {
    for (let person = 1; person <= 8_000; person += 1) open(String(person));
    expect(hub.hasRoomFor('somebody new')).toBe(false);
    hub.tell({ kind: 'ended', sessionIds: ['1'] });
    expect(hub.hasRoomFor('somebody new')).toBe(true);
  });

  test('a session that is over ends its streams; a new role counts from then on', () => {
    const [ann, bob] = [open('1'), open('2')];
    hub.tell({ kind: 'ended', sessionIds: [ann.sessionId] });
    expect([ann.state, bob.state, hub.size]).toEqual(['ended', 'open', 1]);
    hub.keepOnly(new Map([[bob.sessionId, ['developers']]]), [bob.sessionId]);
    hub.tell({ kind: 'activity' });
    expect(bob.heard).toEqual(['{"what":"activity"}']);
    const later = open('4');
    hub.keepOnly(new Map(), [bob.sessionId]);
    expect([bob.state, later.state]).toEqual(['ended', 'open']);
  });

  test('a page that does not read is dropped, and one that goes is forgotten', () => {
    const slow = open('1');
    slow.writableLength = 100_000;
    hub.tell({ kind: 'status' });
    expect([slow.state, hub.size]).toEqual(['destroyed', 0]);
    const forget = hub.open({ personId: '5', sessionId: '500', roles: [] }, newPage());
    expect(hub.size).toBe(1);
    forget();
    expect(hub.size).toBe(0);
  });

  test('there is room for twenty of a person, and nobody is ended for the next', () => {
    const pages = Array.from({ length: 20 }, () => open('2'));
    expect([hub.hasRoomFor('2'), hub.hasRoomFor('3')]).toEqual([false, true]);
    expect(pages.every(({ state }) => state === 'open')).toBe(true);
    hub.tell({ kind: 'ended', sessionIds: [pages[7]?.sessionId ?? ''] });
    expect(hub.hasRoomFor('2')).toBe(true);
  });

  test('an ended stream that is not read is destroyed a second later', () => {
    const page = open('1');
    hub.tell({ kind: 'ended', sessionIds: [page.sessionId] });
    vi.advanceTimersByTime(900);
    expect(page.state).toBe('ended');
    vi.advanceTimersByTime(100);
    expect(page.state).toBe('destroyed');
  });

  test('who comes while it closes is ended at once', () => {
    const early = open('1');
    hub.close();
    const late = open('1');
    expect([early.state, late.state, late.first, hub.size]).toEqual(['ended', 'ended', [], 0]);
    vi.advanceTimersByTime(1000);
    expect([early.state, late.state]).toEqual(['destroyed', 'destroyed']);
  });

  test('a thousand pages are told to take their time', () => {
    const pages = Array.from({ length: 1000 }, (_, index) => open(String(index)));
    hub.tell({ kind: 'status' });
    expect(pages[999]?.heard).toEqual(['{"what":"status","withinMs":500}']);
    hub.tell({ kind: 'campaigns', of: [{ personId: '999', adAccountId: 'act_1' }] });
    expect(pages[999]?.heard[1]).toBe('{"what":"campaigns","adAccountId":"act_1"}');
  });

  test('who comes reads everything, the later of many the more slowly, and so do they come back', () => {
    const pages = Array.from({ length: 1000 }, (_, index) => open(String(index)));
    expect(pages[0]?.first).toEqual(['{"what":"everything"}']);
    expect(pages[999]?.first).toEqual(['{"what":"everything","withinMs":2000}']);
    hub.close();
    expect([pages[0]?.retries, pages[999]?.retries]).toEqual([
      [1000, 2000],
      [2000, 2000],
    ]);
  });
});
