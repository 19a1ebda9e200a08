import { PersonOverHttp } from '../outside/person.ts';
import type { Answer } from '../outside/person.ts';
import type { CastCampaign, Member, Threshold } from './cast.ts';
import type { Stage } from './stage.ts';

export type PageLevel = 'Resolved' | 'Low disruptions' | 'Medium disruptions' | 'High disruptions';

export const KNOWN_AS: Record<PageLevel, string> = {
  Resolved: 'UP',
  'Low disruptions': 'LOW_DISRUPTION',
  'Medium disruptions': 'MEDIUM_DISRUPTION',
  'High disruptions': 'HIGH_DISRUPTION',
};
const RANK: Record<PageLevel, number> = {
  Resolved: 0,
  'Low disruptions': 1,
  'Medium disruptions': 2,
  'High disruptions': 3,
};
const NEEDED: Record<Threshold, number> = { LOW: 1, MEDIUM: 2, HIGH: 3 };

export function isMet(level: PageLevel, threshold: Threshold): boolean {
  return RANK[level] >= NEEDED[threshold];
}

/** The status page changed; `knownAt`: when the product said so over HTTP, null if the next change came first. */
export interface Flip {
  level: PageLevel;
  at: number;
  knownAt: number | null;
}

/** Somebody's change in Ads Manager, at a moment at which nothing of ours was under way there. */
export interface Hand {
  campaign: string;
  status: 'ACTIVE' | 'PAUSED';
  at: number;
  /** From when on the product may act there again; null: not yet. */
  until: number | null;
}

/** A call of a person that changes something. `status` null: no answer came. */
export interface Press {
  campaign: string;
  what: 'on' | 'off' | 'pause' | 'resume';
  askedAt: number;
  answeredAt: number;
  status: number | null;
}

/** All that was done from the outside, as it was done. */
export interface Story {
  flips: Flip[];
  hands: Hand[];
  presses: Press[];
  faults: number;
  /** The product's clock was put forwards and back: the times that it notes are in no order. */
  clockJumped: boolean;
}

export interface ListedCampaign {
  id: string;
  status: string;
  smartPauseSetting: string;
  held: boolean;
}

/** What a person is told of their own data, as far as it matters here. */
export interface Export {
  holds: {
    campaignId: string;
    state: string;
    outcome: string | null;
    reason: string | null;
    beganAt: string;
    endedAt: string | null;
  }[];
  activities: {
    at: string;
    actor: string;
    event: string;
    reason: string | null;
    adAccountId: string | null;
    campaignId: string | null;
  }[];
  emails: { kind: string; subject: string | null; writtenAt: string; sentAt: string | null }[];
}

const ANSWER_WITHIN_MS = 20_000;

/** One call by a person to whichever process answers; null when none did, as while it is being killed. */
export async function callAs<T>(
  stage: Stage,
  member: Member,
  call: { method: 'GET' | 'POST'; path: string; body?: object },
): Promise<Answer<T> | null> {
  const someone = new PersonOverHttp(stage.fleet.url(stage.dice), member.person.token);
  const timer = Promise.withResolvers<null>();
  const timeout = setTimeout(() => timer.resolve(null), ANSWER_WITHIN_MS);
  const answer = someone.call<T>(call.method, call.path, call.body).catch(() => null);
  const first = await Promise.race([answer, timer.promise]);
  clearTimeout(timeout);
  return first;
}

export async function readCampaigns(
  stage: Stage,
  member: Member,
  account: string,
): Promise<ListedCampaign[] | null> {
  const path = `/api/campaigns/${account}`;
  const answer = await callAs<{ campaigns: ListedCampaign[] }>(stage, member, { method: 'GET', path });
  return answer?.status === 200 ? answer.body.campaigns : null;
}

export async function readExport(stage: Stage, member: Member): Promise<Export | null> {
  const answer = await callAs<Export>(stage, member, { method: 'GET', path: '/api/account/export' });
  return answer?.status === 200 ? answer.body : null;
}

export function ownersOf({ cast }: Stage, campaign: CastCampaign): Member[] {
  return cast.members.filter(({ index }) => campaign.watchers.some((watcher) => watcher.index === index));
}
