import type { EarlyWarningChoice, ResumeSettings } from '../../../src/core/settings.ts';
import type { THRESHOLDS } from '../../../src/core/smartpause/level.ts';
import type { UserStatus } from '../../../src/contract/shapes.ts';
import { deauthorizeByPlatform } from '../../../src/server/services/users/platform-callbacks.ts';
import { signedRequest } from '../../../simulators/meta-graph/login.ts';
import { ADS_MANAGER, changeStatus as changeCampaign } from '../../../simulators/meta-graph/state.ts';
import { plantTool } from '../../../simulators/meta-graph/tools.ts';
import { changeStatus as changePage } from '../../../simulators/meta-status/state.ts';
import { endSubscription } from '../../../simulators/stripe/billing.ts';
import type { Play } from '../play.ts';
import type { Source } from '../sources.ts';
import type { NetworkOrder } from '../world/network.ts';
import type { Answer, User } from '../world/user.ts';
import { ACCOUNTS } from './fixture.ts';

export const PHRASES = {
  UP: 'No Known Issues',
  LOW_DISRUPTION: 'Low disruptions',
  MEDIUM_DISRUPTION: 'Medium disruptions',
  HIGH_DISRUPTION: 'High disruptions',
} as const;
export type Level = keyof typeof PHRASES;

/** One code for each error class of Meta, and what the oracle has to expect of it. */
export const PLATFORM_ERRORS: readonly {
  code: number;
  subcode?: number;
  transient?: true;
  means?: 'access lost' | 'refused';
}[] = [
  ...[{ code: 2 }, { code: 1 }, { code: 4 }, { code: 613, subcode: 5_044_001 }, { code: 80_004 }],
  ...[190, 102, 10, 200, 368, 2635].map((code) => ({ code, means: 'access lost' as const })),
  { code: 190, transient: true, means: 'access lost' },
  { code: 100, subcode: 33, means: 'access lost' },
  { code: 100, subcode: 1487000, means: 'refused' },
  // Of a write, these may pass.
  ...[100, 801, 9999].map((code) => ({ code, means: 'access lost' as const })),
  { code: 415, subcode: 2859009, means: 'access lost' },
];
export const INNER_FAULTS = ['null_entry', 'null_entry_applied', 'applied_but_error', 'stale_read'] as const;
/** Wrong answers of Meta: see simulators/README.md. */
export const DOUBTFUL_ANSWERS = [
  ...(['lagging_read', 'lagging_read', 'lagging_read', 'late_log'] as const),
  ...(['empty_list', 'short_list', 'old_copy', 'old_copy'] as const),
];
type OfUser = { user: number };
type OfCampaign = { campaign: number };

