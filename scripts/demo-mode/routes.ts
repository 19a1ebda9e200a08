import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { nextOneMinutePastMidnight } from '../../src/core/new-york.ts';
import type { OffsetClock } from '../outside/offset-clock.ts';
import type { Simulators } from '../outside/simulators.ts';
import { EXAMPLE, signInExample } from './advertiser.ts';
import type { StoryLine } from './story.ts';
import { storyOf } from './story.ts';

/** Meta's outage of January 8, 2026, in New York; January 9 in UTC. */
const INCIDENT = { seconds: 7080, phrase: 'High disruptions' };
const CAMPAIGNS_OFFERED_EACH = 3;
const EMAILS_SHOWN = 5;

/** Placed into each page's head. */
export const PANEL_SCRIPT = '<script type="module" src="/_demo/panel.js"></script>';

export interface DemoState {
  advertiser: string;
  /** The replay ends then, by the demo's clock; null: none is running. */
  replayEndsAt: number | null;
  now: number;
  story: StoryLine[];
  isMetaFailing: boolean;
  campaigns: { id: string; name: string; status: string; account: string }[];
  emails: { id: string; subject: string; text: string }[];
}

export interface DemoParts {
  publicUrl: string;
  simulators: Simulators;
  clock: OffsetClock;
  /** Fulfilled when the example advertiser is set up. */
  prepared: Promise<unknown>;
}

const replayBody = z.strictObject({ seconds: z.union([z.literal(30), z.literal(120)]) });
const failBody = z.strictObject({ on: z.boolean() });
const changeBody = z.strictObject({ campaignId: z.string(), status: z.enum(['ACTIVE', 'PAUSED']) });

/** What the panel has ordered so far. */
interface Ordered {
  /** How far the demo's clock is ahead. */
  offsetMs: number;
  /** By the demo's clock; null: no replay was started. */
  replay: { startsAt: number; endsAt: number } | null;
}

/** The calls of the demo panel. Only the start script adds them; they drive the simulators, never the product. */
export function demoRoutes(parts: DemoParts): (http: FastifyInstance) => void {
  const { publicUrl, prepared } = parts;
  const { graph } = parts.simulators;
  const ordered: Ordered = { offsetMs: 0, replay: null };
  return (http) => {
    let panel: Promise<string> | null = null;
    http.get('/_demo/panel.js', async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(await (panel ??= compiledPanel())),
    );
    http.get('/_demo/sign-in', async (_request, reply) => {
      await prepared;
      const { setCookie, callback } = await signInExample(publicUrl);
      return reply.header('set-cookie', setCookie).redirect(callback);
    });
    http.get('/_demo/state', () => stateNow(parts, ordered));
    const order = <T>(path: string, body: z.ZodType<T>, act: (given: T) => Promise<unknown>) =>
      http.post(`/_demo/${path}`, async (request, reply) => {
        const given = body.safeParse(request.body ?? {});
        if (!given.success) return reply.status(400).send({ error: z.prettifyError(given.error) });
        await act(given.data);
        return stateNow(parts, ordered);
      });
    order('replay', replayBody, ({ seconds }) => startReplay(parts, ordered, seconds));
    order('fail', failBody, ({ on }) =>
      on ? graph.fault({ kind: 'error', code: 2, times: 0 }) : graph.ask('DELETE', '/faults'),
    );
    order('change', changeBody, ({ campaignId, status }) =>
      graph.post(`/campaigns/${campaignId}`, { status }),
    );
    order('next-day', z.strictObject({}), () => skipToNextDay(parts, ordered));
    order('reset', z.strictObject({}), () => backToNormal(parts, ordered));
  };
}

async function compiledPanel(): Promise<string> {
  const { transformWithOxc } = await import('vite');
  const file = join(import.meta.dirname, 'panel.ts');
  return (await transformWithOxc(await readFile(file, 'utf8'), file)).code;
}

async function stateNow({ simulators, clock }: DemoParts, { replay }: Ordered): Promise<DemoState> {
  const { graph, mailbox } = simulators;
  const now = clock.now();
  const all = [...(await graph.campaigns()).values()];
  const { users, accounts } = await graph.ask<{
    users: { id: string; accounts: string[] }[];
    accounts: { id: string; name: string }[];
  }>('GET', '/state');
  const own = users.find(({ id }) => id === EXAMPLE.id)?.accounts ?? [];
  const offered = accounts
    .filter(({ id }) => own.includes(id))
    .flatMap(({ id, name: account }) =>
      all
        .filter((one) => one.account === id && one.status !== 'ARCHIVED')
        .slice(0, CAMPAIGNS_OFFERED_EACH)
        .map(({ id: campaign, name, status }) => ({ id: campaign, name, status, account })),
    );
  const { faults } = await graph.ask<{ faults: unknown[] }>('GET', '/faults');
  const mails = (await mailbox.messages()).slice(-EMAILS_SHOWN).toReversed();
  return {
    advertiser: EXAMPLE.name,
    replayEndsAt: replay !== null && replay.endsAt > now ? replay.endsAt : null,
    now,
    story:
      replay === null
        ? []
        : storyOf({
            ...replay,
            ...{ phrase: INCIDENT.phrase, now, writes: await graph.writes() },
            names: new Map(all.map(({ id, name }) => [id, name])),
          }),
    isMetaFailing: faults.length > 0,
    campaigns: offered,
    emails: mails.map(({ n, subject, text }) => ({ id: String(n), subject, text: text ?? '' })),
  };
}

async function startReplay({ simulators }: DemoParts, ordered: Ordered, seconds: number): Promise<void> {
  const speed = INCIDENT.seconds / seconds;
  const real = await simulators.status.post<{ startsAt: string; endsAt: string }>('/replay', {
    speed,
    fromSecondsBefore: speed,
  });
  const { offsetMs } = ordered;
  ordered.replay = {
    startsAt: Date.parse(real.startsAt) + offsetMs,
    endsAt: Date.parse(real.endsAt) + offsetMs,
  };
}

/** Sets the clocks of the product and of all simulators ahead. */
async function skipToNextDay({ simulators, clock }: DemoParts, ordered: Ordered): Promise<void> {
  const ms = nextOneMinutePastMidnight(clock.now()) + 1000 - clock.now();
  ordered.offsetMs += ms;
  const { graph, status, stripe } = simulators;
  for (const simulator of [graph, status, stripe])
    await simulator.post('/clock', { offsetMs: ordered.offsetMs });
  clock.advance(ms);
}

async function backToNormal({ simulators }: DemoParts, ordered: Ordered): Promise<void> {
  await simulators.status.ask('DELETE', '/replay');
  await simulators.status.reports('Resolved');
  await simulators.graph.ask('DELETE', '/faults');
  ordered.replay = null;
}
