import { byName } from '#core/campaign.ts';
import { lastActivities } from '#core/notifications.ts';
import { clockTime, fullTime, newYorkTime } from '#core/new-york.ts';
import { RETRY_WORDS, activityText, refusedChange } from '#core/smartpause/activity-text.ts';
import { DISRUPTION_WORDS, counted, durationLabel, figure, resumeCopy } from '#core/labels.ts';
import { RELEASE_LABELS, resultOfEnd, withRefusal } from '#core/smartpause/release-labels.ts';
import type { Level, Threshold } from '#core/smartpause/level.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import { resumeAt } from '#core/smartpause/resume-time.ts';
import type { Instant } from '#core/time.ts';
import type { NamedCampaign, PendingActivity } from '../../db/reports/notified-activities.ts';
import type { Facts } from '../facts.ts';
import type { Block, Notification } from '../render.ts';
import { shortMessage } from '../render.ts';

export function paused(facts: Facts): Notification {
  const { outages, threshold } = facts;
  const last = lastActivities(facts.acts);
  const [refused, done] = [last.filter(isRefused), last.filter((act) => !isRefused(act))];
  const { cause = null, at = facts.now } = last[0] ?? {};
  const decidedAt = cause?.decidedAt ?? at;
  const reported = outages.flatMap(({ levels }) => levels).findLast((one) => one.at <= decidedAt);
  const level = cause?.level ?? reported?.level ?? 'UP';
  const since = reported === undefined ? '' : ` since ${fullTime(reported.at)}`;
  const [source, whose] = cause?.isOverride === true ? ['our team', "Meta's"] : ['Meta', 'its'];
  const did =
    done.length > 0
      ? `SmartPause paused ${campaigns(done.length)}`
      : `SmartPause could not pause ${campaigns(refused.length)}`;
  const report = `${source} reports ${DISRUPTION_WORDS[level]}`;
  return {
    subject: `${did}: ${report}`,
    blocks: [
      {
        status: level,
        text: `${report} in ${whose} ad services${since}. Your threshold is ${threshold.toLowerCase()}.`,
      },
      ...byAccount('Paused', done, (act) => (act.isHeld ? null : laterCopy(act))),
      ...notChanged('Not paused', refused),
      unfinishedCopy(facts, 'paused'),
      done.length > 0 ? nextCopy(facts, done) : null,
      seeActivity(facts),
    ],
  };
}

function isRefused({ event }: PendingActivity): boolean {
  return event === 'refused' || event === 'retrying';
}

/** How a pause ended. */
function laterCopy({ end, isHandedOver }: PendingActivity): string {
  if (isHandedOver) return 'SmartPause keeps it paused for another user of the ad account';
  // The campaign was found running, or its pause is not wanted any more.
  if (end === null) return 'no longer paused by SmartPause';
  return end.reason === null ? `resumed ${fullTime(end.at)}` : RELEASE_LABELS[end.reason];
}

/** Promises a resume only for campaigns that are held and that Meta lets us change now. */
function nextCopy(facts: Facts, done: readonly PendingActivity[]): string {
  const held = done.filter(({ isHeld }) => isHeld);
  if (held.length === 0) return 'None of these campaigns is still paused by SmartPause.';
  const count = held.filter(isChangeable).length;
  if (count === 0) return obstacleCopy(held);
  const all = count === 1 ? 'exactly this campaign' : 'exactly these campaigns';
  const some =
    count < held.length ? `${figure(count)} of these campaigns` : `the ${campaigns(count)} still paused`;
  const when = resumeCopyOf(facts, held[0]?.cause?.threshold, count === done.length ? all : some);
  const manual =
    'To manage a campaign yourself, turn SmartPause off for it. It then stays paused until you resume it.';
  const timed = held.filter(({ hasSchedule }) => hasSchedule).length;
  const hours =
    timed === 0
      ? ''
      : ` Another tool has ${campaigns(timed)} off at certain hours; a resume in these hours waits until 15 minutes after them.`;
  const rest = count < held.length ? `${obstacleCopy(held)} ${manual}` : `No action needed. ${manual}`;
  return `${when}, and we'll email you again.${hours} ${rest}`;
}

