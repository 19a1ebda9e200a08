import { Table, Title, VisuallyHidden } from '@mantine/core';
import { moneyLabel } from '#core/money.ts';
import type { Instant } from '#core/time.ts';
import { exactTime } from '../lib/exact-times.ts';
import { spendChartLabel, topOfScale } from './spend-copy.ts';
import { TimeChart } from './time-chart.tsx';

interface HourlySpendProps {
  title: string;
  /** By hour, in Meta's unit of the currency. */
  spent: readonly { from: Instant; to: Instant; spend: number }[];
  currency: string;
  outage: { start: Instant; end: Instant };
}

/** What was spent by hour, with the outage marked, as a picture and as a table. */
export function HourlySpend({ title, spent, currency, outage: { start, end } }: HourlySpendProps) {
  const [first, last] = [spent[0], spent.at(-1)];
  const top = topOfScale(spent.map(({ spend }) => spend));
  if (first === undefined || last === undefined || moneyLabel(top, currency) === null) return null;
  const label = (amount: number) => moneyLabel(amount, currency, true) ?? '';
  return (
    <>
      <Title order={3} fz="sm" mt="lg" mb="sm">
        {title}
      </Title>
      <TimeChart
        label={spendChartLabel(spent, { start, end }, currency)}
        from={first.from}
        to={last.to}
        bars={spent.map(({ spend, ...span }) => ({
          ...span,
          height: spend / top,
          color: 'var(--mantine-primary-color-filled)',
        }))}
        lines={[top, top / 2].map((amount) => ({
          height: amount / top,
          label: label(amount),
          isMarked: false,
        }))}
        band={{
          from: Math.max(start, first.from),
          to: Math.min(end, last.to),
          color: 'var(--mantine-color-red-6)',
          label: 'Outage',
        }}
      />
      <VisuallyHidden>
        <Table
          aria-label={`Spend by hour in ${currency}`}
          data={{
            head: ['Hour from (EST)', 'Spend', 'Outage'],
            body: spent.map(({ from, to, spend }) => [
              exactTime(from, start),
              moneyLabel(Math.round(spend), currency),
              from < end && to > start ? 'Yes' : 'No',
            ]),
          }}
        />
      </VisuallyHidden>
    </>
  );
}
