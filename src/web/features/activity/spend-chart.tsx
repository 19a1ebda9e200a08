import { Table, Title, VisuallyHidden } from '@mantine/core';
import type { OutageSummary } from '#contract/outage-api.ts';
import { moneyLabel } from '#core/money.ts';
import { hours } from '#core/time.ts';
import { TimeChart } from '../../components/time-chart.tsx';
import { exactTime } from '../../lib/exact-times.ts';
import { useNow } from '../../lib/use-now.ts';
import { useOutageSpend } from './api.ts';
import { spendChartLabel, topOfScale } from './spend-copy.ts';

interface SpendChartProps {
  outage: Pick<OutageSummary, 'id' | 'startedAt' | 'endedAt'>;
  currency: string;
}

/** What the paused campaigns spent by hour, with the outage marked, as a picture and as a table. */
export function SpendChart({ outage, currency }: SpendChartProps) {
  const now = useNow();
  const { data } = useOutageSpend(outage.id);
  const known = data?.currencies.find((one) => one.currency === currency)?.hours ?? [];
  const spent = known.map(({ at, spend }) => ({
    from: Date.parse(at),
    to: Date.parse(at) + hours(1),
    spend,
  }));
  const [first, last] = [spent[0], spent.at(-1)];
  const top = topOfScale(spent.map(({ spend }) => spend));
  if (first === undefined || last === undefined || moneyLabel(top, currency) === null) return null;
  const start = Date.parse(outage.startedAt);
  const end = outage.endedAt === null ? now : Date.parse(outage.endedAt);
  const label = (amount: number) => moneyLabel(amount, currency, true) ?? '';
  return (
    <>
      <Title order={3} fz="sm" mt="lg" mb="sm">
        Spend by hour of the paused campaigns
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
