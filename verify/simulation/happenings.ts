import type { Dice } from '../fixtures/dice.ts';
import type { Answer, Person } from './person.ts';
import type { Happening } from './happening.ts';
import { PHRASES, PLATFORM_ERRORS } from './happening.ts';
import { toSettings } from './history.ts';
import type { Play } from './play.ts';
import { deauthorizeByPlatform } from '../../src/server/services/account/platform-callbacks.ts';
import { ADS_MANAGER, changeStatus as changeCampaign } from '../../simulators/meta-graph/state/state.ts';
import { changeStatus as changePage } from '../../simulators/meta-status/state.ts';
import { endSubscription } from '../../simulators/stripe/billing/end.ts';
import { signRequest } from './signed.ts';

/** Makes happen what a history says. */
export class Happenings {
  readonly #play: Play;
  readonly #dice: Dice;

  constructor(play: Play) {
    this.#play = play;
    this.#dice = play.dice.for('happenings');
  }

  async happen(happening: Happening): Promise<void> {
    const play = this.#play;
    if (happening.what === 'error' && seemsLost(happening.error)) play.oracle.shaken.add('*');
    if ('person' in happening && SHAKES_ACCESS.has(happening.what))
      play.oracle.shaken.add(play.people[happening.person]?.who.userId ?? '*');
    const { graph, statusPage, stripe } = play.outside;
    switch (happening.what) {
      case 'status': {
        const at = new Date(play.time.now).toISOString();
        const change = { org: 'ads-manager', service: 'Ads Delivery', status: PHRASES[happening.level], at };
        changePage(statusPage.state, { ...change, ...(happening.only && { only: happening.only }) });
        if (this.#dice.chance(0.6)) play.readPageWithin(20_000);
        return;
      }
      case 'page breaks':
        statusPage.faults.add(fault({ kind: happening.kind, times: happening.times }));
        return;
      case 'directive':
        return this.#ask(play.people[0], 'adminAction', { params: { action: happening.command } });
      case 'toggle': {
        const person = play.people[happening.person];
        const campaign = play.cast.campaigns[happening.campaign];
        if (campaign === undefined) return;
        const params = { adAccountId: campaign.accountId, campaignId: campaign.id };
        return this.#ask(person, 'setSmartPause', { params, body: { enabled: happening.enabled } });
      }
      case 'settings': {
        const person = play.people[happening.person];
        const body = {
          resumeSettings: toSettings(happening.resume),
          outageThreshold: happening.threshold,
          email: person?.who.email ?? '',
        };
        return this.#ask(person, 'saveSettings', { body });
      }
      case 'own act':
        return this.#ownAct(happening);
      case 'hand': {
        const campaign = graph.state.campaigns.get(play.cast.campaigns[happening.campaign]?.id ?? '');
        if (campaign === undefined || ['DELETED', 'ARCHIVED'].includes(campaign.status)) return;
        changeCampaign(graph.state, campaign, happening.status, {
          actor: { id: '7000001', name: 'Somebody' },
          application: ADS_MANAGER,
          token_user: null,
        });
        play.somethingHappened();
        return;
      }
      case 'look':
        return this.#look(play.people[happening.person]);
      case 'subscribe': {
        const person = play.people[happening.person];
        if (person !== undefined) void person.subscribe(play.process()).then((answer) => this.#heard(answer));
        return;
      }
      case 'subscription ends':
        loseSubscription(play, happening.person);
        return;
      case 'token dies':
        for (const token of graph.state.tokens.values()) {
          if (token.user === play.people[happening.person]?.who.userId) token.invalidSubcode = 460;
        }
        return;
      case 'log in': {
        const person = play.people[happening.person];
        if (person !== undefined) void person.logIn(play.process()).then((answer) => this.#heard(answer));
        return;
      }
      case 'leave': {
        const name = happening.how === 'delete' ? 'deleteAccount' : 'deauthorize';
        if (happening.how === 'delete') loseSubscription(play, happening.person);
        return this.#ask(play.people[happening.person], name);
      }
      case 'removed on Meta':
        return this.#removedOnMeta(play.people[happening.person]);
      case 'access': {
        const user = graph.state.users.get(play.people[happening.person]?.who.userId ?? '');
        const account = play.cast.accounts[happening.account];
        if (user === undefined || account === undefined) return;
        user.accounts = user.accounts.filter((one) => one !== account);
        if (happening.isGiven) user.accounts.push(account);
        return;
      }
      case 'error': {
        const error = PLATFORM_ERRORS[happening.error] ?? PLATFORM_ERRORS[0];
        const op = happening.isInner ? ('inner' as const) : undefined;
        graph.faults.add(fault({ kind: 'error', ...error, times: happening.times, op }));
        return;
      }
      case 'inner fault':
        graph.faults.add(fault({ ...happening, method: 'POST' }));
        return;
      case 'trouble':
        play.network.order(happening);
        return;
      case 'mail down':
        for (let n = 0; n < happening.times; n += 1)
          play.mailTroubles.push(happening.isUnanswered ? 'unanswered' : 'refused');
        return;
      case 'crash': {
        const process = play.process(happening.process);
        process.life.onDeath(() => {
          play.note(`${process.name} died`);
          play.time.after(happening.awayMs, () => void play.process());
        });
        process.life.endsAfter(happening.dealings);
        return;
      }
      case 'second process': {
        const second = play.startProcess();
        play.time.after(happening.forMs, () => {
          if (second.life.isAlive) void second.close().then(() => play.process());
        });
        return;
      }
      case 'database breaks':
        play.process(happening.process).breaks.push(...happening.kinds);
        return;
      case 'clock jumps':
        play.process(happening.process).skewMs += happening.ms;
        play.skewMs = Math.max(play.skewMs, Math.abs(happening.ms)) + play.skewMs;
        return;
      case 'jobs':
        for (const name of happening.names)
          void play
            .process(happening.process)
            .doJob(name)
            .catch(() => undefined);
        return;
      case 'webhooks':
        stripe.faults.add(fault({ kind: happening.kind, times: happening.times }));
    }
  }

  /** Everybody is a person in the browser: they ask, and do not stand still until they are answered. */
  #ask(person: Person | undefined, ...asked: Tail<Parameters<Person['call']>>): Promise<void> {
    const process = this.#play.process(this.#play.dice.whole(0, 3));
    void person?.call(process, ...asked).then((answer) => this.#heard(answer));
    return Promise.resolve();
  }

  #heard(answer: Answer): void {
    this.#play.note(answer.ok ? 'done' : answer.why);
    if (!answer.ok && answer.why.startsWith('fault') && !/DatabaseLost|connection|cut/i.test(answer.why))
      this.#play.oracle.say(`somebody met a fault: ${answer.why}`);
  }

  #ownAct(act: { person: number; campaign: number; kind: 'pause' | 'resume' }): Promise<void> {
    const { people, cast } = this.#play;
    const id = cast.campaigns[act.campaign]?.id ?? '';
    const name = act.kind === 'pause' ? 'pauseCampaign' : 'resumeCampaign';
    const process = this.#play.process(0);
    void people[act.person]?.call(process, name, { params: { id } }).then((answer) => this.#heard(answer));
    return Promise.resolve();
  }

  /** What the page says of the scheduled resume is what the text says. */
  async #look(person: Person | undefined): Promise<void> {
    const play = this.#play;
    const answer = await play.until(person?.call(play.process(), 'userStatus') ?? Promise.resolve(null));
    if (answer === null || !answer.ok || play.skewMs > 0) return;
    const { resumeAt } = (answer.value as { status: { resumeAt: string | null } }).status;
    await play.oracle.look();
    const row = play.oracle.lastSnapshot?.people.find((one) => one.platform_user_id === person?.who.userId);
    if (resumeAt === null || row === undefined || !play.oracle.matches.knowsWhenEnded(row.id)) return;
    const expected = play.oracle.matches.resumeAt(row);
    if (expected !== Date.parse(resumeAt))
      play.oracle.say(`${row.platform_user_id} is told ${resumeAt}, by the text ${String(expected)}`);
  }

  async #removedOnMeta(person: Person | undefined): Promise<void> {
    const play = this.#play;
    const { graph } = play.outside;
    const userId = person?.who.userId ?? '';
    for (const token of graph.state.tokens.values()) if (token.user === userId) token.invalidSubcode = 458;
    graph.state.users.get(userId)?.permissions.clear();
    const process = play.process();
    void deauthorizeByPlatform(process.deps, signRequest(userId, play.time.now)).catch(() => undefined);
    return Promise.resolve();
  }
}

/** Codes after which Meta will answer again by itself: nobody's access can seem lost because of them. */
const PASSING = [1, 2, 4, 17, 613, 80_004];

function seemsLost(error: number): boolean {
  const { code } = PLATFORM_ERRORS[error] ?? { code: 2 };
  return !PASSING.includes(code);
}

const SHAKES_ACCESS: ReadonlySet<Happening['what']> = new Set([
  'access',
  'token dies',
  'removed on Meta',
  'leave',
]);

type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

function loseSubscription(play: Play, person: number): void {
  const { stripe } = play.outside;
  const who = play.people[person]?.who;
  for (const subscription of stripe.account.subscriptions.values()) {
    const customer = stripe.account.customers.get(subscription.customer);
    if (customer?.name !== who?.name || subscription.status === 'canceled') continue;
    endSubscription(stripe.account, subscription, 'cancellation_requested');
  }
}

/** With what every fault has. */
function fault(given: Record<string, unknown> & { kind: string; times: number }): never {
  const { method, op } = given;
  return { probability: 1, applyOnRelease: false, ...given, match: { method, op } } as never;
}
