import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { nextOneMinutePastMidnight } from '../../src/core/new-york.ts';
import type { OffsetClock } from '../outside/offset-clock.ts';
import type { Simulators } from '../outside/simulators.ts';
import { confirmLogin } from '../outside/user.ts';
import { EXAMPLE_ID } from './advertiser.ts';
import type { StoryLine } from './story.ts';
import { storyOf } from './story.ts';

/** Meta's outage of January 8, 2026, in New York; January 9 in UTC. */
const INCIDENT_SECONDS = 7080;
const CAMPAIGNS_OFFERED_EACH = 3;
const EMAILS_SHOWN = 5;

/** Placed into each page's head. */
export const PANEL_SCRIPT = '<script type="module" src="/_demo/panel.js"></script>';

const replayBody = z.strictObject({ seconds: z.union([z.literal(30), z.literal(120)]) });
const failBody = z.strictObject({ on: z.boolean() });
const changeBody = z.strictObject({ campaignId: z.string(), status: z.enum(['ACTIVE', 'PAUSED']) });

export interface DemoState {
  isReplaying: boolean;
  story: StoryLine[];
  isMetaFailing: boolean;
  campaigns: { id: string; name: string; status: string; account: string }[];
  emails: { id: string; subject: string; text: string }[];
}

/** Drives the simulators for the panel. */
class DemoControl {
  readonly #simulators: Simulators;
  readonly #clock: OffsetClock;
  /** How far the demo's clock is ahead. */
  #offsetMs = 0;
  #replay: { startsAt: number; endsAt: number } | null = null;

  constructor(simulators: Simulators, clock: OffsetClock) {
    this.#simulators = simulators;
    this.#clock = clock;
  }

  async state(): Promise<DemoState> {
    const { graph, mailbox } = this.#simulators;
    const now = this.#clock.now();
    const replay = this.#replay;
    const { faults } = await graph.ask<{ faults: unknown[] }>('GET', '/faults');
    const all = await readMeta(this.#simulators);
    const names = new Map(all.map(({ id, name }) => [id, name]));
    const emails = (await mailbox.messages()).slice(-EMAILS_SHOWN).toReversed();
    return {
      isReplaying: replay !== null && replay.endsAt > now,
      story: replay === null ? [] : storyOf({ ...replay, now, writes: await graph.writes(), names }),
      isMetaFailing: faults.length > 0,
      campaigns: all.filter(({ isOffered }) => isOffered),
      emails: emails.map(({ n, subject, text }) => ({ id: String(n), subject, text: text ?? '' })),
    };
  }

  async startReplay(seconds: number): Promise<void> {
    const speed = INCIDENT_SECONDS / seconds;
    const times = await this.#simulators.status.post<{ startsAt: string; endsAt: string }>('/replay', {
      speed,
      fromSecondsBefore: speed,
    });
    this.#replay = {
      startsAt: Date.parse(times.startsAt) + this.#offsetMs,
      endsAt: Date.parse(times.endsAt) + this.#offsetMs,
    };
  }

  letMetaFail(on: boolean): Promise<unknown> {
    const { graph } = this.#simulators;
    return on ? graph.fault({ kind: 'error', code: 2, times: 0 }) : graph.ask('DELETE', '/faults');
  }

  changeCampaign({ campaignId, status }: z.infer<typeof changeBody>): Promise<unknown> {
    return this.#simulators.graph.post(`/campaigns/${campaignId}`, { status });
  }

  /** Sets the clocks of the product and of all simulators ahead. */
  async skipToNextDay(): Promise<void> {
    const { graph, status, stripe } = this.#simulators;
    const now = this.#clock.now();
    const ms = nextOneMinutePastMidnight(now) + 1000 - now;
    this.#offsetMs += ms;
    for (const one of [graph, status, stripe]) await one.post('/clock', { offsetMs: this.#offsetMs });
    this.#clock.advance(ms);
  }

  async backToNormal(): Promise<void> {
    await this.#simulators.status.ask('DELETE', '/replay');
    await this.#simulators.status.reports('Resolved');
    await this.letMetaFail(false);
    this.#replay = null;
  }
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
  const control = new DemoControl(simulators, clock);
  return (http: FastifyInstance): void => {
    http.get('/_demo/panel.js', async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(await compilePanel()),
    );
    http.get('/_demo/sign-in', async (_request, reply) => {
      await prepared;
      const login = { userId: EXAMPLE_ID, returnTo: '/dashboard' };
      const { setCookie, callback } = await confirmLogin(publicUrl, login);
      return reply.header('set-cookie', setCookie).redirect(callback);
    });
    http.get('/_demo/state', () => control.state());
    const order = <T>(path: string, body: z.ZodType<T>, act: (given: T) => Promise<unknown>) =>
      http.post(`/_demo/${path}`, async (request, reply) => {
        const given = body.safeParse(request.body ?? {});
        if (!given.success) return reply.status(400).send({ error: z.prettifyError(given.error) });
        await act(given.data);
        return control.state();
      });
    order('replay', replayBody, ({ seconds }) => control.startReplay(seconds));
    order('fail', failBody, ({ on }) => control.letMetaFail(on));
    order('change', changeBody, (change) => control.changeCampaign(change));
    order('next-day', z.strictObject({}), () => control.skipToNextDay());
    order('reset', z.strictObject({}), () => control.backToNormal());
  };
}

/** All campaigns of Meta's simulator. The panel offers some of each ad account of the example advertiser. */
async function readMeta({ graph }: Simulators) {
  const { users, accounts, campaigns } = await graph.ask<{
    users: { id: string; accounts: string[] }[];
    accounts: { id: string; name: string }[];
    campaigns: { id: string; account: string; name: string; status: string }[];
  }>('GET', '/state');
  const own = users.find(({ id }) => id === EXAMPLE_ID)?.accounts ?? [];
  const offered = own.flatMap((id) =>
    campaigns
      .filter(({ account, status }) => account === id && status !== 'ARCHIVED')
      .slice(0, CAMPAIGNS_OFFERED_EACH),
  );
  return campaigns.map((campaign) => ({
    ...campaign,
    account: accounts.find(({ id }) => id === campaign.account)?.name ?? campaign.account,
    isOffered: offered.includes(campaign),
  }));
}

async function compilePanel(): Promise<string> {
  const { transformWithOxc } = await import('vite');
  const file = join(import.meta.dirname, 'panel.ts');
  return (await transformWithOxc(await readFile(file, 'utf8'), file)).code;
}
