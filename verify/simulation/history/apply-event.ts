import { SIMULATED_APP } from '../../../scripts/outside/simulators.ts';
import { deauthorizeByPlatform } from '../../../src/server/services/account/platform-callbacks.ts';
import { ADS_MANAGER, changeStatus as changeCampaign } from '../../../simulators/meta-graph/state.ts';
import { changeStatus as changePage } from '../../../simulators/meta-status/state.ts';
import { endSubscription } from '../../../simulators/stripe/billing.ts';
import type { Random } from '../../fixtures/random.ts';
import { signedRequest } from '../../fixtures/signed-request.ts';
import type { Play } from '../play.ts';
import type { Answer, User } from '../world/user.ts';
import { type EventOf, type WorldEvent, FINAL_CODES, PHRASES, PLATFORM_ERRORS } from './events.ts';

const FROZEN_MS = 3 * 3_600_000;

type Handlers = { [What in WorldEvent['what']]: (event: EventOf<What>) => void | Promise<void> };

/** Applies the events of a history to the simulators, the network, the processes and the users. */
export class EventApplier {
  readonly #play: Play;
  readonly #random: Random;

  constructor(play: Play) {
    this.#play = play;
    this.#random = play.random.for('happenings');
  }

  async apply(event: WorldEvent): Promise<void> {
    const { oracle, users } = this.#play;
    if (event.what === 'error' && seemsAccessLost(event.error)) oracle.accessDoubted.add('*');
    if (event.what === 'error' && FINAL_CODES.includes(PLATFORM_ERRORS[event.error]?.code ?? 0))
      oracle.refusable.add('*');
    if ('user' in event && DOUBTS_ACCESS.has(event.what))
      oracle.accessDoubted.add(users[event.user]?.who.userId ?? '*');
    const handle = this.#handlers[event.what] as (event: WorldEvent) => void | Promise<void>;
    await handle(event);
  }

