import { Stack } from '@mantine/core';
import type { OutageSummary, SpendEstimate } from '#contract/outage-api.ts';
import { Muted } from '../../components/muted.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { SpendAmounts } from '../../components/spend-amounts.tsx';
import { SpendChart } from './spend-chart.tsx';

interface SpendSectionProps {
  outage: Pick<OutageSummary, 'id' | 'startedAt' | 'endedAt'>;
  /** By currency, which are never added. */
  estimates: readonly SpendEstimate[] | undefined;
  /** The page shows the campaigns of one ad account. */
  isFiltered: boolean;
}

/** What the pauses kept from being spent. */
export function SpendSection({ outage, estimates = [], isFiltered }: SpendSectionProps) {
  if (estimates.length === 0) return null;
  return (
    <SectionCard id="spend" title="Spend, estimated">
      <Stack gap="lg">
        {isFiltered && <Muted>Of all your ad accounts, whatever the filter.</Muted>}
        {estimates.map((estimate) => (
          <div key={estimate.currency}>
            <SpendAmounts estimate={estimate} isOne={estimates.length === 1} />
            <SpendChart outage={outage} currency={estimate.currency} />
          </div>
        ))}
      </Stack>
    </SectionCard>
  );
}
