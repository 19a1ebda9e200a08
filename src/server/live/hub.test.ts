import { beforeEach, describe, expect, test } from 'vitest';
import type { Sink } from './hub.ts';
import { Hub } from './hub.ts';

interface Page extends Sink {
  heard: string[];
  state: 'open' | 'ended' | 'destroyed';
  writableLength: number;
}

function newPage(): Page {
  const page: Page = {
    heard: [],
    state: 'open',
    writableLength: 0,
    write: (text) => page.heard.push(...[...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data)),
    end: () => (page.state = 'ended'),
    destroy: () => (page.state = 'destroyed'),
  };
  return page;
}

describe('who hears of what', () => {
  let hub: Hub;
  let lastSession: number;

  beforeEach(() => {
    hub = new Hub();
    lastSession = 0;
  });

  function open(personId: string, roles: string[] = []): Page & { sessionId: string } {
    lastSession += 1;
    const page = Object.assign(newPage(), { sessionId: String(lastSession) });
    hub.open({ personId, sessionId: page.sessionId, roles }, page);
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

  test('a page that does not read is dropped, the oldest of more than twenty is ended, and a page that goes is forgotten', () => {
    const slow = open('1');
    slow.writableLength = 100_000;
    hub.tell({ kind: 'status' });
    expect([slow.state, hub.size]).toEqual(['destroyed', 0]);
    const pages = Array.from({ length: 21 }, () => open('2'));
    expect(pages.map(({ state }) => state).filter((state) => state === 'ended')).toHaveLength(1);
    expect(pages[0]?.state).toBe('ended');
    const forget = hub.open({ personId: '5', sessionId: '500', roles: [] }, newPage());
    expect(hub.size).toBe(21);
    forget();
    expect(hub.size).toBe(20);
  });

  test('a thousand pages are told to take their time', () => {
    const pages = Array.from({ length: 1000 }, (_, index) => open(String(index)));
    hub.tell({ kind: 'status' });
    expect(pages[999]?.heard).toEqual(['{"what":"status","withinMs":500}']);
    hub.tell({ kind: 'campaigns', of: [{ personId: '999', adAccountId: 'act_1' }] });
    expect(pages[999]?.heard[1]).toBe('{"what":"campaigns","adAccountId":"act_1"}');
  });
});