function resumeCopyOf({ user, status, now }: Facts, threshold = user.threshold, them: string): string {
  if (user.leaving !== null)
    return `You asked us to revoke our access to your ad accounts. SmartPause resumes ${them} now`;
  const dueAt = resumeAt(status, { threshold, resume: user.resumeSettings });
  if (dueAt === null)
    return `When the disruption drops below your threshold, SmartPause resumes ${them} ${resumeCopy(user.resumeSettings)}`;
  const when = dueAt > now ? `on ${fullTime(dueAt)}` : 'now';
  return `The disruption has since dropped below your threshold. SmartPause resumes ${them} ${when}`;
}

type Obstacles = Pick<PendingActivity, 'isReachable' | 'isBlocked'>;

export function isChangeable({ isReachable, isBlocked }: Obstacles): boolean {
  return isReachable && !isBlocked;
}

/** What the user must do before SmartPause can resume all of these campaigns; empty: nothing. */
export function obstacleCopy(held: readonly Obstacles[]): string {
  const denied = held.filter(({ isReachable }) => !isReachable).length;
  const blocked = held.filter(({ isReachable, isBlocked }) => isReachable && isBlocked).length;
  const logIn = `Meta denies SmartPause access to ${counted(denied, 'paused campaign')}. Log in to SmartPause again, or resume ${itOrThem(denied)} in Ads Manager.`;
  const confirm = `Meta refuses our changes to ${counted(blocked, 'paused campaign')} until you confirm your account in Ads Manager.`;
  return [...(denied > 0 ? [logIn] : []), ...(blocked > 0 ? [confirm] : [])].join(' ');
}

/** In the order of the email. The subject says the first one in full. */
const RESULTS: [result: string, did: (count: number) => string][] = [
  ['Resumed', (count) => `SmartPause resumed ${campaigns(count)}`],
  ['Not resumed', (count) => `SmartPause did not resume ${campaigns(count)}`],
  ['Not resumed yet', (count) => `Meta refused to resume ${campaigns(count)}`],
  ['Not paused again', (count) => `SmartPause could not pause ${campaigns(count)} again`],
  ['Already running', (count) => `SmartPause did not need to resume ${campaigns(count)}`],
  ['Resumed later', (count) => `SmartPause resumes ${campaigns(count)} later`],
  ['Kept paused', (count) => `${stay(count)} paused`],
];

/** An email tells a resume by SmartPause from one by others. */
const WITHOUT_RESUME = { resumed: 'Already running', kept_paused: 'Kept paused', not_resumed: 'Not resumed' };

function resultOf({ event, reason }: PendingActivity): string {
  if (event === 'resumed') return 'Resumed';
  if (event === 'handed_over') return 'Kept paused';
  if (event === 'retrying') return 'Not resumed yet';
  if (event === 'postponed') return 'Resumed later';
  if (event === 'not_restored' && reason === 'pause_refused') return 'Not paused again';
  return reason === 'not_needed' ? 'Already running' : WITHOUT_RESUME[resultOfEnd(reason)];
}

function resultsOf(acts: readonly PendingActivity[]) {
  const byResult = Map.groupBy(acts, resultOf);
  const results = RESULTS.map(([result, did]) => ({ result, did, own: byResult.get(result) ?? [] }));
  return results.filter(({ own }) => own.length > 0);
}

export function resumed(facts: Facts): Notification {
  const last = lastActivities(facts.acts);
  const on = last.filter(({ event }) => event === 'resumed');
  const subject = resultsOf(last).map(({ result, did, own }, index) =>
    index === 0 ? did(own.length) : `${figure(own.length)} ${result.toLowerCase()}`,
  );
  const leaving =
    'You asked us to revoke our access to your ad accounts, so campaigns paused by SmartPause were resumed first.';
  return {
    subject: subject.join(', '),
    blocks: [
      facts.user.leaving === null ? null : leaving,
      ...outageCopy(facts),
      ...byAccount('Resumed', on, againCopy),
      ...notResumed(last),
      unfinishedCopy(facts, 'resumed'),
      seeActivity(facts),
    ],
  };
}