  readonly #handlers: Handlers = {
    status: ({ level, only }) => {
      const play = this.#play;
      const at = new Date(play.time.now).toISOString();
      const change = { org: 'ads-manager', service: 'Ads Delivery', status: PHRASES[level], at };
      changePage(play.simulators.statusPage.state, { ...change, ...(only && { only }) });
      if (this.#random.chance(0.6)) play.readPageWithin(20_000);
    },
    'page breaks': ({ kind, only, times }) =>
      void this.#play.simulators.statusPage.faults.add(
        faultOf({ kind, times, ms: FROZEN_MS, ...(only && { path: only }) }),
      ),
    override: ({ command }) => this.#call(0, 'adminAction', { params: { action: command } }),
    toggle: ({ user, campaign: index, enabled }) => {
      const campaign = this.#play.fixture.campaigns[index];
      if (campaign === undefined) return;
      const params = { adAccountId: campaign.accountId, campaignId: campaign.id };
      this.#call(user, 'setSmartPause', { params, body: { enabled } });
    },
    settings: ({ user, threshold: outageThreshold, resume: resumeSettings }) => {
      const email = this.#play.users[user]?.who.email ?? '';
      this.#call(user, 'saveSettings', { body: { resumeSettings, outageThreshold, email } });
    },
    'manual act': ({ user, campaign, kind }) => {
      const params = { id: this.#play.fixture.campaigns[campaign]?.id ?? '' };
      const name = kind === 'pause' ? 'pauseCampaign' : 'resumeCampaign';
      const call = this.#play.users[user]?.call(this.#play.process(0), name, { params });
      void call?.then((answer) => this.#check(answer));
    },
    'live test': ({ user, campaign }) => {
      const id = this.#play.fixture.campaigns[campaign]?.id ?? '';
      this.#play.oracle.liveTests.add(id);
      this.#call(user, 'startLiveTest', { params: { id } });
    },
    'end of live test': ({ user }) => this.#call(user, 'endLiveTest'),
    'external change': ({ campaign: index, status }) => {
      const { graph } = this.#play.simulators;
      const campaign = graph.state.campaigns.get(this.#play.fixture.campaigns[index]?.id ?? '');
      if (campaign === undefined || ['DELETED', 'ARCHIVED'].includes(campaign.status)) return;
      changeCampaign(graph.state, campaign, status, ADS_MANAGER);
      this.#play.markChanged();
    },
    dates: ({ campaign: index, startsInMs, endsInMs }) => {
      const { simulators, time, oracle } = this.#play;
      const campaign = simulators.graph.state.campaigns.get(this.#play.fixture.campaigns[index]?.id ?? '');
      if (campaign === undefined) return;
      const at = (ms: number | null) => (ms === null ? null : new Date(time.now + ms).toISOString());
      Object.assign(campaign, { start_time: at(startsInMs), stop_time: at(endsInMs) });
      oracle.campaign(campaign.id).datesMovedAt = time.now;
    },
    'refuses writes': ({ campaign: index, isOn }) => {
      const { faults } = this.#play.simulators.graph;
      const campaign = this.#play.fixture.campaigns[index]?.id ?? '';
      for (const fault of faults.list()) if (fault.match.campaign === campaign) faults.remove(fault.id);
      if (!isOn) return;
      this.#play.oracle.refusable.add(campaign);
      faults.add(faultOf({ ...CAMPAIGN_ENDED, method: 'POST', campaign, times: 0 }));
    },
    'page read': ({ user }) => this.#readResumeTime(this.#play.users[user]),
    subscribe: ({ user }) =>
      void this.#play.users[user]?.subscribe(this.#play.process()).then((answer) => this.#check(answer)),
    'subscription ends': ({ user }) => this.#endSubscriptions(user),
    'token dies': ({ user }) => this.#invalidateTokens(user, 460),
    'log in': ({ user }) =>
      void this.#play.users[user]?.logIn(this.#play.process()).then((answer) => this.#check(answer)),
    leave: ({ user, how }) => {
      if (how === 'delete') this.#endSubscriptions(user);
      this.#call(user, how === 'delete' ? 'deleteAccount' : 'deauthorize');
    },
    'removed on Meta': ({ user }) => {
      const { users, simulators, time } = this.#play;
      const userId = users[user]?.who.userId ?? '';
      this.#invalidateTokens(user, 458);
      simulators.graph.state.users.get(userId)?.permissions.clear();
      const { deps } = this.#play.process();
      const request = signedRequest(userId, SIMULATED_APP.META_APP_SECRET, time.now);
      void deauthorizeByPlatform(deps, request).catch(() => undefined);
    },
    access: ({ user: index, account: accountIndex, isGiven }) => {
      const { users, simulators, fixture } = this.#play;
      const user = simulators.graph.state.users.get(users[index]?.who.userId ?? '');
      const account = fixture.accounts[accountIndex];
      if (user === undefined || account === undefined) return;
      user.accounts = user.accounts.filter((one) => one !== account);
      if (isGiven) user.accounts.push(account);
    },
    error: ({ error, isInner, times }) => {
      const op = isInner ? ('inner' as const) : undefined;
      const known = PLATFORM_ERRORS[error] ?? PLATFORM_ERRORS[0];
      this.#play.simulators.graph.faults.add(faultOf({ kind: 'error', ...known, times, op }));
    },
    'inner fault': (event) =>
      void this.#play.simulators.graph.faults.add(faultOf({ ...event, method: 'POST' })),
    'network fault': (event) => void this.#play.network.orders.push(event),
    'mail down': ({ times, isUnanswered }) => {
      for (let n = 0; n < times; n += 1) this.#play.mailFaults.push(isUnanswered ? 'unanswered' : 'refused');
    },
    crash: ({ process: index, callsLeft, downMs }) => {
      const process = this.#play.process(index);
      process.lifetime.onDeath(() => {
        this.#play.note(`${process.name} died`);
        this.#play.time.after(downMs, () => void this.#play.process());
      });
      process.lifetime.endAfter(callsLeft);
    },
    'second process': ({ forMs }) => {
      const second = this.#play.startProcess();
      this.#play.time.after(forMs, () => {
        if (second.lifetime.isAlive) void second.close().then(() => this.#play.process());
      });
    },
    'database breaks': ({ process, kinds }) => void this.#play.process(process).breaks.push(...kinds),
    'clock jumps': ({ process, ms }) => {
      const play = this.#play;
      play.process(process).skewMs += ms;
      play.skewMs = Math.max(play.skewMs, Math.abs(ms)) + play.skewMs;
    },
    jobs: ({ names, process }) => {
      for (const name of names)
        void this.#play
          .process(process)
          .runTask(name)
          .catch(() => undefined);
    },
    webhooks: ({ kind, times }) => void this.#play.simulators.stripe.faults.add(faultOf({ kind, times })),
  };

  /** A user in the browser: time passes before the response arrives. */
  #call(user: number, ...[name, given]: Tail<Parameters<User['call']>>): void {
    const process = this.#play.process(this.#play.random.whole(0, 3));
    void this.#play.users[user]?.call(process, name, given).then((answer) => this.#check(answer));
  }

  #check(answer: Answer): void {
    this.#play.note(answer.ok ? 'done' : answer.why);
    if (!answer.ok && answer.why.startsWith('fault') && !/DatabaseLost|connection|cut/i.test(answer.why))
      this.#play.oracle.report(`a user's call ended in a fault: ${answer.why}`);
  }

