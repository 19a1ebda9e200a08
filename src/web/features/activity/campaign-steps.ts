import type { OutageCampaign } from '#contract/outage-api.ts';
import { exactDuration } from '../../lib/exact-times.ts';

interface Step {
  label: string;
  at: number | null;
  /** '+14 s' since the detection; null: not done, or the detection itself. */
  delay: string | null;
}

/** What SmartPause did with one campaign, in order. */
export function stepsOf(campaign: OutageCampaign, matchedAt: string | null): Step[] {
  const detected = matchedAt === null ? null : Date.parse(matchedAt);
  const step = (label: string, time: string | null): Step => {
    const at = time === null ? null : Date.parse(time);
    const delay = at === null || detected === null ? null : `+${exactDuration(at - detected)}`;
    return { label, at, delay };
  };
  return [
    { label: 'Detected', at: detected, delay: null },
    step('Decided', campaign.decidedAt),
    step('Pause sent', campaign.sentAt),
    step('Paused', campaign.pausedAt),
    step('Resume sent', campaign.resumeSentAt),
    step('Resumed', campaign.result === 'not_resumed' ? null : campaign.resumedAt),
  ];
}
