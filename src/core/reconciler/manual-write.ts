import { earliest } from '../time.ts';
import { LOG_TOLERANCE_MS } from './change-log.ts';
import { READ_LAG_MS, UNTRIED } from './hold.ts';
import type { CampaignWrite, Wish, WishFailure } from './hold.ts';
import { failManual, markDone } from './outcomes.ts';
import type { Step, Work } from './work.ts';
import { lookAgain, readLog, send, settlesAt, withReport } from './work.ts';

/** The campaign's write with the user's wish: a press of a button, which is stored as a manual change. */
export function withWish(write: CampaignWrite | null, wish: Wish): CampaignWrite {
  if (write !== null) return { ...write, wanted: wish };
  const unsent = {
    state: 'cancelled',
    firstSentAt: null,
    unansweredUntil: null,
    unclearSince: null,
  } as const;
  return { ...manualWrite(wish), ...unsent, statusBefore: wish.status, confirmed: null, wanted: wish };
}

interface OfCampaign extends Wish {
  accountId: string;
  campaignId: string;
}

/** The writes with the manual changes that none of them carries out already. By campaign. */
export function withWishes<Write extends CampaignWrite & Omit<OfCampaign, keyof Wish>>(
  writes: ReadonlyMap<string, Write>,
  changes: ReadonlyMap<string, OfCampaign>,
): Map<string, Write | (CampaignWrite & Omit<OfCampaign, keyof Wish>)> {
  const wished = [...changes].flatMap(([id, { accountId, campaignId, userId, status, requestedAt }]) => {
    const write = writes.get(id) ?? null;
    const isOwn = write?.origin === 'manual' && write.requestedBy === userId;
    if (isOwn && write.requestedAt === requestedAt) return [];
    return [[id, { ...withWish(write, { userId, status, requestedAt }), accountId, campaignId }] as const];
  });
  return new Map([...writes, ...wished]);
}

function manualWrite({ userId, status, requestedAt }: Wish) {
  return { origin: 'manual', requestedBy: userId, requestedAt, target: status, ...UNTRIED } as const;
}

/** A wish becomes the campaign's write as soon as no copy of the opposite one can arrive. Until then no write is repeated. */
export function takeUpWish(work: Work): Step {
  const { write } = work;
  const wish = write?.wanted ?? null;
  if (write === null || wish === null) return { continue: work };
  const manualFailed = failureOf(work, wish);
  if (manualFailed !== null)
    return { continue: withReport({ ...work, write: { ...write, wanted: null } }, { manualFailed }) };
  if (write.unansweredUntil !== null && write.target !== wish.status)
    return lookAgain(work, earliest([settlesAt(work), wish.requestedAt + work.wishMs]));
  const taken: CampaignWrite = { ...write, ...manualWrite(wish), state: 'open', wanted: null };
  return { continue: { ...work, write: taken } };
}

function failureOf(work: Work, wish: Wish): WishFailure | null {
  const from = work.sendFrom(wish.userId);
  if (from === null) return 'token';
  const isWithSmartPause = wish.status === 'ACTIVE' && work.isOn(wish.userId);
  if (isWithSmartPause && !work.isNotResumed(wish.userId)) return 'smartpause_active';
  if (work.now >= wish.requestedAt + work.wishMs) return 'busy';
  if (from > work.now) return 'blocked';
  // Before it would replace a write that is still to be sent.
  return isGone(work) ? 'refused' : null;
}

/** The hold of the campaign, if there is one, waits for the end of the manual write. */
export function followManualWrite(work: Work): Step {
  const { write, now, actual } = work;
  if (write?.origin !== 'manual' || write.state !== 'open') return { continue: work };
  const failed = (why: WishFailure): Step => ({ continue: failManual(work, why) });
  const from = work.sendFrom(write.requestedBy);
  if (from === null) return failed('token');
  if (actual === write.target && write.firstSentAt !== null) {
    if (work.log === 'unread') return readLog(work);
    if (isSeenDone(work, write)) return { continue: markDone(work) };
  }
  const isOver = write.refusals > 0 || now >= write.requestedAt + work.wishMs;
  if (write.unansweredUntil === null) {
    if (isOver) return failed(write.refusals > 0 ? 'refused' : 'unconfirmed');
    if (from > now) return failed('blocked');
    if (isGone(work)) return failed('refused');
  }
  return isOver || actual === null ? lookAgain(work, null) : send(work, write.target);
}

function isGone({ actual }: Work): boolean {
  return actual !== 'ACTIVE' && actual !== 'PAUSED' && actual !== null;
}

/** The log names the change, or the read is surely newer than the write. Until then it is repeated. */
function isSeenDone({ readAt, log }: Work, { target, firstSentAt, requestedAt }: CampaignWrite): boolean {
  const sentAt = Math.max(firstSentAt ?? requestedAt, requestedAt);
  const last = typeof log === 'string' ? undefined : log[0];
  const isLogged = last?.to === target && last.at >= sentAt - LOG_TOLERANCE_MS;
  return isLogged || readAt >= sentAt + READ_LAG_MS;
}
