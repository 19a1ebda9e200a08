import { setTimeout as sleep } from 'node:timers/promises';
import type { CastCampaign, Member } from './cast.ts';
import type { Stage } from './stage.ts';
import type { Export, PageLevel, Press, Story } from './story.ts';
import { KNOWN_AS, callAs, isMet, ownersOf, readCampaigns, readExport } from './story.ts';

const LEVELS: PageLevel[] = ['Low disruptions', 'Medium disruptions', 'High disruptions', 'High disruptions'];
const KNOWN_WITHIN_MS = 12_000;
const DWELL_MS = { least: 300, most: 2_000 };
const ACTS_PER_FLIP = 4;
const FAULT_SHARE = 0.35;
/** A write that is under way when somebody presses Off is still finished; only after that a hand is a hand. */
const UNDER_WAY_MS = 2_000;

export function emptyStory(): Story {
  return { flips: [], hands: [], presses: [], faults: 0, clockJumped: false };
}

/** Lets the world go on, one thing after the other, until told to stop: flips, presses, hands, faults. */
export async function direct(stage: Stage, story: Story, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const isUp = (story.flips.at(-1)?.level ?? 'Resolved') === 'Resolved';
    const next = isUp || stage.dice.chance(0.3) ? stage.dice.pick(LEVELS) : 'Resolved';
    if (stage.dice.chance(FAULT_SHARE)) await orderFaults(stage, story);
    await flip(stage, story, next, isOver);
    for (let n = 0; n < ACTS_PER_FLIP && !isOver(); n += 1) await actSomewhere(stage, story);
    await sleep(stage.dice.between(DWELL_MS.least, DWELL_MS.most));
  }
}

/** Changes the status page and waits, for a while, until the product says so. */
export async function flip(
  stage: Stage,
  story: Story,
  level: PageLevel,
  isOver: () => boolean = () => false,
): Promise<void> {
  const entry = { level, at: Date.now(), knownAt: null as number | null };
  story.flips.push(entry);
  await stage.simulators.status.reports(level);
  const deadline = performance.now() + KNOWN_WITHIN_MS;
  while (performance.now() < deadline && !isOver()) {
    if (await isKnown(stage, level)) {
      entry.knownAt = Date.now();
      return;
    }
    await sleep(60);
  }
}

async function isKnown(stage: Stage, level: PageLevel): Promise<boolean> {
  const [someone] = stage.cast.members;
  if (someone === undefined) return false;
  const answer = await callAs<{ status: string }>(stage, someone, { method: 'GET', path: '/api/status' });
  return answer?.status === 200 && answer.body.status === KNOWN_AS[level];
}

async function actSomewhere(stage: Stage, story: Story): Promise<void> {
  const campaign = stage.dice.pick(stage.cast.campaigns);
  const [owner] = ownersOf(stage, campaign);
  if (owner === undefined) return;
  if (campaign.kind === 'toggled') return toggle(stage, story, { campaign, owner });
  if (campaign.kind === 'pressed') return pressButton(stage, story, { campaign, owner });
  if (campaign.kind === 'handed') return lendHand(stage, story, { campaign, owner });
  await readCampaigns(stage, owner, campaign.account);
}

interface Place {
  campaign: CastCampaign;
  owner: Member;
}

async function press(stage: Stage, story: Story, place: Place, what: Press['what']): Promise<Press> {
  const { campaign, owner } = place;
  const { id, account } = campaign;
  const isToggle = what === 'on' || what === 'off';
  const path = isToggle ? `/api/smartpause/${account}/${id}` : `/api/campaigns/${id}/${what}`;
  const askedAt = Date.now();
  const body = isToggle ? { body: { enabled: what === 'on' } } : {};
  const answer = await callAs(stage, owner, { method: 'POST', path, ...body });
  const done = { campaign: id, what, askedAt, answeredAt: Date.now(), status: answer?.status ?? null };
  story.presses.push(done);
  return done;
}

/** Off leaves a held campaign paused: then its owner resumes it in Ads Manager, before it is turned on again. */
async function toggle(stage: Stage, story: Story, place: Place): Promise<void> {
  const listed = await readCampaigns(stage, place.owner, place.campaign.account);
  const setting = listed?.find(({ id }) => id === place.campaign.id)?.smartPauseSetting;
  if (setting === undefined) return;
  if (setting !== 'ON') {
    await press(stage, story, place, 'on');
    return;
  }
  const { status } = await press(stage, story, place, 'off');
  if (status !== 200) return;
  await sleep(UNDER_WAY_MS);
  await changeByHand(stage, place.campaign.id, 'ACTIVE');
}