/** What each event does to the simulators, the network, the processes and the users. */
const EFFECTS = {
  status(play: Play, { level }: { level: Level }): void {
    const at = new Date(play.time.now).toISOString();
    const change = { org: 'ads-manager', service: 'Ads Delivery', status: PHRASES[level], at };
    changePage(play.simulators.statusPage.state, change);
    play.oracle.onPage(level);
    if (play.eventRandom.chance(0.6)) play.readPageWithin(20_000);
  },
  'page is read': (play: Play, { withinMs }: { withinMs: number }): void => play.readPageWithin(withinMs),
  'page breaks'(play: Play, { times }: { times: number }): void {
    play.simulators.statusPage.faults.add(faultOf({ kind: 'html', times }));
  },
  override(
    play: Play,
    { command }: { command: 'clear' | `force-${'up' | 'low' | 'medium' | 'high'}` },
  ): void {
    ask(play, 0, 'adminAction', { params: { action: command } });
  },
  toggle(play: Play, { user, campaign, enabled }: OfUser & OfCampaign & { enabled: boolean }): void {
    const { id: campaignId, accountId: adAccountId } = play.campaign(campaign);
    ask(play, user, 'setSmartPause', { params: { adAccountId, campaignId }, body: { enabled } });
  },
  settings(
    play: Play,
    given: OfUser & { threshold: (typeof THRESHOLDS)[number]; resume: ResumeSettings },
  ): void {
    const { user, threshold: outageThreshold, resume: resumeSettings } = given;
    const { email } = play.user(user).who;
    ask(play, user, 'saveSettings', { body: { resumeSettings, outageThreshold, email } });
  },
  'manual act'(
    play: Play,
    { user, campaign, kind }: OfUser & OfCampaign & { kind: 'pause' | 'resume' },
  ): void {
    const params = { id: play.campaign(campaign).id };
    const name = kind === 'pause' ? 'pauseCampaign' : 'resumeCampaign';
    note(play, play.user(user).call(play.process(0), name, { params }));
  },
  'live test'(play: Play, { user, campaign }: OfUser & OfCampaign): void {
    ask(play, user, 'startLiveTest', { params: { id: play.campaign(campaign).id } });
  },
  /** `forMs` null: until the user ends it. */
  'pause all'(play: Play, { user, forMs }: OfUser & { forMs: number | null }): void {
    const until = forMs === null ? null : new Date(play.time.now + forMs).toISOString();
    ask(play, user, 'pauseAll', { body: { until } });
  },
  'resume all'(play: Play, { user }: OfUser): void {
    ask(play, user, 'resumeAll');
  },
  /** As in Settings, where all else stays as it is. */
  'early warning choice'(play: Play, { user, choice }: OfUser & { choice: EarlyWarningChoice }): void {
    note(play, choose(play, user, choice));
  },
  'warnings act'(play: Play, { acts }: { acts: boolean }): void {
    ask(play, 0, 'adminLetWarningsAct', { body: { acts } });
  },
  'source says'(
    play: Play,
    { source, isSuspected, withinMs }: { source: Source; isSuspected: boolean; withinMs: number },
  ): void {
    void play.suspect(source, isSuspected, withinMs);
  },
  'end of live test'(play: Play, { user }: OfUser): void {
    ask(play, user, 'endLiveTest');
  },
  'external change'(
    play: Play,
    { campaign, status }: OfCampaign & { status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED' | 'DELETED' },
  ): void {
    const { state } = play.simulators.graph;
    const changed = state.campaigns.get(play.campaign(campaign).id);
    if (changed === undefined || ['DELETED', 'ARCHIVED'].includes(changed.status)) return;
    changeCampaign(state, changed, status, ADS_MANAGER);
    play.markChanged();
  },
  /** It has done so for two weeks. */
  'other tool'(
    play: Play,
    { campaign, off, on, readWithinMs }: OfCampaign & { off: string; on: string; readWithinMs: number },
  ): void {
    plantTool(play.simulators.graph.state, play.campaign(campaign).id, { off: [off], on: [on], days: 14 });
    play.markChanged();
    play.readSchedulesWithin(readWithinMs);
  },
  'other tool stops'(play: Play, { campaign }: OfCampaign): void {
    plantTool(play.simulators.graph.state, play.campaign(campaign).id, { off: [], on: [], days: 0 });
  },
  subscribe(play: Play, { user }: OfUser): void {
    note(play, play.user(user).subscribe(play.process()));
  },
  'subscription ends': (play: Play, { user }: OfUser): void => endSubscriptions(play, user),
  'token dies': (play: Play, { user }: OfUser): void => invalidateTokens(play, user, 460),
  'log in'(play: Play, { user }: OfUser): void {
    note(play, play.user(user).logIn(play.process()));
  },
  leave(play: Play, { user, how }: OfUser & { how: 'deauthorize' | 'delete' }): void {
    play.oracle.accessDoubted.add(play.user(user).who.userId);
    if (how === 'delete') endSubscriptions(play, user);
    ask(play, user, how === 'delete' ? 'deleteAccount' : 'deauthorize');
  },
  'removed on Meta'(play: Play, { user }: OfUser): void {
    const { userId } = play.user(user).who;
    const { state } = play.simulators.graph;
    invalidateTokens(play, user, 458);
    state.users.get(userId)?.permissions.clear();
    void deauthorizeByPlatform(play.process().deps, signedRequest(state, userId)).catch(() => undefined);
  },
  access(
    play: Play,
    { user, account: index, isGiven }: OfUser & { account: number; isGiven: boolean },
  ): void {
    const { userId } = play.user(user).who;
    play.oracle.accessDoubted.add(userId);
    const known = play.simulators.graph.state.users.get(userId);
    const account = ACCOUNTS[index];
    if (known === undefined || account === undefined) return;
    known.accounts = known.accounts.filter((one) => one !== account);
    if (isGiven) known.accounts.push(account);
  },
  error(play: Play, { error, isInner, times }: { error: number; isInner: boolean; times: number }): void {
    const { means, ...known } = PLATFORM_ERRORS[error] ?? { code: 2 };
    // A refusal of a read looks like lost access.
    if (means !== undefined) play.oracle.accessDoubted.add('*');
    play.oracle.isRefusable ||= means === 'refused';
    play.simulators.graph.faults.add(
      faultOf({ kind: 'error', ...known, times, ...(isInner && { op: 'inner' }) }),
    );
  },
  /** By its limit for a time, or by a block that ends so. */
  'app is refused'(play: Play, { ms, isBlocked }: { ms: number; isBlocked: boolean }): void {
    const { app } = play.simulators.graph.limits;
    app.usage = isBlocked ? null : 97;
    if (isBlocked) app.blocked = true;
    else app.limitedUntil = play.time.now + ms;
    play.time.after(ms, () => Object.assign(app, { blocked: false, usage: null }));
  },
  'inner fault'(play: Play, given: { kind: (typeof INNER_FAULTS)[number]; times: number; ms: number }): void {
    play.simulators.graph.faults.add(faultOf({ ...given, method: 'POST' }));
  },
  'doubtful answer'(
    play: Play,
    { kind, ...given }: { kind: (typeof DOUBTFUL_ANSWERS)[number]; times: number; ms: number },
  ): void {
    const { graph, statusPage } = play.simulators;
    // Without its entry an external change cannot be told from a write of ours.
    play.oracle.isLogDoubted ||= kind === 'late_log';
    const isOfPage = kind === 'old_copy';
    (isOfPage ? statusPage : graph).faults.add(faultOf({ kind, ...given, method: 'GET' }));
    if (isOfPage) play.readPageWithin(given.ms);
  },
  'network fault'(play: Play, given: NetworkOrder): void {
    play.network.orders.push({ ...given });
  },
  crash(play: Play, given: { process: number; callsLeft: number; downMs: number }): void {
    const process = play.process(given.process);
    process.lifetime.onDeath(() => {
      play.note(`${process.name} died`);
      play.time.after(given.downMs, () => void play.process());
    });
    process.lifetime.endAfter(given.callsLeft);
  },
  'second process'(play: Play, { forMs }: { forMs: number }): void {
    const second = play.startProcess();
    play.time.after(forMs, () => {
      if (second.lifetime.isAlive) void second.close().then(() => play.process());
    });
  },
  'database breaks'(
    play: Play,
    { process, kinds }: { process: number; kinds: ('before' | 'after')[] },
  ): void {
    play.process(process).breaks.push(...kinds);
  },
};

type What = keyof typeof EFFECTS;
/** An event of a history. Plain data: a history can be printed, cut and replayed. */
export type WorldEvent = { [W in What]: { what: W } & Parameters<(typeof EFFECTS)[W]>[1] }[What];

export type TimedEvent = WorldEvent & {
  /** Milliseconds from the beginning. */
  at: number;
  /** Delays the event until the reconciler has sent this many more requests: actions interleave. */
  afterRequests?: number;
  /** With `afterRequests`: applies when the request was carried out and its response is on the way. */
  isServed?: boolean;
};

export function applyEvent(play: Play, event: WorldEvent): void {
  (EFFECTS[event.what] as (play: Play, event: WorldEvent) => void)(play, event);
}

type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

/** A user in the browser: time passes before the response arrives. */
function ask(play: Play, user: number, ...[name, given]: Tail<Parameters<User['call']>>): void {
  const process = play.process(play.eventRandom.whole(0, 3));
  note(play, play.user(user).call(process, name, given));
}

async function choose(play: Play, index: number, earlyWarning: EarlyWarningChoice): Promise<Answer> {
  const process = play.process(play.eventRandom.whole(0, 3));
  const user = play.user(index);
  const shown = await user.call(process, 'userStatus');
  if (!shown.ok) return shown;
  const { status } = shown.value as { status: UserStatus };
  const { email, outageThreshold, resumeSettings } = status;
  return user.call(process, 'saveSettings', {
    body: { email, outageThreshold, resumeSettings, earlyWarning },
  });
}

function note(play: Play, answered: Promise<Answer>): void {
  void answered.then((answer) => {
    play.note(answer.ok ? 'done' : answer.why);
    if (!answer.ok && answer.why.startsWith('fault') && !/DatabaseLost|connection|cut/i.test(answer.why))
      play.oracle.report(`a user's call ended in a fault: ${answer.why}`);
  });
}

function invalidateTokens(play: Play, user: number, subcode: number): void {
  const { userId } = play.user(user).who;
  play.oracle.accessDoubted.add(userId);
  for (const token of play.simulators.graph.state.tokens.values())
    if (token.user === userId) token.invalidSubcode = subcode;
}

function endSubscriptions(play: Play, user: number): void {
  const { account } = play.simulators.stripe;
  for (const subscription of account.subscriptions.values()) {
    const customer = account.customers.get(subscription.customer);
    if (customer?.name !== play.user(user).who.name || subscription.status === 'canceled') continue;
    endSubscription(account, subscription);
  }
}

/** Adds the fields that every fault has. */
function faultOf({ method, op, ...given }: Record<string, unknown> & { kind: string; times: number }): never {
  return { applyOnRelease: false, ...given, match: { method, op } } as never;
}
