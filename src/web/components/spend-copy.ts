import type { SpendEstimate, SpendMonth } from '#contract/outage-api.ts';
import { counted, durationLabel, figure } from '#core/labels.ts';
import { moneyLabel } from '#core/money.ts';
import { MOST_OF_BUDGET } from '#core/spend/estimate.ts';
import type { UnknownSpend } from '#core/spend/known.ts';
import { AMOUNT_LABELS, rangeLabels } from '#core/spend/words.ts';
import type { Instant } from '#core/time.ts';
import { atTime, besideOwn } from '../lib/times.ts';

interface AmountRow {
  name: keyof typeof AMOUNT_LABELS;
  label: string;
  /** How it is computed. */
  formula: string;
  about: string;
  /** '$210 to $460' */
  span: string | null;
}

const NAMES = ['notSpent', 'later', 'kept', 'protected'] as const;

/** The amounts that are known, each with its formula. */
export function amountsOf(estimate: SpendEstimate): AmountRow[] {
  const { currency, inputs } = estimate;
  // All four are 0 then, and no formula has been used.
  const isNothing = isBlackout(estimate);
  return NAMES.slice(0, isNothing ? 1 : NAMES.length).flatMap((name) => {
    const range = estimate[name];
    const labels = range === null ? null : rangeLabels(range, currency);
    if (labels === null || inputs === null) return [];
    const { about, low, high } = labels;
    const span = low === null || high === null ? null : `${low} to ${high}`;
    const formula = isNothing ? 'Meta delivered nothing' : formulaOf(name, inputs);
    return [{ name, label: AMOUNT_LABELS[name], formula, about, span }];
  });
}

function isBlackout({ inputs, notSpent }: SpendEstimate): boolean {
  return inputs?.waste.isMeasured === true && inputs.waste.high === 0 && notSpent?.high === 0;
}

type Inputs = NonNullable<SpendEstimate['inputs']>;

function formulaOf(name: AmountRow['name'], { basis, waste }: Inputs): string {
  switch (name) {
    case 'notSpent':
      return basis === 'budget'
        ? 'Daily budget × time paused'
        : 'What earlier days spent in the paused hours';
    case 'later':
      return 'Not spent, minus kept';
    case 'kept':
      return 'What these days usually spend, minus what they spent';
    case 'protected':
      return `${percentSpan(waste)} of what was kept${waste.isMeasured ? '' : '; waste wasn’t measured'}`;
  }
}

/** '30% to 100%' */
function percentSpan({ low, high }: Inputs['waste']): string {
  const [from, to] = [percent(low), percent(high)];
  return from === to ? from : `${from} to ${to}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** What is not known, where something is known. */
export function unknownLabel({ notSpent }: SpendEstimate): string | null {
  return notSpent === null ? null : 'Spent later, and kept';
}

const REASONS: Record<Exclude<UnknownSpend, 'not_read_yet'>, string> = {
  not_over: 'Estimated when the outage is over.',
  being_estimated: 'Being estimated. This takes a few minutes.',
  not_estimated: 'No estimate was made for this outage.',
  no_budget: 'We don’t know: too few earlier days are known, and these campaigns have no daily budget.',
  few_days: 'We don’t know: too few earlier days with hourly spend are known to compare with.',
  still_paused: 'Known the morning after the last campaign resumes.',
  paused_too_long: 'We don’t know: a campaign stayed paused for more than six days.',
  not_read: 'We don’t know: what Meta charged on that day couldn’t be read.',
};

/** Why an amount is not known, and when it is; null: all are. */
export function unknownCopy({ unknown, knownAt, kept }: SpendEstimate, now: Instant): string | null {
  if (unknown === null) return kept === null ? 'Reload to see why this isn’t known.' : null;
  if (unknown !== 'not_read_yet') return REASONS[unknown];
  if (knownAt === null) return 'Known soon: what Meta charged on that day is being read.';
  const at = Date.parse(knownAt);
  return `Known from about ${atTime(at, now)}${besideOwn(at)}, when Meta’s values have settled.`;
}

const BLACKOUT = 'Meta delivered nothing, here and for many other advertisers. It charges nothing then.';

/** What the amounts follow from; empty: nothing is estimated. */
export function methodCopy(estimate: SpendEstimate): string[] {
  const { inputs, notSpent } = estimate;
  if (inputs === null || notSpent === null) return [];
  const { basis, days, campaigns, withoutBudget, pausedMs, waste } = inputs;
  const paused = `${counted(campaigns - withoutBudget, 'campaign')}, paused for ${durationLabel(pausedMs)} in total`;
  if (basis === 'budget')
    return [
      `By daily budget: ${paused}.`,
      ...(withoutBudget === 0 ? [] : [leftOut(withoutBudget)]),
      isBlackout(estimate)
        ? BLACKOUT
        : `Meta may spend up to ${percent(MOST_OF_BUDGET)} of a daily budget in a day.`,
    ];
  const compared = `Compared with ${counted(days, 'earlier day')}: ${paused}.`;
  if (isBlackout(estimate)) return [compared, BLACKOUT];
  const isSilent = !waste.isMeasured && waste.low === 0;
  return [
    compared,
    'Weekdays are evened out, and other outages left out.',
    isSilent
      ? 'Your other campaigns in these ad accounts delivered nothing, so the range begins at 0.'
      : 'About 8 of 10 outages lie in the range.',
  ];
}

function leftOut(count: number): string {
  return `${counted(count, 'campaign')} without a daily budget ${count === 1 ? 'is' : 'are'} left out.`;
}

/** What a month kept; a sum of nothing known is no amount. */
export function keptInMonth({ outages, unknown, kept, currency }: SpendMonth) {
  const labels = unknown === outages ? null : rangeLabels(kept, currency);
  const span = labels?.low == null || labels.high === null ? '–' : `${labels.low} to ${labels.high}`;
  const some = `${figure(unknown)} of ${counted(outages, 'outage')} not known`;
  return { about: labels?.about ?? '–', span, note: unknown === 0 ? null : some };
}

/** The end of a chart's scale: 1, 2 or 5 with zeros, at or above the highest value. */
export function topOfScale(values: readonly number[]): number {
  const most = Math.max(1, ...values);
  const zeros = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5].find((one) => one * zeros >= most) ?? 10) * zeros;
}

interface SpendOfHour {
  from: Instant;
  to: Instant;
  spend: number;
}

/** What the chart shows, in words: the mean of an hour in the outage and around it. */
export function spendChartLabel(
  spent: readonly SpendOfHour[],
  { start, end }: { start: Instant; end: Instant },
  currency: string,
): string {
  const isInside = ({ from, to }: SpendOfHour) => from < end && to > start;
  const mean = (some: readonly SpendOfHour[]) =>
    moneyLabel(Math.round(some.reduce((sum, { spend }) => sum + spend, 0) / some.length), currency);
  const [inside, around] = [spent.filter(isInside), spent.filter((one) => !isInside(one))];
  const parts = [
    inside.length === 0 ? '' : `${mean(inside) ?? ''} an hour in the outage`,
    around.length === 0 ? '' : `${mean(around) ?? ''} an hour around it`,
  ];
  return `Spend by hour: ${parts.filter((part) => part !== '').join(', ')}`;
}
