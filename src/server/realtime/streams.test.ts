import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Stream } from './streams.ts';
import { Streams } from './streams.ts';

interface Page extends Stream {
  received: string[];
  state: 'open' | 'ended' | 'destroyed';
  response: Stream['response'] & { writableLength: number };
}

let streams: Streams;
let lastSession: number;

beforeEach(() => {
  vi.useFakeTimers();
  streams = new Streams();
  lastSession = 0;
});
afterEach(() => void vi.useRealTimers());

function newPage(userId: string, roles: string[] = []): Page {
  lastSession += 1;
  const page = {
    userId,
    sessionId: String(lastSession),
    roles,
    received: [],
    state: 'open',
  } as unknown as Page;
  page.response = {
    writableLength: 0,
    write: (text) => page.received.push(text),
    end: () => (page.state = 'ended'),
    destroy: () => (page.state = 'destroyed'),
  };
  return page;
}

function open(userId: string, roles: string[] = []): Page {
  const page = newPage(userId, roles);
  streams.open(page);
  return page;
}

const topicsOf = ({ received }: Page) =>
  received.map((text) => /^data: \{"topic":"(\w+)"\}\n\n$/.exec(text)?.[1]);

describe('streams', () => {
  test('send the status to every user, activity to admins, and everything else to the user that it is about', () => {
    const [ann, bob, admin] = [open('1'), open('2'), open('3', ['administrators'])];
    streams.send('status', null);
    streams.send('activity', null);
    streams.send('subscription', '1');
    streams.send('campaigns', '2');
    streams.send('campaigns', '9');
    expect(topicsOf(ann)).toEqual(['status', 'subscription']);
    expect(topicsOf(bob)).toEqual(['status', 'campaigns']);
    expect(topicsOf(admin)).toEqual(['status', 'activity']);
  });

  test('end with their session; a new role takes effect at once', () => {
    const [ann, bob] = [open('1'), open('2')];
    expect(streams.sessionIds()).toEqual(['1', '2']);
    const later = open('4');
    streams.keepOnly(new Map([[bob.sessionId, ['developers']]]), [ann.sessionId, bob.sessionId]);
    expect([ann.state, bob.state, later.state]).toEqual(['ended', 'open', 'open']);
    streams.send('activity', null);
    expect([topicsOf(bob), topicsOf(later)]).toEqual([['activity'], []]);
  });

  test('are at most 20 per user; closing one allows another', () => {
    const [first] = Array.from({ length: 20 }, () => streams.open(newPage('2')));
    expect([streams.hasRoomFor('2'), streams.hasRoomFor('3')]).toEqual([false, true]);
    first?.();
    first?.();
    expect(streams.hasRoomFor('2')).toBe(true);
    open('2');
    expect(streams.hasRoomFor('2')).toBe(false);
  });

  test('are at most 8,000 in total', () => {
    const closings = Array.from({ length: 8_000 }, (_, user) => streams.open(newPage(String(user))));
    expect(streams.hasRoomFor('new')).toBe(false);
    closings[0]?.();
    expect(['new', '0', '1'].map((user) => [streams.hasRoomFor(user), streams.has(user)])).toEqual([
      [true, false],
      [true, false],
      [true, true],
    ]);
  });

  test('of other users are not looked at for a message about one user', () => {
    const others = [open('1'), open('2')];
    const page = open('3');
    const looks = others.map((other) => vi.spyOn(other, 'userId', 'get').mockReturnValue('9'));
    expect(streams.hasRoomFor('3')).toBe(true);
    streams.send('campaigns', '3');
    expect(topicsOf(page)).toEqual(['campaigns']);
    expect(looks.map((look) => look.mock.calls)).toEqual([[], []]);
  });

  test('are closed when their client does not read', () => {
    const slow = open('1');
    streams.sendHeartbeat();
    expect(slow.received).toEqual([':\n\n']);
    slow.response.writableLength = 100_000;
    streams.send('status', null);
    expect([slow.state, streams.has('1')]).toEqual(['destroyed', false]);
  });

  test('are destroyed a second after their end, also if opened during the shutdown', () => {
    const early = open('1');
    streams.close();
    const late = open('1');
    expect([early.state, late.state, streams.sessionIds()]).toEqual(['ended', 'ended', []]);
    vi.advanceTimersByTime(999);
    expect(early.state).toBe('ended');
    vi.advanceTimersByTime(1);
    expect([early.state, late.state]).toEqual(['destroyed', 'destroyed']);
  });
});
