import { Suspense } from 'react';
import type { RowsProps } from './campaign-row.tsx';
import { CampaignRow } from './campaign-row.tsx';
import { Placeholders } from './placeholders.tsx';
import { lazyPart } from '../../../browser/lazy-part.ts';

/** From this many rows only the visible ones are rendered. */
const MANY = 60;

const VirtualRows = lazyPart(async () => (await import('./virtual-rows.tsx')).VirtualRows);

export function Rows(props: RowsProps) {
  const { campaigns, propsOf } = props;
  if (campaigns.length > MANY) {
    return (
      <Suspense
        fallback={
          // A table has rows only.
          <div role="row">
            <div role="cell">
              <Placeholders />
            </div>
          </div>
        }
      >
        <VirtualRows {...props} />
      </Suspense>
    );
  }
  return (
    <div role="rowgroup">
      {campaigns.map((campaign) => (
        <CampaignRow key={campaign.id} {...propsOf(campaign)} />
      ))}
    </div>
  );
}