async function pressButton(stage: Stage, story: Story, place: Place): Promise<void> {
  const now = (await stage.simulators.graph.campaigns()).get(place.campaign.id)?.status;
  await press(stage, story, place, now === 'ACTIVE' ? 'pause' : 'resume');
}

async function changeByHand(stage: Stage, campaign: string, status: 'ACTIVE' | 'PAUSED'): Promise<void> {
  await stage.simulators.graph.post(`/campaigns/${campaign}`, { status });
}

/** Changes the campaign in Ads Manager if nothing of ours is under way there, and takes an old change back. */
async function lendHand(stage: Stage, story: Story, place: Place): Promise<void> {
  const { id, account } = place.campaign;
  const before = story.hands.findLast((hand) => hand.campaign === id && hand.until === null);
  if (before?.status === 'PAUSED') {
    before.until = Date.now();
    await changeByHand(stage, id, 'ACTIVE');
    return;
  }
  if (before !== undefined) {
    const listed = await readCampaigns(stage, place.owner, account);
    const isNoticed = listed?.find((one) => one.id === id)?.smartPauseSetting === 'DEACTIVATED';
    if (!isNoticed) return;
    before.until = Date.now();
    await press(stage, story, place, 'on');
    return;
  }
  const status = await whatAHandMayDo(stage, story, place);
  if (status === null) return;
  const at = Date.now();
  await changeByHand(stage, id, status);
  story.hands.push({ campaign: id, status, at, until: null });
}

/**
 * A pause, when nothing is held and all is well; a resume, when it was paused for this very disruption and nothing
 * else was tried since. At other times a write of ours may be in doubt, and then no state is taken for a hand.
 */
async function whatAHandMayDo(stage: Stage, story: Story, place: Place): Promise<'ACTIVE' | 'PAUSED' | null> {
  const flipped = story.flips.at(-1);
  if (flipped === undefined || flipped.knownAt === null) return null;
  const known = await readExport(stage, place.owner);
  const live = (await stage.simulators.graph.campaigns()).get(place.campaign.id)?.status;
  const hold = known === null ? undefined : liveHold(known, place.campaign.id);
  if (known === null || hold === undefined) return null;
  const met = isMet(flipped.level, place.owner.threshold);
  if (!met && hold === null && live === 'ACTIVE') return 'PAUSED';
  if (!met || hold?.state !== 'paused' || live !== 'PAUSED') return null;
  return (await wasPausedSince(stage, place.campaign.id, flipped.at)) ? 'ACTIVE' : null;
}

/** By the platform's clock and log: ours may jump. A pause that changed nothing would follow a resume in doubt. */
async function wasPausedSince(stage: Stage, campaign: string, since: number): Promise<boolean> {
  const writes = await stage.simulators.graph.writes();
  const last = writes.findLast((write) => write.campaign === campaign);
  if (last === undefined || last.token_user === null) return false;
  return last.status === 'PAUSED' && last.previous === 'ACTIVE' && Date.parse(last.at) >= since;
}

/** Null: there is none. */
function liveHold(known: Export, campaign: string): Export['holds'][number] | null | undefined {
  return known.holds.find((hold) => hold.campaignId === campaign && hold.endedAt === null) ?? null;
}

/** Faults of the platform for the next few writes and reads, in one ad account or anywhere. */
async function orderFaults(stage: Stage, story: Story): Promise<void> {
  const { dice, simulators, cast } = stage;
  const { account } = dice.pick(cast.campaigns);
  const times = 1 + Math.floor(dice.between(0, 3));
  const inner = { op: 'inner', method: 'POST', account };
  const fault = dice.pick<object>([
    { kind: 'applied_but_error', code: 1, match: inner },
    { kind: 'applied_but_error', code: 2, match: inner },
    { kind: 'null_entry_applied', match: inner },
    { kind: 'null_entry', match: inner },
    { kind: 'error', code: 2, match: inner },
    { kind: 'reset', match: { account } },
    { kind: 'reset_after', match: { method: 'POST', account } },
    { kind: 'truncated', match: { method: 'POST', account } },
    { kind: 'html', match: { method: 'GET', account } },
  ]);
  await simulators.graph.fault({ ...fault, times });
  story.faults += 1;
}
