import { Suspense } from 'react';
import { CampaignRow } from './campaign-row.tsx';
import type { RowsProps } from './row-props.ts';
import { Placeholders } from './placeholders.tsx';
import classes from '../dashboard.module.css';
import { lazyPart } from '../../../browser/lazy-part.ts';

/** From here on only those rows exist that can be seen. */
const MANY = 60;

const VirtualRows = lazyPart(async () => (await import('./virtual-rows.tsx')).VirtualRows);

export function Rows(props: RowsProps) {
  const { campaigns, propsOf } = props;
  if (campaigns.length > MANY) {
    return (
      <Suspense fallback={<Placeholders />}>
        <VirtualRows {...props} />
      </Suspense>
    );
  }
  return (
    // Without its dots a list is none for some screen readers, unless it says so.
    <ul className={classes.list} role="list">
      {campaigns.map((campaign) => (
        <CampaignRow key={campaign.id} {...propsOf(campaign)} />
      ))}
    </ul>
  );
}
