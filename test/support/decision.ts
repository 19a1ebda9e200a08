import { NO_FAILURE } from '#core/platform.ts';
import type { ChangeLog } from '#core/reconciler/change-log.ts';
import { decideCampaign } from '#core/reconciler/decide-campaign.ts';
import type { ActualStatus, CampaignWrite, Hold } from '#core/reconciler/hold.ts';
import { LATE_WRITE_MS, UNTRIED, WISH_MS } from '#core/reconciler/hold.ts';
import type { Circumstances, Holder, Report } from '#core/reconciler/work.ts';

export const NOW = 100_000_000;
export const OLD = NOW - 3_600_000;

export const HOLD: Hold = {
  ...{ userId: 'a', state: 'paused', threshold: 'MEDIUM', level: 'HIGH_DISRUPTION', isOverride: false },
  cause: 'status',
  ...{ decidedAt: OLD, readAt: OLD, pauseSentAt: OLD, pausedAt: OLD, resumeSentAt: null, surprise: null },
  ...{ testUntil: null, beganAsTest: false, outcome: null, releaseReason: null, outside: null },
  ...{ postponedUntil: null, resumeAsked: null, refusal: null },
  ...NO_FAILURE,
};
export const HOLDER: Holder = {
  ...{
    isOn: true,
    turnedAt: null,
    isPauseWanted: true,
    resumeAt: null,
    isPostponed: false,
    isLeaving: false,
    isAbandoned: false,
  },
};
export const WRITE: CampaignWrite = {
  ...{ origin: 'hold', requestedBy: 'a', requestedAt: OLD },
  ...{ target: 'PAUSED', state: 'done', statusBefore: 'ACTIVE' },
  ...{ firstSentAt: null, unansweredUntil: null, unclearSince: null, ...UNTRIED },
  ...{ confirmed: { status: 'PAUSED', at: OLD }, wanted: null },
};
export const pausing: Hold = { ...HOLD, state: 'pausing', pausedAt: null };
export const cancelling: Hold = { ...pausing, state: 'cancelling' };
export const resuming: Hold = { ...HOLD, state: 'resuming' };
export const DUE = { isPauseWanted: false, resumeAt: NOW };
export const OFF = { isOn: false, turnedAt: NOW };
export const unanswered = (target: 'ACTIVE' | 'PAUSED'): CampaignWrite => ({
  ...WRITE,
  ...{ target, state: 'open', statusBefore: target === 'PAUSED' ? 'ACTIVE' : 'PAUSED', confirmed: null },
  ...{ firstSentAt: NOW - 1000, unansweredUntil: NOW + LATE_WRITE_MS - 1000 },
});
export const expired = (target: 'ACTIVE' | 'PAUSED'): CampaignWrite => ({
  ...unanswered(target),
  ...{ firstSentAt: NOW - LATE_WRITE_MS, unansweredUntil: NOW },
});
export const refused = (target: 'ACTIVE' | 'PAUSED', refusals: number): CampaignWrite => ({
  ...WRITE,
  ...{ target, state: 'open', refusals, finalRefusals: refusals, confirmed: null },
});
export const ourPause = { at: NOW - 1000, isOurs: true, to: 'PAUSED' } as const;
export const theirPause = { ...ourPause, isOurs: false };
export const theirResume = { at: NOW - 500, isOurs: false, to: 'ACTIVE' } as const;
export const seen = (status: ActualStatus, forMs: number, hold = HOLD): Hold => ({
  ...hold,
  surprise: { status, since: NOW - forMs },
});

/** One decision, in which nothing is stored and the campaign runs unless it says otherwise. */
export interface Line {
  hold?: Hold | null;
  write?: CampaignWrite | null;
  actual?: ActualStatus | null;
  log?: ChangeLog;
  holder?: Partial<Holder>;
  given?: Partial<Circumstances>;
}

export function decide({ hold = null, write = null, actual = 'ACTIVE', log = [], holder, given }: Line) {
  return decideCampaign(
    { hold, write },
    {
      ...{ now: NOW, readAt: NOW, actual, log, schedule: null, hasEnded: false, newHold: null },
      holder: hold === null ? null : { ...HOLDER, ...holder },
      sendFrom: () => NOW,
      isOn: () => false,
      isNotResumed: () => false,
      wishMs: WISH_MS,
      ...given,
    },
  );
}

/** In short: reports, the hold's state or the reason of its end, what is sent. */
export function short(line: Line): string {
  const { hold, send, needsLog, reports, write } = decide(line);
  if (needsLog) return 'needs the log';
  const end = hold?.state === 'ended' ? (hold.releaseReason ?? hold.outcome) : hold?.state;
  const open = hold === null && write?.state === 'open' ? [write.origin] : [];
  return [...reports.map(text), end, ...open, send === null ? null : `sends ${send}`]
    .filter((part) => part !== null && part !== undefined)
    .join(', ');
}

function text(report: Report): string {
  return typeof report === 'string' ? report : `manual failed: ${report.manualFailed}`;
}
