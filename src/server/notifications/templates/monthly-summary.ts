import { LEVEL_WORDS, counted, durationLabel, figure } from '#core/labels.ts';
import type { Summary } from '#core/monthly-summary.ts';
import { outcomeOf } from '#core/monthly-summary.ts';
import { fullTimeWithUtc, monthLabel, newYorkTime, shortDate } from '#core/new-york.ts';
import { NOT_PAUSED_LABELS } from '#core/outages/reasons.ts';
import { worseLevel } from '#core/smartpause/level.ts';
import { AMOUNT_LABELS, amountLabel, keptLabel, rangeLabels } from '#core/spend/words.ts';
import type { Facts } from '../facts.ts';
import type { Block, Notification } from '../render.ts';
import { openDashboard } from './campaigns.ts';
import { campaigns } from './lists.ts';

/** What SmartPause did in a month, or that it had nothing to do. */
export function monthlySummary(facts: Facts): Notification | null {
  const happened = facts.acts.at(-1)?.happened;
  if (happened?.event !== 'month_summarized') return null;
  const summary = happened.facts;
  const { outages } = summary;
  const activity = `${facts.publicUrl}/activity`;
  return {
    subject: `${monthLabel(summary.month)}: ${[outcomeOf(outages), ...aboutKept(summary)].join(', ')}`,
    why: 'You’re receiving this email because the monthly summary is on in your SmartPause settings.',
    page: activity,
    blocks: [
      ...(outages.length === 0 ? quietCopy(summary) : outageBlocks(summary)),
      readsCopy(summary),
      runningCopy(summary),
      outages.length > 0 ? { button: 'See what happened', address: activity } : null,
      openDashboard(facts),
    ],
  };
}

/** 'about $340 kept', of each currency in which something is known. */
function aboutKept({ sums }: Summary): string[] {
  return sums.flatMap(({ kept, currency, ...sum }) => {
    const labels = sum.unknown < sum.outages ? rangeLabels(kept, currency) : null;
    return labels === null ? [] : [`about ${labels.about} kept`];
  });
}

function quietCopy({ threshold, milder, month, since }: Summary): Block[] {
  const worst = milder.reduce(worseLevel, 'UP');
  const which = milder.length === 1 ? '1 disruption' : `${figure(milder.length)} disruptions`;
  return [
    `No outage that began ${since === null ? `in ${monthLabel(month)}` : `from ${shortDate(since)} on`} met your threshold${threshold === null ? '' : ` (${threshold.toLowerCase()})`}, so there was nothing to pause.`,
    ...(milder.length === 0
      ? []
      : [`Meta reported ${which} below it, at worst a ${LEVEL_WORDS[worst].toLowerCase()}.`]),
  ];
}

function outageBlocks({ outages, sums, pausedMs }: Summary): Block[] {
  const paused = outages.reduce((sum, one) => sum + one.paused, 0);
  const rows = sums.flatMap(amountRows);
  const time: [string, string][] =
    pausedMs === 0 ? [] : [['Paused, all campaigns together', durationLabel(pausedMs)]];
  const items = outages.map((one) => [whenCopy(one), resultCopy(one)] as const);
  return [
    { facts: [['Pauses of campaigns', figure(paused)], ...time, ...rows] },
    { list: counted(outages.length, 'outage'), items },
    ...(rows.length === 0 ? [] : ['Each outage’s page shows how the amounts are estimated.']),
  ];
}

/** The amounts of a currency, which are known together. */
function amountRows({ currency, outages, unknown, ...sum }: Summary['sums'][number]): [string, string][] {
  const row = (name: 'kept' | 'protected', amount: string): [string, string] => [
    `${AMOUNT_LABELS[name]}, estimated`,
    amount,
  ];
  const rest = unknown === 0 ? '' : `, without ${counted(unknown, 'outage')} not known`;
  const rows = (['kept', 'protected'] as const).flatMap((name) => {
    const label = unknown < outages ? amountLabel(sum[name], currency) : null;
    return label === null ? [] : [row(name, `${label}${rest}`)];
  });
  return rows.length > 0 ? rows : [row('kept', `not known in ${currency}`)];
}

function whenCopy({ startedAt, endedAt }: Summary['outages'][number]): string {
  return `${fullTimeWithUtc(startedAt)}, ${endedAt === null ? 'still ongoing' : durationLabel(endedAt - startedAt)}`;
}

function resultCopy({ paused, keptRunning, reason, kept }: Summary['outages'][number]): string {
  const nothing = `Nothing was paused${reason === null ? '' : `: ${NOT_PAUSED_LABELS[reason]}`}`;
  const ran = keptRunning === 0 ? '' : `${figure(keptRunning)} ran on`;
  return [paused === 0 ? nothing : `${campaigns(paused)} paused`, ran, keptLabel(kept)]
    .filter(Boolean)
    .join(' · ');
}

function readsCopy({ reads, month }: Summary): string | null {
  if (reads === null) return null;
  const { day } = newYorkTime(reads.since);
  const when = day === 1 ? `in ${monthLabel(month)}` : `since ${shortDate(reads.since)}`;
  return `We read Meta’s status page ${counted(reads.count, 'time')} ${when}.`;
}

function runningCopy({ running }: Summary): string | null {
  if (running === null || running.all === 0) return null;
  const { all, protected: ours } = running;
  if (ours === all)
    return `Protected now: ${all === 1 ? 'your running campaign' : `all ${figure(all)} running campaigns`}.`;
  return `Protected now: ${figure(ours)} of ${counted(all, 'running campaign')}. An outage doesn’t pause the ${all - ours === 1 ? 'other one' : `other ${figure(all - ours)}`}.`;
}