/** Lists of the campaigns that SmartPause did not resume itself. */
export function notResumed(acts: readonly PendingActivity[]): Block[] {
  const others = acts.filter(({ event }) => event !== 'resumed');
  return resultsOf(others).flatMap(({ result, own }) => notChanged(result, own));
}

/** The last outage that met the threshold, and the status now. */
function outageCopy({ outages, threshold, status }: Facts): Block[] {
  const outage = outages.at(-1);
  if (outage === undefined) return [];
  const { startedAt, endedAt, peak } = outage;
  const facts: [string, string][] = [
    ['Outage', spanLabel(startedAt, endedAt)],
    ...(endedAt === null ? [] : [['Duration', durationLabel(endedAt - startedAt)] as [string, string]]),
    ['Peak', DISRUPTION_WORDS[peak]],
    ['Your threshold', threshold.toLowerCase()],
  ];
  return [{ status: status.effective, text: statusCopy(status.effective, threshold) }, { facts }];
}

function statusCopy(level: Level, threshold: Threshold): string {
  if (level === 'UP') return 'the disruption is over.';
  if (level === 'UNKNOWN') return "we can't read Meta's status right now.";
  return meetsThreshold(level, threshold) ? 'your threshold is met.' : 'below your threshold now.';
}

/** 'Jan 8, 2026, 9:10 PM EST to 11:08 PM EST'; names the second date only if it is another one. */
function spanLabel(from: Instant, to: Instant | null): string {
  if (to === null) return `${fullTime(from)}, still ongoing`;
  const dayOf = (at: Instant): string => Object.values(newYorkTime(at)).slice(0, 3).join();
  return `${fullTime(from)} to ${dayOf(from) === dayOf(to) ? clockTime(to) : fullTime(to)}`;
}

/** External changes: the advertiser's change wins. */
export function disabled(facts: Facts): Notification {
  const acts = lastActivities(facts.acts);
  const them = itOrThem(acts.length);
  // One that is gone cannot be protected again.
  const count = acts.filter(
    ({ isOn, reason }) => !isOn && reason !== 'deleted' && reason !== 'archived',
  ).length;
  const some = `the ${campaigns(count)} that ${count === 1 ? 'is' : 'are'} still off`;
  const off = count === acts.length ? them : some;
  const [were, times] =
    acts.length === 1
      ? ['it was', 'The time below is when SmartPause noticed the change.']
      : ['they were', 'The times below are when SmartPause noticed the changes.'];
  const next = count > 0 ? ` SmartPause won't pause ${off} in the next disruption.` : '';
  return {
    subject: `SmartPause ${count === acts.length ? 'is' : 'was'} disabled for ${campaigns(acts.length)}: changed outside SmartPause`,
    blocks: [
      `SmartPause had paused ${them}, and ${were} then changed outside SmartPause, for example in Ads Manager. Your change wins.${next} ${times}`,
      ...notChanged('Disabled', acts),
      count > 0 ? `To protect ${off}, turn SmartPause back on.` : null,
      openDashboard(facts),
    ],
  };
}

/** One email about a live test: the pause, and how it ended. The activities say what happened. */
export function liveTest(facts: Facts): Notification {
  const { acts, unfinished } = facts;
  const tested = lastActivities(acts);
  const [first] = tested;
  const did =
    first === undefined || tested.length > 1 ? `tested ${campaigns(tested.length)}` : testCopy(first);
  const goesOn =
    "The test isn't over yet because Meta hasn't confirmed it. SmartPause keeps trying, and we'll email you when it's done.";
  return {
    subject: `Test: ${did}`,
    blocks: [
      'You started a live test, so SmartPause changed a campaign on Meta the way it does in an outage. There was no outage.',
      {
        list: 'What happened',
        items: acts.map((act) => [testCopy(act), `${act.account}, ${fullTime(act.at)}`] as const),
      },
      unfinished > 0 ? goesOn : null,
      openDashboard(facts),
    ],
  };
}

/** 'paused "Shoes"', beside words that say that it is a test. */
function testCopy({ message, detail, name }: PendingActivity): string {
  const text = activityText({ message, detail }, `"${name}"`);
  return shortMessage(text.replace(/^Test: /, '').replace(/\.$/, ''));
}