  /** Compares the scheduled resume on the page with the specification. */
  async #readResumeTime(user: User | undefined): Promise<void> {
    const play = this.#play;
    const answer = await play.until(user?.call(play.process(), 'userStatus') ?? Promise.resolve(null));
    if (answer === null || !answer.ok || play.skewMs > 0) return;
    const { resumeAt } = (answer.value as { status: { resumeAt: number | null } }).status;
    await play.oracle.check();
    const row = play.oracle.lastSnapshot?.users.find((one) => one.platform_user_id === user?.who.userId);
    if (resumeAt === null || row === undefined || !play.oracle.matches.knowsWhenEnded(row.id)) return;
    const expected = play.oracle.matches.resumeAt(row);
    if (expected !== resumeAt)
      play.oracle.report(`${row.platform_user_id} is shown ${resumeAt}, by the text ${String(expected)}`);
  }

  #invalidateTokens(user: number, subcode: number): void {
    const { simulators, users } = this.#play;
    for (const token of simulators.graph.state.tokens.values())
      if (token.user === users[user]?.who.userId) token.invalidSubcode = subcode;
  }

  #endSubscriptions(user: number): void {
    const { account } = this.#play.simulators.stripe;
    const who = this.#play.users[user]?.who;
    for (const subscription of account.subscriptions.values()) {
      const customer = account.customers.get(subscription.customer);
      if (customer?.name !== who?.name || subscription.status === 'canceled') continue;
      endSubscription(account, subscription);
    }
  }
}

/** Error codes of Meta that do not suggest lost access: outages of Meta and rate limits. */
const NOT_ABOUT_ACCESS = [1, 2, 4, 17, 613, 80_004];

function seemsAccessLost(error: number): boolean {
  const { code } = PLATFORM_ERRORS[error] ?? { code: 2 };
  return !NOT_ABOUT_ACCESS.includes(code);
}

const DOUBTS_ACCESS: ReadonlySet<WorldEvent['what']> = new Set([
  'access',
  'token dies',
  'removed on Meta',
  'leave',
]);

type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

const CAMPAIGN_ENDED = { kind: 'error', code: 100, subcode: 1_487_000, userTitle: 'Campaign has ended' };

/** Adds the fields that every fault has. */
function faultOf(given: Record<string, unknown> & { kind: string; times: number }): never {
  const { method, op, campaign, path } = given;
  return { applyOnRelease: false, ...given, match: { method, op, campaign, path } } as never;
}
