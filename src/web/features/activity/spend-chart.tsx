import type { OutageSummary } from '#contract/outage-api.ts';
import { hours } from '#core/time.ts';
import { HourlySpend } from '../../components/hourly-spend.tsx';
import { useNow } from '../../lib/use-now.ts';
import { useOutageSpend } from './api.ts';

interface SpendChartProps {
  outage: Pick<OutageSummary, 'id' | 'startedAt' | 'endedAt'>;
  currency: string;
}

/** What the paused campaigns spent by hour, before, in and after the outage. */
export function SpendChart({ outage, currency }: SpendChartProps) {
  const now = useNow();
  const { data } = useOutageSpend(outage.id);
  const known = data?.currencies.find((one) => one.currency === currency)?.hours ?? [];
  const spent = known.map(({ at, spend }) => ({
    from: Date.parse(at),
    to: Date.parse(at) + hours(1),
    spend,
  }));
  const end = outage.endedAt === null ? now : Date.parse(outage.endedAt);
  return (
    <HourlySpend
      title="Spend by hour of the paused campaigns"
      {...{ spent, currency }}
      outage={{ start: Date.parse(outage.startedAt), end }}
    />
  );
}
