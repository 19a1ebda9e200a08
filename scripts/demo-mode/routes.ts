import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { nextOneMinutePastMidnight } from '../../src/core/new-york.ts';
import type { OffsetClock } from './offset-clock.ts';
import type { Simulators } from '../simulator-clients/simulators.ts';
import { confirmLogin, signIn } from '../simulator-clients/user.ts';
import { waitFor } from '../programs/wait-for.ts';
import { EXAMPLE_ID } from './advertiser.ts';
import type { StoryLine } from './story.ts';
import { storyOf } from './story.ts';

const EMAILS_SHOWN = 5;

/** Placed into each page's head. */
export const PANEL_SCRIPT = '<script type="module" src="/_demo/panel.js"></script>';

const replayBody = z.strictObject({ seconds: z.union([z.literal(30), z.literal(60)]) });

export interface DemoState {
  isReplaying: boolean;
  story: StoryLine[];
  emails: { id: string; to: string; subject: string; text: string }[];
  /** SmartPause has paused campaigns in the replay and not written yet. */
  isEmailDue: boolean;
}

interface DemoParts {
  publicUrl: string;
  simulators: Simulators;
  clock: OffsetClock;
  /** Fulfilled when the example advertiser is set up. */
  prepared: Promise<unknown>;
}

/** The calls of the demo panel. Only the start script adds them. */
export function demoRoutes({ publicUrl, simulators, clock, prepared }: DemoParts) {
  const { graph, mailbox, status, stripe, channels } = simulators;
  /** How far the demo's clock is ahead. */
  let offsetMs = 0;
  let replay: { startsAt: number; endsAt: number } | null = null;

  async function readState(): Promise<DemoState> {
    const now = clock.now();
    const emails = (await mailbox.messages()).slice(-EMAILS_SHOWN).toReversed();
    const outage = replay && { ...replay, writes: await graph.writes(), names: await graph.names() };
    const story = outage === null ? [] : storyOf({ ...outage, now });
    // An email is dated in whole seconds.
    const startsAt = (outage?.startsAt ?? 0) - 1000;
    return {
      isReplaying: outage !== null && outage.endsAt > now,
      story,
      isEmailDue:
        story.some(({ text }) => text.startsWith('SmartPause')) && !emails.some(({ at }) => at >= startsAt),
      emails: emails.map(({ n, to, subject, text }) => {
        return { id: String(n), to: to.join(', '), subject, text: text ?? '' };
      }),
    };
  }

  async function startReplay(seconds: number): Promise<void> {
    const times = await status.post<{ startsAt: string; endsAt: string }>('/replay', { seconds });
    replay = { startsAt: Date.parse(times.startsAt), endsAt: Date.parse(times.endsAt) };
  }

  /** Sets the clocks of the product and of all simulators ahead. */
  async function skipToNextDay(): Promise<void> {
    const now = clock.now();
    const ms = nextOneMinutePastMidnight(now) + 1000 - now;
    offsetMs += ms;
    for (const one of [graph, status, stripe, channels]) await one.post('/clock', { offsetMs });
    clock.advance(ms);
    await readsStatusAfter(publicUrl, now + ms);
  }

  return (http: FastifyInstance): void => {
    http.get('/_demo/panel.js', async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(await compilePanel()),
    );
    http.get('/_demo/sign-in', async (_request, reply) => {
      await prepared;
      const login = { userId: EXAMPLE_ID, returnTo: '/' };
      const { setCookie, callback } = await confirmLogin(publicUrl, login);
      return reply.header('set-cookie', setCookie).redirect(callback);
    });
    http.get('/_demo/state', readState);
    http.post('/_demo/replay', async ({ body }, reply) => {
      const given = replayBody.safeParse(body);
      if (!given.success) return reply.status(400).send({ error: z.prettifyError(given.error) });
      await startReplay(given.data.seconds);
      return readState();
    });
    http.post('/_demo/next-day', () => skipToNextDay().then(readState));
  };
}

/** A page that reads before this shows the status of yesterday. */
async function readsStatusAfter(publicUrl: string, at: number): Promise<void> {
  const user = await signIn(publicUrl, EXAMPLE_ID);
  await waitFor('a status of the next day', async () => {
    const { checkedAt } = await user.get<{ checkedAt: string | null }>('/api/status');
    return Date.parse(checkedAt ?? '') > at;
  });
}

async function compilePanel(): Promise<string> {
  const { transformWithOxc } = await import('vite');
  const file = join(import.meta.dirname, 'panel.ts');
  return (await transformWithOxc(await readFile(file, 'utf8'), file)).code;
}