/** With more ad accounts an email is so long that Gmail hides its end. */
const ACCOUNTS_MAX = 50;

/** One list per ad account, and one that counts the campaigns of the others. */
export function byAccount<Campaign extends NamedCampaign>(
  verb: string,
  all: readonly Campaign[],
  later: (campaign: Campaign) => string | null = () => null,
): Block[] {
  const accounts = [...Map.groupBy(all.toSorted(byNames), ({ account }) => account)];
  const lists: Block[] = accounts.slice(0, ACCOUNTS_MAX).map(([account, own]) => ({
    list: `${verb} in ${account} (${campaigns(own.length)})`,
    items: own.map((one) => [one.name, withLater(fullTime(one.at), later(one))]),
  }));
  const others = accounts.slice(ACCOUNTS_MAX);
  if (others.length === 0) return lists;
  const count = others.reduce((sum, [, own]) => sum + own.length, 0);
  const list = `${verb} in ${counted(others.length, 'more ad account')} (${campaigns(count)})`;
  return [...lists, { list, items: others.map(([account, own]) => [account, campaigns(own.length)]) }];
}

function notChanged(verb: string, acts: readonly PendingActivity[]): Block[] {
  if (acts.length === 0) return [];
  const items = acts.toSorted(byNames).map((act): [string, string] => {
    const { name, account, at } = act;
    return [name, withLater(`${account}, ${fullTime(at)}: ${whyCopy(act)}`, againCopy(act))];
  });
  return [{ list: `${verb} (${campaigns(items.length)})`, items }];
}

function byNames(a: NamedCampaign, b: NamedCampaign): number {
  return byName(a.account, b.account) || byName(a.name, b.name);
}

function whyCopy({ event, detail, reason, refusal }: PendingActivity): string {
  if (event === 'not_restored') {
    const result = reason === 'pause_refused' ? 'it keeps running' : 'it stays paused';
    return `${result}: ${shortMessage(detail ?? '')}`;
  }
  if (event === 'retrying') return `${refusedChange(refusal ?? 'without a reason')}. ${RETRY_WORDS}`;
  if (event === 'postponed') return shortMessage(detail ?? '');
  if (event === 'handed_over')
    return 'SmartPause keeps it paused for another user of the ad account, and resumes it for them';
  return reason === null ? 'not changed' : withRefusal(RELEASE_LABELS[reason], reason, refusal);
}

/** What has happened since. */
function againCopy({ event, isHeld, isOn, end }: PendingActivity): string | null {
  if (event === 'retrying' || event === 'postponed')
    return end?.reason === null ? `resumed ${fullTime(end.at)}` : null;
  if (isHeld) return 'paused again since then';
  return event === 'deactivated' && isOn ? 'SmartPause has been turned on again' : null;
}

function withLater(text: string, later: string | null): string {
  return later === null ? text : `${text}; ${later}`;
}

function unfinishedCopy({ unfinished }: Facts, done: string): string | null {
  if (unfinished === 0) return null;
  const are = `${counted(unfinished, 'more campaign')} ${unfinished === 1 ? 'is' : 'are'}`;
  return `${are} not ${done} yet. SmartPause keeps trying, and we'll email you when it's done.`;
}

export function campaigns(count: number): string {
  return counted(count, 'campaign');
}

/** '2 campaigns stay'. */
export function stay(count: number): string {
  return `${campaigns(count)} ${count === 1 ? 'stays' : 'stay'}`;
}

export function itOrThem(count: number): string {
  return count === 1 ? 'it' : 'them';
}

export function openDashboard({ publicUrl }: Facts): Block {
  return { button: 'Open SmartPause', address: publicUrl };
}

/** For emails about pauses and resumes: the page of the outage, or the list unless it was one. */
function seeActivity({ publicUrl, outages: [outage, ...more] }: Facts): Block {
  const page = outage === undefined || more.length > 0 ? '' : `/${outage.id}`;
  return { button: 'See what happened', address: `${publicUrl}/activity${page}` };
}
